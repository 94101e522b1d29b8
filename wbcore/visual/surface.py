"""The look of a surface for a ray: color, roughness and occlusion from the appearance of a Shape.

Source: manual, chapters Appearance, Material, PBRAppearance; rays use the same fields as in Webots.
"""

from __future__ import annotations

from typing import NamedTuple

from wbcore.physics.tree import node_in, number
from wbcore.scene.load import World
from wbcore.scene.node import Node
from wbcore.visual.texture import Color, Texture, texture_of

__all__ = ["WHITE", "Look", "Surface"]

WHITE: Color = (1.0, 1.0, 1.0)


class Look(NamedTuple):
    """The look at one point: color (0 to 1), roughness and occlusion (0 to 1, PBRAppearance only)."""

    color: Color
    roughness: float = 0.0
    occlusion: float = 0.0


class Surface:
    """The appearance of one Shape. `plain` is its look without texture."""

    def __init__(self, world: World, shape: Node) -> None:
        self._texture: Texture | None = None
        self._rough: Texture | None = None
        self._occluded: Texture | None = None
        self.plain = Look(WHITE)
        appearance = node_in(shape, "appearance")
        if appearance is None:
            return
        if appearance.is_a("PBRAppearance"):
            self._read_physical(world, appearance)
        elif appearance.is_a("Appearance"):
            self._read_simple(world, appearance)

    def _read_simple(self, world: World, appearance: Node) -> None:
        self._texture = texture_of(world, appearance, "texture")
        material = node_in(appearance, "material")
        if material is not None:
            color = WHITE if self._texture is not None else material.get("diffuseColor")
            self.plain = Look(_faded(color, number(material, "transparency")))

    def _read_physical(self, world: World, appearance: Node) -> None:
        self._texture = texture_of(world, appearance, "baseColorMap")
        color = _faded(appearance.get("baseColor"), number(appearance, "transparency"))
        self.plain = Look(color, number(appearance, "roughness"))
        if self._texture is not None:
            self._rough = texture_of(world, appearance, "roughnessMap")
            self._occluded = texture_of(world, appearance, "occlusionMap")

    @property
    def is_plain(self) -> bool:
        """True if it looks the same everywhere."""
        return self._texture is None

    def look(self, uv: tuple[float, float] | None) -> Look:
        """Return the look at texture coordinates (from the left, from the top, 0 to 1); None: unknown."""
        plain = self.plain
        if self._texture is None or uv is None:
            return plain
        red, green, blue = self._texture.color(*uv)
        r, g, b = plain.color
        rough = plain.roughness if self._rough is None else self._rough.color(*uv)[0]
        occluded = 0.0 if self._occluded is None else self._occluded.color(*uv)[0]
        return Look((r * red, g * green, b * blue), rough, occluded)


def _faded(color: Color, transparency: float) -> Color:
    left = 1 - transparency
    r, g, b = color
    return (r * left, g * left, b * left)
