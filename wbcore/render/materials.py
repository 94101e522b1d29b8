"""Appearances as the shaders read them: one record of numbers per appearance, and its textures.

Source: manual, chapters Appearance, Material, PBRAppearance, and the conversions of Webots: colors are sRGB
and become linear, but not PBRAppearance.emissiveColor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wbridge.wbcore.physics.tree import node_in, number
from wbridge.wbcore.render.grid_colors import grid_colors
from wbridge.wbcore.render.images import AnyTexture, LiveUse, texture_use, uv_transform
from wbridge.wbcore.render.single import single
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.live_textures import NONE_LIVE, LiveTextures

if TYPE_CHECKING:
    from numpy.typing import NDArray

TEXELS = 6
"""Texels of four numbers per record."""
SHINE = 128
"""Exponent of the highlight for a shininess of 1."""
MAPS = ("base", "roughness", "metalness", "occlusion", "normal", "emissive", "ink")
"""The texture units of the shaders, in this order."""
PHONG, SHINY, PHYSICAL = "phong", "shiny", "physical"
WHITE = (1.0, 1.0, 1.0)
BLACK = (0.0, 0.0, 0.0)
Color = tuple[float, float, float]


class Group(NamedTuple):
    """What is drawn with the same program and textures."""

    kind: str
    """PHONG, SHINY (with highlights) or PHYSICAL (a PBRAppearance)."""
    textures: tuple[AnyTexture | None, ...]
    """By unit."""
    corners: int = 3
    """Vertices per element: 3 for triangles, 2 for lines, 1 for points."""

    @property
    def has_relief(self) -> bool:
        """True if the brightness of the base color is a height in fine looks."""
        base = self.textures[0] if self.textures else None
        return self.kind == PHYSICAL and base is not None and base.has_relief


@dataclass(frozen=True, eq=False, slots=True)
class Surface:
    """A record (TEXELS, 4), the textures by unit, and how it is drawn."""

    record: NDArray[np.float32]
    textures: tuple[AnyTexture | None, ...]
    kind: str
    is_transparent: bool
    is_invisible: bool = False


def linear(color: Color) -> Color:
    """Convert an sRGB color (0 to 1) to linear values."""
    r, g, b = (c / 12.92 if c < 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in color)
    return r, g, b


def surface_of(world: World, shape: Node, live: LiveTextures = NONE_LIVE) -> Surface:
    """Return the surface of a Shape. Without a material it is white and does not depend on light."""
    appearance = node_in(shape, "appearance")
    if appearance is not None and appearance.is_a("PBRAppearance"):
        made = _physical(world, appearance, live)
    else:
        made = _simple(world, appearance, grid_colors(node_in(shape, "geometry")), live)
    ink = live.get(shape)
    if ink is None:
        return made
    below = made.textures + (None,) * (len(MAPS) - 1 - len(made.textures))
    return replace(made, textures=(*below, LiveUse(ink, is_color=True)))


def _record(rows: list[tuple[float, ...]], transform: NDArray[np.float64] | None) -> NDArray[np.float32]:
    record = np.zeros((TEXELS, 4), dtype=np.float32)
    for texel, row in zip(record, rows, strict=False):
        texel[: len(row)] = single(row)
    record[4:6, :3] = ((1, 0, 0), (0, 1, 0)) if transform is None else single(transform)
    return record


def _simple(
    world: World,
    appearance: Node | None,
    grid: tuple[AnyTexture, NDArray[np.float64]] | None,
    live: LiveTextures,
) -> Surface:
    """Return a Phong surface: diffuse and opacity; ambient; specular and exponent; emissive.

    Without a texture, the colors of a grid replace the diffuse color.
    """
    material = node_in(appearance, "material") if appearance is not None else None
    texture = texture_use(world, appearance, "texture", material is not None, live) if appearance else None
    transform = None if appearance is None else uv_transform(appearance)
    if texture is None and grid is not None and material is not None:
        texture, transform = grid
    opacity, diffuse, ambient, specular, emissive, exponent = 1.0, BLACK, BLACK, BLACK, WHITE, 1.0
    if material is not None:
        opacity = 1 - number(material, "transparency")
        share = number(material, "ambientIntensity")
        color = WHITE if texture is not None else material.get("diffuseColor")
        diffuse, emissive = linear(color), linear(material.get("emissiveColor"))
        ambient = linear((share * color[0], share * color[1], share * color[2]))
        if texture is None:
            specular = linear(material.get("specularColor"))
            exponent = SHINE * number(material, "shininess")
    rows = [(*diffuse, opacity), ambient, (*specular, exponent), emissive]
    record = _record(rows, transform)
    textures = (texture,) if texture is not None else ()
    transparent = opacity < 1 or (texture is not None and texture.is_translucent)
    kind = SHINY if any(specular) else PHONG
    return Surface(record, textures, kind, transparent, opacity <= 0)


def _physical(world: World, appearance: Node, live: LiveTextures) -> Surface:
    """Return a physically based surface: base color and opacity; roughness, metalness, normal and occlusion
    strength; emissive light and the strength of image-based light."""
    opacity = 1 - number(appearance, "transparency")
    base, rough, metal, occluded, normal, glow = (
        texture_use(world, appearance, f"{name}Map", name == "baseColor", live)
        for name in ("baseColor", "roughness", "metalness", "occlusion", "normal", "emissiveColor")
    )
    glowing, strength = appearance.get("emissiveColor"), number(appearance, "emissiveIntensity")
    if glow is not None:
        glowing = WHITE
    rows = [
        (*linear(appearance.get("baseColor")), opacity),
        tuple(
            number(appearance, name)
            for name in ("roughness", "metalness", "normalMapFactor", "occlusionMapStrength")
        ),
        (0.0, 0.0, 0.0, number(appearance, "IBLStrength")),
        tuple(channel * strength for channel in glowing),
    ]
    textures: tuple[AnyTexture | None, ...] = (base, rough, metal, occluded, normal, glow)
    while textures and textures[-1] is None:
        textures = textures[:-1]
    transparent = opacity < 1 or (base is not None and base.is_translucent)
    return Surface(_record(rows, uv_transform(appearance)), textures, PHYSICAL, transparent, opacity <= 0)
