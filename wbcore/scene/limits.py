"""The bounds of what files from strangers can ask for.

Worlds, meshes, pictures and wires contain numbers that decide how much memory and time the simulator needs.
`FIELDS` has the bounds of fields that are checked when a world is loaded. The others are constants of the
modules that keep them, which scripts/limits.toml names. docs/limits.md is generated from both, and
tests/bombs has worlds that exceed them.
"""

from __future__ import annotations

from typing import NamedTuple

MOST_FILE_NODES = 500_000
"""Nodes in a file."""
MOST_GRID_POINTS = 2**22
"""Points of an ElevationGrid: 2048 x 2048."""
MOST_LOOKUP_ROWS = 100_000
"""Rows of a lookup table."""
LARGEST_SHORT = 2**16 - 1
"""Of what the controller protocol sends as 16 bits."""


class FieldBound(NamedTuple):
    """What a field may hold."""

    type: str
    """Of the node; types derived from it have the bound, too."""
    field: str
    low: float
    high: float
    unit: str


FIELDS = (
    FieldBound("WorldInfo", "basicTimeStep", 0.001, 100_000.0, "ms"),
    *(
        FieldBound(kind, field, 0, LARGEST_SHORT, "pixels")
        for kind in ("Camera", "RangeFinder", "Display")
        for field in ("width", "height")
    ),
    FieldBound("Solid", "linearVelocity", -1e9, 1e9, "m/s"),
    FieldBound("Solid", "angularVelocity", -1e9, 1e9, "rad/s"),
)
