"""Measurements of speed and memory against limits; `python -m benchmarks` runs all of them."""
