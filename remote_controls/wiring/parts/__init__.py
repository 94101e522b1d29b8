"""Ways of wiring; the name of a module is the key that stands in the file."""
