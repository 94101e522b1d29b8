"""Show a simulation or robot in windows, and carry out their requests."""
