"""Textures in OpenGL: files, and tables of the shaders."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from wbridge.wbcore.render.context import GlContext
from wbridge.wbcore.render.images import AnyTexture, LiveUse
from wbridge.wbcore.visual.live_textures import LiveTexture

if TYPE_CHECKING:
    from numpy.typing import NDArray

TABLE_SIZE, TABLE_SAMPLES = 32, 256


def texture_name(context: GlContext, use: AnyTexture) -> int:
    """Return the OpenGL texture of a file, or of live pixels as they are now. Call it inside of
    `context.use`."""
    if isinstance(use, LiveUse):
        return _live_name(context, use)
    return context.share(use, lambda: _made(context, use))


def _made(context: GlContext, use: AnyTexture) -> int:
    with context.use() as gl:
        name: int = gl.glGenTextures(1)
        gl.glBindTexture(gl.GL_TEXTURE_2D, name)
        _upload(gl, use)
        far, near = gl.GL_NEAREST, gl.GL_NEAREST
        if use.filtering > 0:
            gl.glGenerateMipmap(gl.GL_TEXTURE_2D)
            far, near = gl.GL_LINEAR_MIPMAP_LINEAR, gl.GL_LINEAR
        for axis, repeats in ((gl.GL_TEXTURE_WRAP_S, use.repeat_s), (gl.GL_TEXTURE_WRAP_T, use.repeat_t)):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, axis, gl.GL_REPEAT if repeats else gl.GL_CLAMP_TO_EDGE)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MIN_FILTER, far)
        gl.glTexParameteri(gl.GL_TEXTURE_2D, gl.GL_TEXTURE_MAG_FILTER, near)
        return name


def _upload(gl: ModuleType, use: AnyTexture) -> None:
    """Copy the pixels into the bound texture."""
    pixels = np.ascontiguousarray(use.pixels())
    height, width = pixels.shape[:2]
    gl.glTexImage2D(
        gl.GL_TEXTURE_2D, 0, gl.GL_RGBA8, width, height, 0, gl.GL_RGBA, gl.GL_UNSIGNED_BYTE, pixels
    )


class _Uploaded(NamedTuple):
    """An OpenGL texture, and which version of the live pixels it shows."""

    name: int
    version: int


def _live_name(context: GlContext, use: LiveUse) -> int:
    """Return the OpenGL texture of live pixels, which are copied when they have changed."""
    known: WeakKeyDictionary[LiveTexture, _Uploaded] = context.share("live", WeakKeyDictionary)
    found = known.get(use.live)
    if found is None:
        found = _Uploaded(_made(context, use), use.live.version)
    elif found.version != use.live.version:
        with context.use() as gl:
            gl.glBindTexture(gl.GL_TEXTURE_2D, found.name)
            _upload(gl, use)
        found = found._replace(version=use.live.version)
    known[use.live] = found
    return found.name


def reflectance_table(context: GlContext) -> int:
    """Return the texture with the reflection of light from all sides, by the cosine of the view and by
    roughness: a factor of the color at normal incidence, and a summand."""
    return context.share("reflectance", lambda: _table_texture(context))


def _table_texture(context: GlContext) -> int:
    with context.use() as gl:
        name: int = gl.glGenTextures(1)
        gl.glBindTexture(gl.GL_TEXTURE_2D, name)
        table = reflectance(TABLE_SIZE, TABLE_SAMPLES).astype(np.float32)
        gl.glTexImage2D(
            gl.GL_TEXTURE_2D, 0, gl.GL_RG32F, TABLE_SIZE, TABLE_SIZE, 0, gl.GL_RG, gl.GL_FLOAT, table
        )
        for axis in (gl.GL_TEXTURE_WRAP_S, gl.GL_TEXTURE_WRAP_T):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, axis, gl.GL_CLAMP_TO_EDGE)
        for kind in (gl.GL_TEXTURE_MIN_FILTER, gl.GL_TEXTURE_MAG_FILTER):
            gl.glTexParameteri(gl.GL_TEXTURE_2D, kind, gl.GL_LINEAR)
        return name


def reflectance(size: int, samples: int) -> NDArray[np.float64]:
    """Return the table (size, size, 2): rows by roughness, columns by the cosine of the view, at the centers
    of texels.

    The split-sum integral over the GGX distribution, with samples of the Hammersley sequence (Karis, Real
    Shading in Unreal Engine 4, 2013).
    """
    centers = (np.arange(size) + 0.5) / size
    rough, view = centers[:, None, None], centers[None, :, None]
    x = np.arange(samples) / samples
    y = np.array([int(f"{i:032b}"[::-1], 2) / 2**32 for i in range(samples)])
    a2 = rough**4
    height = np.sqrt((1 - y) / (1 + (a2 - 1) * y))
    half_x = np.sqrt(1 - height**2) * np.cos(2 * np.pi * x)
    view_x = np.sqrt(1 - view**2)
    cosine = np.maximum(view_x * half_x + view * height, 0)
    light = 2 * cosine * height - view
    k = rough**2 / 2
    shadowing = light / (light * (1 - k) + k) * view / (view * (1 - k) + k)
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = np.where(light > 0, shadowing * cosine / (height * view), 0)
    fresnel = (1 - cosine) ** 5
    return np.stack([((1 - fresnel) * seen).mean(axis=2), (fresnel * seen).mean(axis=2)], axis=2)
