"""Sweeps: many runs of one world with varied fields and seeds, whose results survive any crash."""
