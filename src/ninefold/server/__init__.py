"""The server: `hosting` decides, `storage` keeps, `http` speaks to the outside."""
