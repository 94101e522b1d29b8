"""Pictures of the numbers of shapes, in all projections: the nearest pixel of planar pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.render.panorama import (
    BACK,
    DOWN,
    FRONT,
    LEFT,
    RIGHT,
    UP,
    angles,
    face_size,
    face_views,
    widening,
)
from wbridge.wbcore.visual.views import NO_EFFECTS, View

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.uint32]"
Floats: TypeAlias = "NDArray[np.float64]"
Drawing = Callable[[View, Numbers], None]


def draw_numbers(view: View, numbers: Numbers, draw: Drawing) -> None:
    """Draw the numbers of shapes.

    Args:
        view: what to draw.
        numbers: width * height numbers, from the top left.
        draw: draws a planar view.
    """
    plain = replace(view, effects=NO_EFFECTS, is_smooth=False)
    if view.projection != "planar":
        size = face_size(view)
        faces = np.zeros(6 * size * size, dtype=np.uint32)
        for face, seen in face_views(plain).items():
            draw(seen, faces[face * size * size : (face + 1) * size * size])
        numbers[:] = faces[_on_faces(replace(_centered(plain), exposure=1.0))]
    elif view.effects.has_lens:
        drawn = np.empty_like(numbers)
        draw(plain, drawn)
        effects = view.effects
        numbers[:] = drawn[_through_lens(view.width, view.height, effects.lens, effects.lens_center)]
    else:
        draw(plain, numbers)


def _centered(view: View) -> View:
    """Return the part of a view that decides on the places of directions."""
    origin = (0.0, 0.0, 0.0)
    return replace(view, eye=origin, forward=origin, up=origin, right=origin, hidden_from=0)


def _shares(view_width: int, view_height: int) -> tuple[Floats, Floats]:
    """Return where the centers of pixels are, from the left and from the top (0 to 1)."""
    u, v = np.meshgrid(
        (np.arange(view_width) + 0.5) / view_width, (np.arange(view_height) + 0.5) / view_height
    )
    return u.ravel(), v.ravel()


def _pixels(u: Floats, v: Floats, width: int, height: int) -> NDArray[np.int64]:
    """Return the indices of the pixels at shares of a picture."""
    columns = np.clip(np.floor(u * width), 0, width - 1)
    rows = np.clip(np.floor(v * height), 0, height - 1)
    found: NDArray[np.int64] = (rows * width + columns).astype(np.int64)
    return found


@lru_cache(maxsize=16)
def _on_faces(view: View) -> NDArray[np.int64]:
    """Return where each pixel finds its number on the six faces; see `shaders/sphere.frag`."""
    u, v = _shares(view.width, view.height)
    wide, high = angles(view)
    if view.projection == "cylindrical":
        azimuth, elevation = (0.5 - u) * wide, (0.5 - v) * high
        around = np.cos(elevation)
        x, y, z = around * np.cos(azimuth), around * np.sin(azimuth), np.sin(elevation)
    else:
        radius = np.hypot(0.5 - u, 0.5 - v)
        spread = np.sin(radius * wide) / np.maximum(radius, 1e-9)
        x, y, z = np.cos(radius * wide), (0.5 - u) * spread, (0.5 - v) * spread
    ax, ay, az = np.abs(x), np.abs(y), np.abs(z)
    is_high, is_ahead = (az > ax) & (az > ay), ax >= ay
    choices = [is_high & (z > 0), is_high, is_ahead & (x > 0), is_ahead, y > 0]
    face = np.select(choices, [UP, DOWN, FRONT, BACK, LEFT], RIGHT)
    left = np.select(choices, [y, y, y, -y, -x], x)
    up = np.select(choices, [-x, x, z, z, z], z)
    size = face_size(view)
    scale = 2 * np.maximum(np.maximum(ax, ay), az) * widening(size)
    return face * size * size + _pixels(0.5 - left / scale, 0.5 - up / scale, size, size)


@lru_cache(maxsize=16)
def _through_lens(
    width: int, height: int, lens: tuple[float, ...], center: tuple[float, float]
) -> NDArray[np.int64]:
    """Return the pixel without a lens that each pixel shows; see `shaders/lens.frag`."""
    u, v = _shares(width, height)
    x, y, (k1, k2, p1, p2) = u - center[0], v - center[1], lens
    r = x * x + y * y
    bend = k1 * r + k2 * r * r
    inverse = 1 / (4 * k1 * r + 6 * k2 * r * r + 8 * p1 * y + 8 * p2 * x + 1)
    u = u - inverse * (bend * x + 2 * p1 * x * y + p2 * (r + 2 * x * x))
    v = v - inverse * (bend * y + 2 * p2 * x * y + p1 * (r + 2 * y * y))
    return _pixels(u, v, width, height)
