"""Recordings of runs: poses, and what controllers and devices say to each other."""
