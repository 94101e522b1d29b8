"""Projects to start from: sample worlds with their controllers, and an empty project."""
