"""The controller's view of its robot, and the modes (simulation, remote control) behind the API."""
