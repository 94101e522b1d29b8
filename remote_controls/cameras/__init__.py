"""Cameras at the controller's computer: Video4Linux2, and a player of pictures in its place."""
