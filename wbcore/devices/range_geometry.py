"""The rays of range finders and lidars: one direction per number of the picture.

A grid is an array (rows, columns, 3) of unit vectors: forward, left, up in the device. Its shares, if any,
are what is measured of each ray's length: in planar pictures the part along the viewing axis. A plane has no
more than the places of its columns and rows.

Source: Webots' merge_spherical.frag, lens_distortion.frag and WbLidar.cpp; manual, chapters RangeFinder and
Lidar; manual of 8.3.1, chapter Camera, spherical projection.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wbridge.wbcore.engine import mathematics

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.float64]"
WIDEST = math.pi - 0.001
"""Maximum view of a planar picture (rad), as in Webots."""


class Grid(NamedTuple):
    """Directions (rows, columns, 3), and shares (rows, columns) or None."""

    directions: Numbers
    shares: Numbers | None = None


class Plane(NamedTuple):
    """A planar picture, whose columns and rows are straight on a plane at distance 1."""

    left: Numbers
    """By column."""
    up: Numbers
    """By row."""


class Lens(NamedTuple):
    """The fields of a Lens node."""

    center: tuple[float, float]
    radial: tuple[float, float]
    tangential: tuple[float, float]


def _centers(count: int) -> Numbers:
    """Centers of pixels, as shares of the picture."""
    return (np.arange(count) + 0.5) / count


def _sphere(azimuth: Numbers, elevation: Numbers) -> Numbers:
    """Directions at angles to the left and up (rad)."""
    around = mathematics.cos(elevation)
    parts = (around * mathematics.cos(azimuth), around * mathematics.sin(azimuth), mathematics.sin(elevation))
    return np.stack(np.broadcast_arrays(*parts), axis=-1)


def _plane(left: Numbers, up: Numbers) -> Grid:
    """Rays through points of a plane at distance 1."""
    left, up = np.broadcast_arrays(left, up)
    directions = np.stack([np.ones_like(left), left, up], axis=-1)
    length = np.linalg.norm(directions, axis=-1)
    return Grid(directions / length[..., None], 1 / length)


# Range finders.


def planar(width: int, height: int, fov: float, lens: Lens | None = None) -> Grid | Plane:
    """Square pixels; the vertical view is 2 atan(tan(fov / 2) height / width)."""
    half = mathematics.tan(min(max(fov, 0.001), WIDEST) / 2)
    u, v = _centers(width), _centers(height)
    if lens is not None:
        u, v = _distorted(*np.meshgrid(u, v), lens)
    left, up = half * (1 - 2 * u), half * height / width * (1 - 2 * v)
    return Plane(left, up) if lens is None else _plane(left, up)


def _distorted(u: Numbers, v: Numbers, lens: Lens) -> tuple[Numbers, Numbers]:
    """Inverse of Brown's model (Lambers, Sommerhoff and Kolb 2018)."""
    x, y = u - lens.center[0], v - lens.center[1]
    (k1, k2), (p1, p2) = lens.radial, lens.tangential
    r = x * x + y * y
    radial = k1 * r + k2 * r * r
    scale = 1 / (4 * k1 * r + 6 * k2 * r * r + 8 * p1 * y + 8 * p2 * x + 1)
    return (
        u - scale * (radial * x + 2 * p1 * x * y + p2 * (r + 2 * x * x)),
        v - scale * (radial * y + 2 * p2 * x * y + p1 * (r + 2 * y * y)),
    )


def cylindrical(width: int, height: int, fov: float) -> Grid:
    """Azimuth and elevation are proportional to columns and rows, with equal angles per pixel."""
    azimuth = fov * (0.5 - _centers(width))
    elevation = fov * height / width * (0.5 - _centers(height))
    return Grid(_sphere(azimuth[None, :], elevation[:, None]))


def old_spherical(width: int, height: int, fov: float) -> Grid:
    """Until V8: the first and last pixels of a row are exactly at the edges of the view."""

    def angles(count: int, view: float) -> Numbers:
        return view * (0.5 - np.arange(count) / (count - 1)) if count > 1 else np.zeros(1)

    return Grid(_sphere(angles(width, fov)[None, :], angles(height, fov * height / width)[:, None]))


def fisheye(width: int, height: int, fov: float) -> Grid:
    """The angle to the axis is proportional to the distance from the center, in shares of both sides."""
    x, y = np.meshgrid(_centers(width) - 0.5, _centers(height) - 0.5)
    radius = mathematics.hypot(x, y)
    angle = radius * fov
    around = mathematics.sin(angle) / np.where(radius > 0, radius, 1.0)
    return Grid(np.stack([mathematics.cos(angle), -x * around, -y * around], axis=-1))


# Lidars.


def layered(columns: int, layers: int, fov: float, vertical: float, tilt: float, is_planar: bool) -> Grid:
    """Layers from the top at equal angles, and columns from the left.

    Args:
        columns: rays per layer.
        layers: number of layers; a single one is at elevation 0.
        fov: horizontal view (rad).
        vertical: angle between the first and the last layer (rad).
        tilt: angle upward of the whole picture (rad).
        is_planar: columns and rows of a plane, in which distances are measured along the axis.
    """
    elevation = _elevations(layers, vertical)[:, None]
    if is_planar:
        grid = _plane(
            mathematics.tan(min(fov, WIDEST) / 2) * (1 - 2 * _centers(columns))[None, :],
            mathematics.tan(elevation),
        )
    else:
        grid = Grid(_sphere(fov * (0.5 - _centers(columns))[None, :], elevation))
    return Grid(_tilted(grid.directions, tilt), grid.shares)


def turning(columns: int, layers: int, vertical: float, tilt: float) -> Grid:
    """All around, clockwise seen from above, from the back."""
    azimuth = -math.pi - 2 * math.pi * np.arange(columns) / columns
    return Grid(_tilted(_sphere(azimuth[None, :], _elevations(layers, vertical)[:, None]), tilt))


def _elevations(layers: int, vertical: float) -> Numbers:
    return vertical * (0.5 - np.arange(layers) / (layers - 1)) if layers > 1 else np.zeros(1)


def _tilted(directions: Numbers, tilt: float) -> Numbers:
    x, y, z = np.moveaxis(directions, -1, 0)
    c, s = mathematics.cos(tilt), mathematics.sin(tilt)
    return np.stack([c * x - s * z, y, s * x + c * z], axis=-1)


def view_axes(z_up: bool) -> Numbers:
    """Return the axes forward, left and up of the view in those of the device's node, row by row.

    Args:
        z_up: False before R2022a: x is to the right, y up, and the view along -z.
    """
    return np.eye(3) if z_up else np.array([[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
