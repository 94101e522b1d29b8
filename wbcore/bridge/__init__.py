"""Serve simulated robots over the robot link, so that programs drive them as if they were real."""
