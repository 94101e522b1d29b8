"""Breakpoints in controllers in Python that run as processes."""
