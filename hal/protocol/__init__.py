"""Webots' controller protocol: packets, and one codec per kind of device for both ends of the link."""
