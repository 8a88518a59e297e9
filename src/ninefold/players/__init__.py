"""Players: functions from a match to the action of the seat that is to act."""
