"""Wiring diagrams: parts, connections, warnings, and the drawing."""
