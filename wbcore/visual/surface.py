"""The look of a surface for a ray: color, roughness and occlusion from the appearance of a Shape.

Source: manual, chapters Appearance, Material, PBRAppearance; rays use the same fields as in Webots.
"""

from __future__ import annotations

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.tree import node_in, number
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.live_textures import NONE_LIVE, LiveTextures
from wbridge.wbcore.visual.texture import Color, texture_of

WHITE: Color = (1.0, 1.0, 1.0)
SEEN = frozenset(
    "baseColor diffuseColor transparency roughness url repeatS repeatT "
    "translation rotation scale center".split()
)
"""Fields of appearances and of the nodes in them that rays see."""


def material_of(world: World, shape: Node, live: LiveTextures = NONE_LIVE) -> _engine.Material:
    """Return what rays see of the appearance of a Shape, with displays on it and the ink over it."""
    material = _without_ink(world, shape, live)
    ink = live.get(shape)
    if ink is not None:
        material.cover(_engine.Texture.of(ink.pixels))
    return material


def _without_ink(world: World, shape: Node, live: LiveTextures) -> _engine.Material:
    appearance = node_in(shape, "appearance")
    if appearance is not None and appearance.is_a("PBRAppearance"):
        return _physical(world, appearance, live)
    if appearance is not None and appearance.is_a("Appearance"):
        return _simple(world, appearance, live)
    return _engine.Material(WHITE)


def _simple(world: World, appearance: Node, live: LiveTextures) -> _engine.Material:
    texture = texture_of(world, appearance, "texture", live)
    material = node_in(appearance, "material")
    color = WHITE
    if material is not None:
        own = WHITE if texture is not None else material.get("diffuseColor")
        color = _faded(own, number(material, "transparency"))
    is_transparent, is_clear = _passes_light(material)
    return _engine.Material(color, texture=texture, is_transparent=is_transparent, is_clear=is_clear)


def _physical(world: World, appearance: Node, live: LiveTextures) -> _engine.Material:
    color = _faded(appearance.get("baseColor"), number(appearance, "transparency"))
    roughness = number(appearance, "roughness")
    texture = texture_of(world, appearance, "baseColorMap", live)
    is_transparent, is_clear = _passes_light(appearance)
    if texture is None:
        return _engine.Material(color, roughness, is_transparent=is_transparent, is_clear=is_clear)
    rough, occluded = (texture_of(world, appearance, name) for name in ("roughnessMap", "occlusionMap"))
    return _engine.Material(color, roughness, texture, rough, occluded, is_transparent, is_clear)


def _passes_light(look: Node | None) -> tuple[bool, bool]:
    """Whether light passes at least in part, and whether all of it does."""
    transparency = 0.0 if look is None else number(look, "transparency")
    return transparency > 0, transparency >= 1


def _faded(color: Color, transparency: float) -> Color:
    left = 1 - transparency
    r, g, b = color
    return (r * left, g * left, b * left)
