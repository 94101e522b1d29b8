"""Recordings of runs: poses, commands and readings."""
