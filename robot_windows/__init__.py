"""Robot windows: the dashboard server and the JavaScript API. None exists in this version."""
