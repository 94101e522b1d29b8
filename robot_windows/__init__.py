"""Robot windows: the server, the generic window, and the JavaScript API of windows made for Webots."""
