"""Faults seeded into the firmware of the rover, to see whether `wbridge firmware verify` finds them."""
