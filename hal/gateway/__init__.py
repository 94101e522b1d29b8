"""Remote control: a plugin carries out the API calls instead of the simulation."""
