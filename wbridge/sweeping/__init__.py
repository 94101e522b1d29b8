"""Implementation of `wbridge sweep`: progress, summary, clusters."""
