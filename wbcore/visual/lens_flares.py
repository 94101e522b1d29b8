"""The LensFlare of a Camera or Viewpoint: what its lens reflects of bright parts.

Source: manual, chapter LensFlare.
"""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.physics.tree import node_in, number
from wbridge.wbcore.scene.node import Node

MOST = 64
"""The largest number of ghosts, and of blurs, that is drawn."""


class LensFlare(NamedTuple):
    """The fields of the node."""

    transparency: float
    scale: float
    bias: float
    """Added to light; what is positive then makes flares."""
    dispersal: float
    """How far ghosts are apart, in distances from the center."""
    samples: int
    """The number of ghosts."""
    halo_width: float
    """The radius of the halo, in shares of the picture."""
    distortion: float
    """How far red and blue are apart (pixels)."""
    blurs: int
    """The number of blurs, in turn along rows and columns."""


def lens_flare_of(holder: Node | None) -> LensFlare | None:
    """Return the lens flare of a Camera or Viewpoint; None without one."""
    node = None if holder is None else node_in(holder, "lensFlare")
    if node is None:
        return None
    samples, blurs = (min(max(int(node.get(name)), 0), MOST) for name in ("samples", "blurIterations"))
    return LensFlare(
        min(max(number(node, "transparency"), 0.0), 1.0),
        number(node, "scale"),
        number(node, "bias"),
        number(node, "dispersal"),
        samples,
        number(node, "haloWidth"),
        number(node, "chromaDistortion"),
        blurs,
    )
