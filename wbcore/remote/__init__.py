"""Controllers that drive a real robot: starting them, and simulating the robot in parallel."""
