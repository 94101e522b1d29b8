"""Try each device of a real board, with questions to the user, and correct the hardware map."""
