"""Runs a program that nobody trusts; the modules import nothing of wbridge, so that it starts at once."""
