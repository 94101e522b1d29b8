"""Controllers in Python on boards: a folder for MicroPython instead of a compiled program."""
