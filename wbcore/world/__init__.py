"""The state of a world at run time: tree edits, node numbers, random numbers, radio, connectors, chargers."""
