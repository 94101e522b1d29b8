"""Where points appear in the picture of a camera, as its recognition reports it.

Source: Webots' WbCamera for planar pictures and lenses; for the other projections the picture itself: along a
row or a column, angles grow evenly.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wbridge.wbcore.engine import mathematics
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place, projection

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_ANGLE, WIDEST_PLANE = 1e-4, pi - 1e-4
"""Limits of usable fields of view (rad)."""
Points: TypeAlias = "NDArray[np.float64]"


class Lens(NamedTuple):
    """The distortion of a lens: center and coefficients, on coordinates from 0 to 1."""

    center: tuple[float, float]
    radial: tuple[float, float]
    tangential: tuple[float, float]

    def distorted(self, places: Points) -> Points:
        """Return the places (n, 2) where points appear that would be at `places` without the lens."""
        way = places - self.center
        x, y = way.T
        square = (way * way).sum(axis=1)
        (k1, k2), (p1, p2) = self.radial, self.tangential
        ring = k1 * square + k2 * (square * square)
        moved: Points = places + np.stack(
            [
                ring * x + 2 * p1 * x * y + p2 * (square + 2 * x * x),
                ring * y + p1 * (square + 2 * y * y) + 2 * p2 * x * y,
            ],
            axis=1,
        )
        return moved


class ImagePoints:
    """The projection of a camera. Points are (n, 3) in the axes of the view: forward, left, up."""

    def __init__(self, camera: Node) -> None:
        self.width, self.height = int(camera.get("width")), int(camera.get("height"))
        self.kind = str(projection(Place(camera)))
        most = WIDEST_PLANE if self.kind == "planar" else 2 * pi
        self.wide = min(max(float(camera.get("fieldOfView")), LEAST_ANGLE), most)
        lens = node_in(camera, "lens") if "lens" in camera.spec.fields else None
        self._lens = None
        if lens is not None:
            radial, tangential = lens.get("radialCoefficients"), lens.get("tangentialCoefficients")
            self._lens = Lens(lens.get("center"), radial, tangential)

    @property
    def is_planar(self) -> bool:
        """Whether straight lines stay straight."""
        return self.kind == "planar"

    @property
    def aspect(self) -> float:
        """Height divided by width."""
        return self.height / self.width

    def places(self, points: Points) -> Points:
        """Return the places (n, 2) in the picture, from 0 (left, top) to 1, and beyond outside of it."""
        forward, left, up = points.T
        if self.is_planar:
            return self._on_plane(forward, left, up)
        if self.kind == "cylindrical":
            turned = -mathematics.atan2(left, forward)
            raised = mathematics.atan2(up, mathematics.hypot(forward, left))
            return 0.5 + np.stack([turned / self.wide, -raised / (self.wide * self.aspect)], axis=1)
        beside = mathematics.hypot(left, up)
        share = mathematics.atan2(beside, forward) / self.wide / np.where(beside > 0, beside, 1)
        return 0.5 - np.stack([left * share, up * share], axis=1)

    def _on_plane(self, forward: Points, left: Points, up: Points) -> Points:
        ahead = np.where(forward > 0, forward, 1.0)
        reach = 2 * mathematics.tan(self.wide / 2)
        seen = 0.5 - np.stack([left / ahead / reach, up / ahead / (reach * self.aspect)], axis=1)
        # Points behind the camera lie at the edge of their side.
        behind = np.stack([np.where(left > 0, 0.0, 1.0), np.where(up > 0, 0.0, 1.0)], axis=1)
        return np.where((forward > 0)[:, None], seen, behind)

    def pixels(self, places: Points) -> Points:
        """Return the pixels (n, 2) at places, each moved into the picture."""
        inside = np.clip(places, 0, 1)
        if self._lens is not None:
            inside = np.clip(self._lens.distorted(inside), 0, 1)
        pixels: Points = np.floor(inside * (self.width - 1, self.height - 1))
        return pixels
