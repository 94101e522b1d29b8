"""Colors of textures: ImageTexture and TextureTransform as rays use them."""

from __future__ import annotations

import logging
import math

from wbcore.physics.tree import node_in, node_path
from wbcore.scene.load import World
from wbcore.scene.node import Node
from wbcore.scene.textures import find_asset
from wbcore.visual.images import Image, ImageError, read_image

__all__ = ["Color", "Texture", "texture_of"]

_LOG = logging.getLogger(__name__)
Color = tuple[float, float, float]


class Texture:
    """An image on a surface. Coordinates are from the left and from the top, 0 to 1."""

    def __init__(self, pixels: Image, node: Node, transform: Node | None) -> None:
        self._pixels = pixels
        self._repeat = (bool(node.get("repeatS")), bool(node.get("repeatT")))
        self._transform = transform

    def color(self, u: float, v: float) -> Color:
        """Return the color (0 to 1) of the pixel at texture coordinates."""
        u, v = self.transformed(u, v)
        height, width = self._pixels.shape[:2]
        column = min(int(_within(u, self._repeat[0]) * width), width - 1)
        row = min(int(_within(v, self._repeat[1]) * height), height - 1)
        red, green, blue, _ = self._pixels[row, column].tolist()
        return (red / 255, green / 255, blue / 255)

    def transformed(self, u: float, v: float) -> tuple[float, float]:
        """Apply translation, then rotation and scale about the center (manual, chapter TextureTransform).

        The node uses VRML coordinates, which start at the bottom.
        """
        if self._transform is None:
            return u, v
        get = self._transform.get
        (tx, ty), (cx, cy), (sx, sy), angle = get("translation"), get("center"), get("scale"), get("rotation")
        x, y = u + tx + cx, 1 - v + ty + cy
        c, s = math.cos(angle), math.sin(angle)
        return sx * (c * x - s * y) - cx, 1 - sy * (s * x + c * y) + cy


def _within(value: float, repeat: bool) -> float:
    if not math.isfinite(value):
        return 0.0
    return value % 1.0 if repeat else min(max(value, 0.0), 1.0)


def texture_of(world: World, appearance: Node, field: str) -> Texture | None:
    """Return the texture in a field of an appearance; None without one or, with a warning, if it is
    missing."""
    node = node_in(appearance, field)
    url = next(iter(node.get("url")), "") if node is not None else ""
    if node is None or not url:
        return None
    path = find_asset(world, node, url.replace("\\", "/"))
    if path is None:
        _LOG.warning("warning: %s: texture '%s' not found", node_path(appearance), url)
        return None
    try:
        return Texture(read_image(path), node, node_in(appearance, "textureTransform"))
    except ImageError as problem:
        _LOG.warning("warning: %s: %s", node_path(appearance), problem)
        return None
