"""Pictures that change during a run and are seen on shapes: displays, and the ink of pens.

A texture is found by its node: an ImageTexture, whose file it replaces, or a Shape, over which ink lies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.physics.tree import node_in, nodes_in
from wbridge.wbcore.scene.node import Node

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAPS = ("texture", "baseColorMap", "emissiveColorMap")
DEPTH = 64


@dataclass(eq=False)
class LiveTexture:
    """Pixels that are written in place."""

    pixels: NDArray[np.uint8]
    """(height, width, 4): red, green, blue, alpha; row 0 is the top."""
    version: int = 0
    """Changes with the pixels."""
    is_translucent: bool = False
    """True if a pixel of a display is not opaque. Ink lies over a surface, which stays as it is."""


class LiveTextures:
    """The live textures of a simulation."""

    def __init__(self) -> None:
        self.version = 0
        """Changes when textures are added or removed, or become translucent or opaque."""
        self.watchers: list[Callable[[], object]] = []
        """Called when `version` changes."""
        self._by_node: dict[Node, LiveTexture] = {}

    def get(self, node: Node | None) -> LiveTexture | None:
        """Return what replaces an ImageTexture, or the ink on a Shape."""
        return self._by_node.get(node) if node is not None else None

    def put(self, node: Node, texture: LiveTexture) -> None:
        """Show a texture on an ImageTexture, or over a Shape."""
        self._by_node[node] = texture
        self._changed()

    def remove(self, node: Node) -> None:
        """Stop showing a live texture."""
        if self._by_node.pop(node, None) is not None:
            self._changed()

    def show_through(self, texture: LiveTexture, is_translucent: bool) -> None:
        """Note whether a texture has pixels that are not opaque."""
        if texture.is_translucent != is_translucent:
            texture.is_translucent = is_translucent
            self._changed()

    def _changed(self) -> None:
        self.version += 1
        for watcher in self.watchers:
            watcher()


NONE_LIVE = LiveTextures()
"""Of a world without displays and pens."""


def textures_below(display: Node) -> list[Node]:
    """Return the ImageTexture nodes of the first child of a Display; it may be a group of shapes."""
    children = nodes_in(display.root, "children")
    first = next(iter(children), None)
    return list(_textures(first.root, 0)) if first is not None else []


def _textures(node: Node, depth: int) -> Iterator[Node]:
    if node.is_a("Shape"):
        appearance = node_in(node, "appearance")
        if appearance is not None:
            maps = (node_in(appearance, name) for name in MAPS if name in appearance.spec.fields)
            yield from (node for node in maps if node is not None)
    elif "children" in node.spec.fields and depth < DEPTH:
        for child in nodes_in(node, "children"):
            yield from _textures(child.root, depth + 1)
