"""A running world: edits of its tree, node numbers, random numbers, radio, connectors and chargers."""
