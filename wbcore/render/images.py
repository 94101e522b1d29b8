"""Textures as the renderer needs them: where the pixels come from and how they are sampled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.tree import node_in
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.images import Image, ImageError, read_image
from wbridge.wbcore.visual.live_textures import NONE_LIVE, LiveTexture, LiveTextures
from wbridge.wbcore.visual.texture import texture_file
from wbridge.wbcore.visual.warnings import warn

NO_FILTER, BEST_FILTER = 0, 5
STANDARD = ("protos", "appearances", "textures")
"""The folders of the textures of the standard appearances."""


@dataclass(frozen=True, slots=True)
class TextureUse:
    """A file as a texture; equal uses share one OpenGL texture."""

    path: Path
    modified_ns: int
    is_color: bool
    """True for colors, which are stored as sRGB; False for values."""
    repeat_s: bool
    repeat_t: bool
    filtering: int

    def pixels(self) -> Image:
        """Return the pixels.

        Raises:
            ImageError: the file is not readable.
        """
        return read_image(self.path)

    @property
    def has_relief(self) -> bool:
        """True for the textures of the standard appearances, whose brightness is a height in fine looks."""
        return self.path.parts[-4:-1] == STANDARD

    @property
    def is_translucent(self) -> bool:
        """True if a pixel is not opaque."""
        return _is_translucent(self.path, self.modified_ns)


@lru_cache(maxsize=256)
def _is_translucent(path: Path, modified_ns: int) -> bool:
    return bool((read_image(path)[:, :, 3] < 255).any())


@dataclass(frozen=True, slots=True)
class LiveUse:
    """Pixels that change during a run as a texture, which is not filtered."""

    live: LiveTexture
    is_color: bool
    repeat_s: bool = False
    repeat_t: bool = False
    filtering: int = NO_FILTER
    has_relief: bool = False

    def pixels(self) -> Image:
        """Return the current pixels."""
        return self.live.pixels

    @property
    def is_translucent(self) -> bool:
        """True if its alpha makes the surface transparent."""
        return self.live.is_translucent


AnyTexture = TextureUse | LiveUse


def texture_use(
    world: World, appearance: Node, field: str, is_color: bool, live: LiveTextures = NONE_LIVE
) -> AnyTexture | None:
    """Return the texture in a field of an appearance; None without one or, with a warning, if it cannot be
    read."""
    node = node_in(appearance, field)
    shown = live.get(node)
    if node is not None and shown is not None:
        return LiveUse(shown, is_color, bool(node.get("repeatS")), bool(node.get("repeatT")))
    found = texture_file(world, appearance, field)
    if found is None:
        return None
    node, path = found
    try:
        modified = path.stat().st_mtime_ns
        read_image(path)
    except (ImageError, OSError) as problem:
        warn(world, appearance, str(problem))
        return None
    return TextureUse(
        path, modified, is_color, bool(node.get("repeatS")), bool(node.get("repeatT")), _filtering(node)
    )


def _filtering(node: Node) -> int:
    """Return the field filtering (0 to 5); releases without it have a Boolean `filtering`."""
    if "filtering" not in node.spec.fields:
        return BEST_FILTER - 1
    value = node.get("filtering")
    return min(max(int(value) if value is not True else BEST_FILTER - 1, NO_FILTER), BEST_FILTER)


def uv_transform(appearance: Node, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """Return the matrix (2, 3) that takes texture coordinates through the TextureTransform node, whose
    translation is increased by `shift`.

    Source: manual, chapter TextureTransform: translation, then rotation about the center, then scale.
    """
    node = node_in(appearance, "textureTransform")
    if node is None:
        return np.array([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    transformed = _transform_of(node, shift)
    origin, right, down = (np.array(transformed(place)) for place in ((0, 0), (1, 0), (0, 1)))
    return np.stack([right - origin, down - origin, origin], axis=1)


def _transform_of(
    node: Node, shift: tuple[float, float]
) -> Callable[[tuple[float, float]], tuple[float, float]]:
    made = _engine.Texture.of(np.zeros((1, 1, 4), dtype=np.uint8))
    get = node.get
    x, y = get("translation")
    made.set_transform((x + shift[0], y + shift[1]), get("center"), get("scale"), get("rotation"))
    return made.transformed
