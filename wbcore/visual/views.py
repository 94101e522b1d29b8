"""Views of a world: where a picture is taken from, and how the world is projected."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import pi, tan
from typing import TYPE_CHECKING, Protocol

import numpy as np

from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.visual.drawn import Drawn
from wbridge.wbcore.visual.lens_flares import LensFlare

if TYPE_CHECKING:
    from numpy.typing import NDArray

LEAST_ANGLE = 1e-4
LEAST_NEAR, MOST_FAR = 1e-6, 1e9


@dataclass(frozen=True, slots=True)
class Effects:
    """What a camera does with the light that it receives. The defaults are no effects."""

    lens: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Two radial and two tangential coefficients of the lens."""
    lens_center: tuple[float, float] = (0.5, 0.5)
    """The center of the distortion, from the left and from the top (0 to 1)."""
    focus_distance: float = 0.0
    """The distance in focus (m)."""
    focus_length: float = 0.0
    """How far from it pictures are sharp (m); 0: everywhere."""
    motion_share: float = 0.0
    """The share of the previous picture that remains."""
    occlusion_radius: float = 0.0
    """The radius of ambient occlusion (m); 0: off."""
    bloom_threshold: float = -1.0
    """The luma from which on light glows; negative: off."""
    flare: LensFlare | None = None
    """What the lens reflects; None: nothing."""

    @property
    def has_lens(self) -> bool:
        """Whether the lens distorts."""
        return self.lens != (0.0, 0.0, 0.0, 0.0)


NO_EFFECTS = Effects()


@dataclass(frozen=True, slots=True)
class View:
    """What a camera sees. Directions are unit vectors in the world."""

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
    projection: str = "planar"
    """Or "cylindrical": azimuth and elevation are linear in pixels; "spherical": the angle from the center is
    linear in the share of the width and of the height."""
    has_backdrop: bool = False
    """People see the sky that a TexturedBackground names; cameras of robots see its mean color."""
    is_smooth: bool = False
    """With anti-aliasing."""
    is_fine: bool = False
    """With soft shadows, a tone map as of film, anti-aliasing, and light from the sky that is seen."""
    effects: Effects = NO_EFFECTS
    drawings: tuple[Drawn, ...] = field(default=(), compare=False)
    """What is drawn besides the nodes of the world."""

    @property
    def reach(self) -> tuple[float, float]:
        """Half width and half height of the picture at distance 1.

        Webots derives the vertical field of view from the tangents: its pixels are square.
        """
        x = tan(min(max(self.field_of_view, LEAST_ANGLE), pi - LEAST_ANGLE) / 2)
        return x, x * self.height / self.width

    @property
    def depth_range(self) -> tuple[float, float]:
        """The nearest and the farthest distance shown (m)."""
        near = min(max(self.near, LEAST_NEAR), MOST_FAR / 2)
        return near, min(max(self.far, 2 * near), MOST_FAR)

    def clip_columns(self) -> tuple[tuple[float, float, float, float], ...]:
        """Return the columns of the matrix from the world to clip space, with the first row of the picture
        at -1."""
        x, y = self.reach
        near, far = self.depth_range
        scale = (far + near) / (far - near)
        axes = tuple(zip(self.right, self.up, self.forward, strict=True))
        turned = [(r / x, -u / y, f * scale, f) for r, u, f in axes]
        right, up, ahead = (
            -sum(a * b for a, b in zip(axis, self.eye, strict=True))
            for axis in (self.right, self.up, self.forward)
        )
        deep = ahead * scale - 2 * far * near / (far - near)
        return (*turned, (right / x, -up / y, deep, ahead))


class Pictures(Protocol):
    """Draws what views of a world show."""

    def follow(self, only_steps: bool = False) -> None:
        """Follow the bodies, and apply changes of the tree. Call it before `draw`.

        Args:
            only_steps: do nothing if neither a step was made nor the tree changed since the last call.
        """

    def draw(self, view: View, pixels: NDArray[np.uint8], camera: object = None) -> None:
        """Draw a picture.

        Args:
            view: what it shows.
            pixels: gets blue, green, red, alpha of each pixel, from the top left: width * height * 4 bytes.
            camera: who takes it; its previous picture remains in part if the view has motion blur.
        """

    def begin(self, view: View, pixels: NDArray[np.uint8], camera: object = None) -> Callable[[], None]:
        """Begin to draw a picture, as `draw` does; the result waits for it and writes `pixels`."""

    def draw_numbers(self, view: View, numbers: NDArray[np.uint32]) -> None:
        """Draw which shape each pixel shows.

        Args:
            view: what it shows.
            numbers: gets the number of the shape of each pixel (0: none): width * height numbers.
        """

    def recognition_colors(self) -> NDArray[np.uint32]:
        """Return the colors of segmentation images by the numbers of shapes: 0xFFRRGGBB."""
