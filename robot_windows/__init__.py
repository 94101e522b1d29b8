"""Robot windows: the server, the generic window, and the JavaScript API for windows made for Webots."""
