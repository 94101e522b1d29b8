"""What a physics plugin draws besides the nodes of the world."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Drawn(NamedTuple):
    """Points, lines or triangles of one color."""

    corners: int
    """Of each: 1, 2 or 3."""
    color: tuple[float, ...]
    """Red, green, blue and opacity, 0 to 1."""
    size: float
    """Of points, or width of lines, in pixels."""
    at: NDArray[np.float32]
    """(n, 3) vertices in the world, in m."""
    is_late: bool = True
    """Drawn after the shapes of the world; False: before them."""
    is_hidden: bool = True
    """By what is in front of it; False: it covers all that was drawn before."""
