"""The client of controllers in Python: a binding of the C library, and what Python adds to it."""
