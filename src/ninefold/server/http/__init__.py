"""The HTTP server: a REST API, a WebSocket for each match, and the browser client."""
