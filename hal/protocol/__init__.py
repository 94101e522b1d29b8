"""Webots' controller protocol: packets, and one codec per device type for both ends of the connection."""
