"""Controllers that drive a real robot: who starts them, and a simulation beside it."""
