"""Benchmarks of speed and memory with limits; `python -m benchmarks` runs all of them."""
