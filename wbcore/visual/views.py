"""Views of a world: where a picture is taken from, and how the world is projected."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, tan
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.pose import Vec3

__all__ = ["Pictures", "View"]

LEAST_ANGLE = 1e-4
LEAST_NEAR, MOST_FAR = 1e-6, 1e9
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class View:
    """A planar picture. Directions are unit vectors in the world."""

    eye: Vec3
    forward: Vec3
    up: Vec3
    right: Vec3
    width: int
    height: int
    field_of_view: float
    """The horizontal one (rad)."""
    near: float = 0.01
    far: float = 1e4
    exposure: float = 1.0
    hidden_from: int = 0
    """The bit of this view in the `hidden` masks of instances."""

    @property
    def reach(self) -> tuple[float, float]:
        """Half width and half height of the picture at distance 1.

        Webots derives the vertical field of view from the tangents: its pixels are square.
        """
        x = tan(min(max(self.field_of_view, LEAST_ANGLE), pi - LEAST_ANGLE) / 2)
        return x, x * self.height / self.width

    def clip_matrix(self) -> Matrix:
        """Return the matrix from the world to clip space, with the first row of the picture at -1."""
        x, y = self.reach
        axes = np.array([self.right, self.up, self.forward])
        sideways, upward, ahead = np.column_stack([axes, -axes @ np.asarray(self.eye)])
        near = min(max(self.near, LEAST_NEAR), MOST_FAR / 2)
        far = min(max(self.far, 2 * near), MOST_FAR)
        deep = ahead * (far + near) / (far - near)
        deep[3] -= 2 * far * near / (far - near)
        return np.array([sideways / x, -upward / y, deep, ahead])


class Pictures(Protocol):
    """Draws what views of a world show."""

    def follow(self) -> None:
        """Follow the bodies, and apply changes of the tree. Call it before `draw` when time has passed."""

    def draw(self, view: View, pixels: NDArray[np.uint8], smooth: bool = False) -> None:
        """Draw a picture.

        Args:
            view: what it shows.
            pixels: gets blue, green, red, alpha of each pixel, from the top left: width * height * 4 bytes.
            smooth: with anti-aliasing.
        """
