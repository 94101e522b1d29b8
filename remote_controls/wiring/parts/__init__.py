"""Types of wiring; a module's name is the key in the file."""
