"""Checks of the computer and of the environment of Python, for `wbridge doctor`."""
