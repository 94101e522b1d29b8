"""The sky box of a Background: six pictures around the world, and the light that comes from them.

Source: manual, chapter Background. Squared pixels are light, as in Webots. Blurred levels of the same cube
map light surfaces: the mean over ever larger areas stands for reflections from ever rougher ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.visual.images import ImageError, read_image
from wbridge.wbcore.visual.radiance import read_radiance
from wbridge.wbcore.visual.skies import Color, light_gains, sky_faces
from wbridge.wbcore.visual.warnings import warn

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "LIGHT_SIZE",
    "backdrop_cube",
    "backdrop_light",
    "cube_files",
    "light_cube",
    "light_files",
    "sky_cube",
]

RADIANCE = ".hdr"
URLS = ("rightUrl", "leftUrl", "topUrl", "bottomUrl", "frontUrl", "backUrl")
"""In OpenGL's order of faces."""
IRRADIANCE_URLS = (
    *("rightIrradianceUrl", "leftIrradianceUrl", "topIrradianceUrl"),
    *("bottomIrradianceUrl", "frontIrradianceUrl", "backIrradianceUrl"),
)
MOST_LIGHT = 6e4
"""The largest number that half floats hold, about."""
LIGHT_SIZE = 128
"""Width of the largest level of the cube map that lights surfaces."""
Files = tuple[Path, ...]


def cube_files(world: World, background: Node | None) -> Files | None:
    """Return the files of a sky box; None without one or, with a warning, if they cannot be used."""
    return None if background is None else _files(world, background, URLS, "no sky box", read_image)


def light_files(world: World, background: Node | None) -> Files | None:
    """Return the Radiance files whose light replaces that of the sky box; None without any or, with a
    warning, if they cannot be used."""
    if background is None or IRRADIANCE_URLS[0] not in background.spec.fields:
        return None
    return _files(world, background, IRRADIANCE_URLS, "the sky lights by its own colors", read_radiance)


def _files(
    world: World,
    background: Node,
    names: Sequence[str],
    otherwise: str,
    read: Callable[[Path], NDArray[np.generic]],
) -> Files | None:
    urls = [next(iter(background.get(name)), "") for name in names]
    if not any(urls):
        return None
    found = [find_asset(world, background, url.replace("\\", "/")) for url in urls]
    missing = [
        f"{name} '{url}' not found" if url else f"{name} is empty"
        for name, url, path in zip(names, urls, found, strict=True)
        if path is None
    ]
    if missing:
        warn(world, background, f"{otherwise}: {missing[0]}")
        return None
    files = tuple(path for path in found if path is not None)
    try:
        shapes = {read(path).shape for path in files}
    except ImageError as problem:
        warn(world, background, f"{otherwise}: {problem}")
        return None
    if len(shapes) > 1 or any(shape[0] != shape[1] for shape in shapes):
        warn(world, background, f"{otherwise}: the six pictures are not squares of one size")
        return None
    return files


def sky_cube(context: GlContext, files: Files) -> int:
    """Return the cube map that is drawn as sky."""
    return context.share(("sky", files), lambda: _cube(context, [read_image(path) for path in files]))


def backdrop_cube(context: GlContext, name: str) -> int:
    """Return the cube map of a sky in `SKIES`."""

    def make() -> int:
        opaque = np.uint8(255)
        return _cube(context, [np.insert(face, 3, opaque, axis=2) for face in sky_faces(name)])

    return context.share(("backdrop", name), make)


def backdrop_light(context: GlContext, name: str, color: Color) -> int:
    """Return the cube map with the light of a sky in `SKIES`, whose mean is a color."""

    def make() -> int:
        light = [_sized(np.square(face.astype(np.float32) / 255)) for face in sky_faces(name)]
        own, gray = np.asarray(light_gains(name, color), np.float32)
        return _cube(context, [face * own + face.sum(axis=2, keepdims=True) * gray for face in light])

    return context.share(("backdrop light", name, color), make)


def light_cube(context: GlContext, files: Files) -> int:
    """Return the cube map that lights surfaces, with blurred levels: of Radiance files or a sky box."""
    return context.share(("sky light", files), lambda: _cube(context, [_light(file) for file in files]))


def _light(path: Path) -> NDArray[np.float32]:
    """Return the light of a face, (LIGHT_SIZE, LIGHT_SIZE, 3), as means over areas."""
    if path.suffix.lower() == RADIANCE:
        return _sized(np.minimum(read_radiance(path), np.float32(MOST_LIGHT)))
    return _sized(np.square(read_image(path)[:, :, :3].astype(np.float32) / 255))


def _sized(light: NDArray[np.float32]) -> NDArray[np.float32]:
    size = light.shape[0]
    if size >= LIGHT_SIZE:
        edges = np.arange(LIGHT_SIZE) * size // LIGHT_SIZE
        counts = np.diff(np.append(edges, size)).astype(np.float32)
        for axis in (0, 1):
            light = np.add.reduceat(light, edges, axis=axis)
        light /= (counts[:, None] * counts[None, :])[:, :, None]
        return light
    nearest = np.arange(LIGHT_SIZE) * size // LIGHT_SIZE
    enlarged: NDArray[np.float32] = light[nearest][:, nearest]
    return enlarged


def _cube(context: GlContext, faces: Sequence[NDArray[np.generic]]) -> int:
    with context.use() as gl:
        name: int = gl.glGenTextures(1)
        gl.glBindTexture(gl.GL_TEXTURE_CUBE_MAP, name)
        for i, pixels in enumerate(faces):
            is_light = pixels.dtype == np.float32
            inner = gl.GL_RGBA16F if is_light else gl.GL_RGBA8
            kind = gl.GL_RGBA
            if is_light:  # OpenGL ES draws smaller levels only of four channels
                pixels = np.insert(pixels, 3, np.float32(1), axis=2)
            type_ = gl.GL_FLOAT if is_light else gl.GL_UNSIGNED_BYTE
            height, width = pixels.shape[:2]
            place = gl.GL_TEXTURE_CUBE_MAP_POSITIVE_X + i
            gl.glTexImage2D(place, 0, inner, width, height, 0, kind, type_, np.ascontiguousarray(pixels))
        gl.glGenerateMipmap(gl.GL_TEXTURE_CUBE_MAP)
        gl.glEnable(gl.GL_TEXTURE_CUBE_MAP_SEAMLESS)
        gl.glTexParameteri(gl.GL_TEXTURE_CUBE_MAP, gl.GL_TEXTURE_MIN_FILTER, gl.GL_LINEAR_MIPMAP_LINEAR)
        gl.glTexParameteri(gl.GL_TEXTURE_CUBE_MAP, gl.GL_TEXTURE_MAG_FILTER, gl.GL_LINEAR)
        return name
