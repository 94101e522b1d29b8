"""The RangeFinder: a picture of distances.

Source: manual, chapter RangeFinder; manual of 8.3.1, chapter Camera, for cameras of the type "range-finder".
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from wbridge.wbcore.devices import range_geometry
from wbridge.wbcore.devices.range_device import TINY, RangeDevice
from wbridge.wbcore.devices.range_geometry import Grid, Lens, Plane
from wbridge.wbcore.engine.mathematics import power
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import projection

if TYPE_CHECKING:
    from numpy.typing import NDArray

RISE = 0.005
"""What is left of the previous picture after the time `motionBlur`."""


class RangeFinder(RangeDevice):
    """Measures width x height distances: in planar pictures along the viewing axis, else along the rays."""

    SIZES: ClassVar[frozenset[str]] = frozenset({"width", "height"})

    def constants(self) -> dict[str, object]:
        """Current size and optics."""
        names = ("fov", "near", "planar", "max_range")
        return {"id": self.simulation.nodes.number(self.node)} | dict(zip(names, self.optics, strict=True))

    @property
    def optics(self) -> tuple[object, ...]:
        """In the protocol's order: field of view, minimum range, projection, maximum range."""
        return self._fov, self.limits.least, int(projection(self.place) == "planar"), self.limits.most

    @property
    def columns(self) -> int:
        """The width of the picture."""
        return self.size("width")

    @property
    def rows(self) -> int:
        """The height of the picture."""
        return self.size("height")

    @property
    def _fov(self) -> float:
        return self.number("fieldOfView", 0.7854, TINY, 2 * math.pi)

    def make_grid(self) -> Grid | Plane:
        """Return the rays through the pixels' centers."""
        size = self.columns, self.rows, self._fov
        kind = projection(self.place)
        if kind == "spherical":
            return range_geometry.fisheye(*size)
        if kind == "cylindrical":
            return (range_geometry.old_spherical if self.place.of_old else range_geometry.cylindrical)(*size)
        return range_geometry.planar(*size, self._lens())

    def _lens(self) -> Lens | None:
        found = self.place.get("lens")
        lens = found.root if isinstance(found, Node) else None
        names = ("center", "radialCoefficients", "tangentialCoefficients")
        return None if lens is None else Lens(*(lens.get(name) for name in names))

    def begin(self, pixels: NDArray[np.uint8], elapsed: float) -> None:
        """Measure all distances."""
        blur = self.number("motionBlur", 0.0, 0.0)
        kept = power(RISE, 1000 * elapsed / blur) if blur > 0 else 0.0
        self.trace(pixels, 0, self.columns, min(kept, 1 - TINY))
