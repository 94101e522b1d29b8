"""Compares wbridge with recordings of real motions, and with other simulators on the same recordings."""
