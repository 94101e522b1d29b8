"""Start the controllers of a simulation, communicate with them, and step in lockstep with them."""
