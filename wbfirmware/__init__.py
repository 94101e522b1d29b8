"""Compile controllers: for this machine, and as firmware for boards."""
