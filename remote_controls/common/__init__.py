"""Shared by plugins for robots with their own protocols: connection, timing, reconnection, safety."""
