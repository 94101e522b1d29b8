"""The visible world: visual shapes, their surfaces, and rays that hit them."""
