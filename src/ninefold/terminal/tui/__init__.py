"""The full-screen app. Nothing here is imported before somebody opens it: Textual takes its time."""
