"""What windows show of a simulation, and what they do to it."""
