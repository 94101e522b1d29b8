"""Parts at a board's second serial line that speak the bytes of the real ones."""
