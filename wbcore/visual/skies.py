"""Pictures of the skies that a TexturedBackground names, for views of people: six faces of a cube.

They are made from a few figures, by noise that is the same on every machine.

Source: OpenGL 4.3, table 8.19 (faces of a cube map); the tone map of wbcore/render/shaders/finish.glsl.
"""

from __future__ import annotations

import io
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from wbridge.wbcore.visual.kept_skies import kept_faces

if TYPE_CHECKING:
    from numpy.typing import NDArray

SIZE = 384
"""Pixels along each edge of a face."""
GAIN = 2.75
"""Light of a white pixel: more than 1, since the tone map shows a light of 1 as 0.81 of white."""
QUALITY = 90
HUE = 0.3
"""Share of the differences in hue that the light of a sky keeps, from 0 to 1."""
OCTAVES = 5
Color = tuple[float, float, float]
Numbers: TypeAlias = "NDArray[np.float32]"


class Sky(NamedTuple):
    """What a sky consists of; colors as they are displayed, from 0 to 1."""

    zenith: Color
    horizon: Color
    ground: Color
    clouds: float = 0.0
    """Share of the sky that they cover, from 0 to 1."""
    ridge: float = 0.0
    """How high mountains stand above the horizon (rad)."""
    sun: tuple[float, float, float] | None = None
    """Direction to the sun: east, north, up."""
    sun_color: Color = (1.0, 0.97, 0.9)
    room: bool = False
    """Ceiling, walls and floor instead of sky, horizon and ground."""


_GRASS, _SAND, _STONE = (0.42, 0.46, 0.34), (0.62, 0.58, 0.48), (0.46, 0.45, 0.43)
_WARM = (1.0, 0.8, 0.55)
SKIES = {
    "dawn_cloudy_empty": Sky((0.47, 0.5, 0.6), (0.86, 0.68, 0.55), _STONE, 0.6, 0, (1, -0.02, 0.12), _WARM),
    "dusk": Sky((0.24, 0.26, 0.38), (0.72, 0.48, 0.36), (0.22, 0.2, 0.2), 0.35, 0.05, (0.7, -1, 0.2), _WARM),
    "empty_office": Sky((0.86, 0.85, 0.82), (0.72, 0.7, 0.66), (0.42, 0.4, 0.38), room=True),
    "entrance_hall": Sky((0.78, 0.74, 0.68), (0.66, 0.6, 0.53), (0.36, 0.31, 0.27), room=True),
    "factory": Sky((0.52, 0.53, 0.54), (0.58, 0.58, 0.58), (0.36, 0.36, 0.37), room=True),
    "mars": Sky((0.68, 0.5, 0.36), (0.86, 0.68, 0.5), (0.6, 0.36, 0.22), 0, 0.08, (-0.5, -0.4, 1)),
    "morning_cloudy_empty": Sky((0.45, 0.56, 0.7), (0.84, 0.82, 0.78), _STONE, 0.6, 0, (0.1, -1, 0.8), _WARM),
    "mountains": Sky((0.3, 0.5, 0.78), (0.78, 0.86, 0.92), _GRASS, 0.4, 0.16, (-0.55, 0.6, 1)),
    "music_hall": Sky((0.3, 0.24, 0.2), (0.42, 0.3, 0.24), (0.26, 0.18, 0.14), room=True),
    "noon_building_overcast": Sky((0.66, 0.69, 0.72), (0.8, 0.81, 0.82), _STONE, 0.9, 0.06),
    "noon_cloudy_countryside": Sky((0.4, 0.56, 0.78), (0.82, 0.86, 0.88), _GRASS, 0.6, 0.03, (-0.2, -0.2, 1)),
    "noon_cloudy_empty": Sky((0.44, 0.58, 0.76), (0.84, 0.86, 0.88), _STONE, 0.65, 0, (-0.2, -0.2, 1)),
    "noon_cloudy_mountains": Sky((0.4, 0.55, 0.75), (0.82, 0.85, 0.88), _GRASS, 0.6, 0.2, (0.5, 0, 0.9)),
    "noon_park_empty": Sky((0.3, 0.54, 0.84), (0.78, 0.88, 0.94), _GRASS, 0.3, 0.04, (0.08, 0.02, 1)),
    "noon_stormy_empty": Sky((0.34, 0.37, 0.42), (0.62, 0.64, 0.66), _STONE, 0.85),
    "noon_sunny_empty": Sky((0.26, 0.5, 0.84), (0.78, 0.88, 0.95), _SAND, 0.15, 0, (-0.28, -0.9, 0.59)),
    "noon_sunny_garden": Sky((0.28, 0.52, 0.82), (0.78, 0.88, 0.92), _GRASS, 0.25, 0.05, (-0.3, 0.1, 0.3)),
    "stadium": Sky((0.3, 0.53, 0.84), (0.78, 0.87, 0.93), (0.3, 0.45, 0.26), 0.3, 0.1, (-0.3, 0.1, 1)),
    "stadium_dry": Sky((0.36, 0.54, 0.78), (0.82, 0.86, 0.88), _SAND, 0.3, 0.1, (-0.3, 0.1, 1)),
    "twilight_cloudy_empty": Sky(
        (0.2, 0.22, 0.34), (0.5, 0.44, 0.46), (0.18, 0.17, 0.18), 0.5, 0, (0.7, -1, 0.2), _WARM
    ),
}
"""By the texture's name in a TexturedBackground; suns stand where its light comes from."""


@cache
def sky_faces(name: str) -> tuple[NDArray[np.uint8], ...]:
    """Return the faces in OpenGL's order, each (SIZE, SIZE, 3); a squared pixel times GAIN is light."""
    return kept_faces(name, SIZE, __file__, lambda: _faces_of(SKIES[name]))


def _faces_of(sky: Sky) -> tuple[NDArray[np.uint8], ...]:
    return tuple(_pixels(_room(sky, *way) if sky.room else _outside(sky, *way)) for way in _directions())


@cache
def sky_files(name: str) -> tuple[bytes, ...]:
    """Return the faces as JPEG files."""
    import PIL.Image  # start-up: 14 ms; few runs show a sky

    files = []
    for face in sky_faces(name):
        file = io.BytesIO()
        PIL.Image.fromarray(face).save(file, "JPEG", quality=QUALITY, subsampling=0)
        files.append(file.getvalue())
    return tuple(files)


def light_gains(name: str, color: Color) -> tuple[Color, Color]:
    """Return factors that make light of a sky's squared pixels, whose mean over all directions is a color.

    The first are those of a pixel's own red, green and blue; the second ones, of their sum, keep most of the
    differences in brightness without those in hue, which are too large in a sky that only has to look good.
    """
    mean = _mean_square(name)
    own = tuple(HUE * part / whole for part, whole in zip(color, mean, strict=True))
    gray = tuple((1 - HUE) * part / sum(mean) for part in color)
    return (own[0], own[1], own[2]), (gray[0], gray[1], gray[2])


@cache
def _mean_square(name: str) -> Color:
    """Return the mean over all directions of the squared pixels."""
    steps = (np.arange(SIZE) + 0.5) * 2 / SIZE - 1
    # A pixel is seen at a solid angle of 1 / distance^3.
    share = (1 + steps[:, None] ** 2 + steps[None, :] ** 2) ** -1.5
    light = sum(np.einsum("ij,ijk->k", share, (face / 255.0) ** 2) for face in sky_faces(name))
    red, green, blue = (light / (6 * share.sum())).tolist()
    return red, green, blue


def _directions() -> list[tuple[Numbers, Numbers, Numbers]]:
    """Return the unit vectors of each face's pixels: east, north, up."""
    steps = ((np.arange(SIZE) + 0.5) * 2 / SIZE - 1).astype(np.float32)
    s, t = np.meshgrid(steps, steps)
    full = np.ones_like(s)
    cube = [(full, -t, -s), (-full, -t, s), (s, full, t), (s, -full, -t), (s, -t, full), (-s, -t, -full)]
    size: Numbers = np.sqrt(1 + s * s + t * t, dtype=np.float32)
    return [(-z / size, x / size, y / size) for x, y, z in cube]


def _pixels(color: Numbers) -> NDArray[np.uint8]:
    """Return pixels whose light the tone map shows as a color, see `displayed` in finish.glsl."""
    light = -np.log(1 - np.clip(color, 0, 0.97) ** np.float32(2.2))
    pixels: NDArray[np.uint8] = np.rint(255 * np.sqrt(light / GAIN)).clip(0, 255).astype(np.uint8)
    return pixels


def _outside(sky: Sky, east: Numbers, north: Numbers, up: Numbers) -> Numbers:
    above = np.clip(up, 0, 1)
    color = _mixed(sky.horizon, sky.zenith, above ** np.float32(0.55))
    if sky.sun is not None:
        color = _with_sun(color, sky, east, north, up)
    if sky.clouds:
        color = _with_clouds(color, sky, east, north, above)
    if sky.ridge:
        color = _with_mountains(color, sky, east, north, up)
    # Far ground fades into the haze.
    ground = _mixed(sky.ground, sky.horizon, 0.55 * (1 - _smooth(0.0, 0.12, -up)))
    is_ground = (up < 0)[..., None]
    colors: Numbers = np.where(is_ground, ground, color)
    return colors


def _with_sun(color: Numbers, sky: Sky, east: Numbers, north: Numbers, up: Numbers) -> Numbers:
    assert sky.sun is not None
    toward = np.asarray(sky.sun, np.float32) / np.float32(np.linalg.norm(sky.sun))
    cosine = np.clip(east * toward[0] + north * toward[1] + up * toward[2], 0, 1)
    color = _over(color, sky.sun_color, 0.45 * cosine ** np.float32(24))
    return _over(color, (1.0, 1.0, 0.98), _smooth(0.9990, 0.9996, cosine))


def _with_clouds(color: Numbers, sky: Sky, east: Numbers, north: Numbers, above: Numbers) -> Numbers:
    seen = above > 0.02
    height = above[seen]
    # Clouds lie on a plane above; near the horizon they are far away.
    far = np.float32(1.5) / (height + np.float32(0.14))
    x, y = east[seen] * far, north[seen] * far
    dense = _smooth(1 - sky.clouds - 0.28, 1 - sky.clouds + 0.22, _noise(x, y)) * _smooth(0.02, 0.2, height)
    shade = np.float32(0.35) * _smooth(0.4, 0.9, _noise(x + np.float32(0.12), y + np.float32(0.2), 2))
    white = _mixed(_scaled(sky.horizon, 1.06), _scaled(sky.zenith, 1.1), shade)
    color[seen] += (white - color[seen]) * (np.float32(0.9) * dense)[..., None]
    return color


def _with_mountains(color: Numbers, sky: Sky, east: Numbers, north: Numbers, up: Numbers) -> Numbers:
    seen = (up > -0.01) & (up < 1.3 * sky.ridge)
    height = up[seen]
    level = np.sqrt(1 - height * height)
    x, y = east[seen] / level, north[seen] / level
    # The nearer of two ridges is lower and darker.
    for scale, high, haze, shift in ((2.6, 1.0, 0.62, 7.0), (4.5, 0.55, 0.35, 31.0)):
        noise = _noise(np.float32(scale) * x + np.float32(shift), np.float32(scale) * y + np.float32(shift))
        top = np.float32(sky.ridge * high) * (np.float32(1.3) * noise - np.float32(0.075))
        rock = _mixed(sky.ground, sky.horizon, np.full_like(height, haze))
        blue = _over(rock, (0.42, 0.52, 0.64), np.full_like(height, 0.35))
        color[seen] += (blue - color[seen]) * _smooth(0.0, 0.004, top - height)[..., None]
    return color


def _room(sky: Sky, east: Numbers, north: Numbers, up: Numbers) -> Numbers:
    """The inside of a hall of 24 x 18 x 7 m, seen from 1.5 m above its floor: corners are darker."""
    tiny = np.float32(1e-6)
    half = [np.maximum(np.abs(one), tiny) for one in (east, north)]
    to_wall = np.minimum(12 / half[0], 9 / half[1])
    to_level = np.where(up > 0, 5.5, 1.5) / np.maximum(np.abs(up), tiny)
    is_wall = to_wall < to_level
    high = np.where(is_wall, 1.5 + to_wall * up, np.where(up > 0, 7.0, 0.0))
    edge = np.minimum(np.abs(to_wall - to_level) * np.maximum(np.abs(up), np.float32(0.2)), 2.0)
    walls = _mixed(_scaled(sky.horizon, 0.82), sky.horizon, np.clip(high / 7, 0, 1).astype(np.float32))
    level = np.where(
        (up > 0)[..., None], np.asarray(sky.zenith, np.float32), np.asarray(sky.ground, np.float32)
    )
    color: Numbers = np.where(is_wall[..., None], walls, level) * (0.86 + 0.07 * edge)[..., None]
    return color


# Colors.


def _mixed(low: Color, high: Color, share: Numbers) -> Numbers:
    first, second = np.asarray(low, np.float32), np.asarray(high, np.float32)
    return first + (second - first) * share[..., None]


def _over(color: Numbers, other: Color, share: Numbers) -> Numbers:
    return color + (np.asarray(other, np.float32) - color) * share[..., None]


def _scaled(color: Color, factor: float) -> Color:
    r, g, b = (min(factor * part, 1.0) for part in color)
    return r, g, b


def _smooth(low: float, high: float, x: Numbers) -> Numbers:
    share = np.clip((x - np.float32(low)) / np.float32(high - low), 0, 1)
    smooth: Numbers = share * share * (3 - 2 * share)
    return smooth


# Noise: values of 0 to 1 at the crossings of a grid, smoothly joined; each octave is half as high.


def _noise(x: Numbers, y: Numbers, octaves: int = OCTAVES) -> Numbers:
    total = np.zeros_like(x)
    weight, whole = np.float32(1), np.float32(0)
    for octave in range(octaves):
        total += weight * _values(x, y, octave)
        whole += weight
        weight, x, y = weight / 2, 2 * x, 2 * y
    mean: Numbers = total / whole
    return mean


def _values(x: Numbers, y: Numbers, seed: int) -> Numbers:
    left, low = np.floor(x), np.floor(y)
    across, along = (part * part * (3 - 2 * part) for part in (x - left, y - low))
    i, j = (part.astype(np.int32).view(np.uint32) for part in (left, low))
    first, second = (
        _hashed(i, row, seed) * (1 - across) + _hashed(i + np.uint32(1), row, seed) * across
        for row in (j, j + np.uint32(1))
    )
    joined: Numbers = first + (second - first) * along
    return joined


def _hashed(i: NDArray[np.uint32], j: NDArray[np.uint32], seed: int) -> Numbers:
    bits = i * np.uint32(374761393) + j * np.uint32(668265263) + np.uint32(seed * 97531)
    bits = (bits ^ (bits >> np.uint32(13))) * np.uint32(1274126177)
    low = (bits ^ (bits >> np.uint32(16))) & np.uint32(0xFFFF)
    share: Numbers = low.astype(np.float32) / np.float32(0xFFFF)
    return share
