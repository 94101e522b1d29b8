"""Background and Fog of a world. Source: manual, chapters Background and Fog, and Webots' conversions."""

from __future__ import annotations

from math import log
from pathlib import Path
from typing import NamedTuple

from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.render.sky import cube_files, light_files
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.skies import GAIN, SKIES

Color = tuple[float, float, float]
_AROUND = {("Viewpoint", "exposure"), ("WorldInfo", "coordinateSystem")}
"""Fields of other nodes that affect it."""
NO_FOG, FOG_TYPES = 0.0, {"LINEAR": 1.0, "EXPONENTIAL": 2.0, "EXPONENTIAL2": 3.0}


class Backdrop(NamedTuple):
    """A sky that people see, which lights nothing."""

    name: str
    """In `SKIES`."""
    gain: float
    """Light of a white pixel."""


class Atmosphere(NamedTuple):
    """What is around the shapes."""

    sky: Color = (0.0, 0.0, 0.0)
    """The color of the sky as given, which is also the light from all sides for PBRAppearance."""
    glow: Color = (0.0, 0.0, 0.0)
    """The light of the sky: displayed with the exposure of the Viewpoint, it has the given color."""
    luminosity: float = 1.0
    fog: Color = (0.0, 0.0, 0.0)
    fog_type: float = NO_FOG
    visibility: float = 1.0
    """The visibility range of the fog (m)."""
    cube: tuple[Path, ...] | None = None
    """The files of the sky box."""
    light: tuple[Path, ...] | None = None
    """The files whose light falls on surfaces; None: the color of the sky."""
    backdrop: Backdrop | None = None
    """Seen in views of people instead of the one color of the sky."""
    is_z_up: bool = True
    """Whether the world's axes are x east, y north, z up; else x north, y up, z east."""


def is_of_atmosphere(node: Node | None, field: str) -> bool:
    """Return whether a changed field affects the atmosphere; None: other nodes are in the tree."""
    if node is None or node.is_a("Background") or node.is_a("Fog"):
        return True
    return (node.root.type, field) in _AROUND


def atmosphere_of(world: World) -> Atmosphere:
    """Return the atmosphere of a world; its first Background and Fog count."""
    made = Atmosphere()
    background, fog, viewpoint = (_first(world, kind) for kind in ("Background", "Fog", "Viewpoint"))
    if background is not None:
        sky = next(iter(background.get("skyColor")), (0.0, 0.0, 0.0))
        exposure = number(viewpoint, "exposure") if _has(viewpoint, "exposure") else 1.0
        luminosity = number(background, "luminosity") if _has(background, "luminosity") else 1.0
        cube = cube_files(world, background)
        made = made._replace(
            sky=sky,
            glow=_glow(sky, exposure or 1.0),
            luminosity=luminosity,
            cube=cube,
            light=light_files(world, background) or cube,
            backdrop=None if cube else _backdrop(world, exposure or 1.0),
            is_z_up=world.coordinate_system == "ENU",
        )
    if fog is not None and number(fog, "visibilityRange") > 0:
        kind = FOG_TYPES.get(str(fog.get("fogType")), NO_FOG)
        made = made._replace(fog=fog.get("color"), fog_type=kind, visibility=number(fog, "visibilityRange"))
    return made


def _backdrop(world: World, exposure: float) -> Backdrop | None:
    """Return the sky that the first Background names by a texture; None if it has one color."""
    node = next((node for node in world.nodes if node.root.is_a("Background")), None)
    if node is None or node.type != "TexturedBackground" or not node.get("skybox"):
        return None
    name = str(node.get("texture"))
    return Backdrop(name, GAIN / exposure) if name in SKIES else None


def _first(world: World, kind: str) -> Node | None:
    return next((node.root for node in world.nodes if node.root.is_a(kind)), None)


def _has(node: Node | None, field: str) -> bool:
    return node is not None and field in node.spec.fields


def _glow(color: Color, exposure: float) -> Color:
    """Return the light that the tone map shows as this color with this exposure."""
    r, g, b = (max(-log(1.000000001 - min(max(c, 0.0), 1.0) ** 2.2), 0.0) / exposure for c in color)
    return r, g, b
