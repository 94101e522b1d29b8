"""Controllers of a simulation: starting them, talking to them, stepping with them."""
