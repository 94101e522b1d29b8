"""Grading: runs the programs of a class in isolation, and gives points by a rubric."""
