"""Which pins of a board a robot's devices are wired to: the file that says so, and what each wiring does."""
