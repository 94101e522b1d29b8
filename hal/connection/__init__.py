"""A controller's connection to its simulator."""
