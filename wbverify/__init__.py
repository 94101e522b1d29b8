"""Compares what a controller does on the desktop with what it does on a board, step by step."""
