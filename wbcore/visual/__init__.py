"""What can be seen: visual shapes, their surfaces, and rays that look for them."""
