"""Compare a controller on the desktop with the same controller on a board, step by step."""
