"""The web server: thin doors to the service, and the browser client."""
