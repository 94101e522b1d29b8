"""Remote control: a plugin stands behind the API instead of the simulation."""
