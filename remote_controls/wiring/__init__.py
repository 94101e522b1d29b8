"""The wiring of a robot's devices to the pins of a board: the file format, and the function of each
wiring."""
