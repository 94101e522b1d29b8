"""Changes at run time reach pictures, pages and rays, at each place where a node is used.

Judge: a world that is loaded with the new value. What such a world shows is judged by formulas elsewhere
(test_light.py, test_textures.py); a few changes are judged by formulas here, too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import exp
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from PIL import Image

from tests.render.formulas import linear, shown
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.values import VecArray
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.view.scene_view import SceneView

WORLD = """#VRML_SIM R2023b utf8
WorldInfo {{ basicTimeStep 16 }}
DEF VIEW Viewpoint {{ }}
DEF SKY Background {{ skyColor [ 0.2 0.4 0.6 ] }}
DEF SUN DirectionalLight {{ direction 1 0.3 -0.5 ambientIntensity 0.3 }}
{nodes}
Robot {{ controller "<none>" children [ Camera {{ name "camera" width 64 height 48 }} ] }}
"""
PAIR = "Pose {{ translation 3 0.8 0 children [ {} ] }} Pose {{ translation 3 -0.8 0 children [ {} ] }}"
FOG = 'DEF FOG Fog { color 1 0 0 fogType "LINEAR" visibilityRange 5 }'
PLAIN = "Shape { appearance PBRAppearance { metalness 0 } geometry Box { } }"
PLAINS, WITH_FOG = PAIR.format(PLAIN, ""), FOG + PAIR.format(PLAIN, "")
TEXTURED = (
    "Shape {{ appearance PBRAppearance {{ metalness 0 baseColorMap {} textureTransform {} }} "
    "geometry Box {{ }} }}"
)
LOOK = "Shape {{ appearance {} geometry Box {{ }} }}"
MATERIAL = "Shape {{ appearance Appearance {{ material {} }} geometry Box {{ }} }}"
FACES = "Shape {{ geometry IndexedFaceSet {{ coord {} coordIndex [ 0 2 1 -1 ] }} }}"
TRIANGLE = "Coordinate { point [ 0 -0.5 -0.5 0 0.5 -0.5 0 0 0.5 ] }"
GRID = (
    "Shape {{ appearance Appearance {{ material Material {{ }} }} geometry ElevationGrid {{ xDimension 3 "
    "yDimension 3 xSpacing 0.5 ySpacing 0.5 color {} height [ 0 0 0 0 0.4 0 0 0 0 ] }} }}"
)
POINTS = "Shape {{ geometry PointSet {{ coord Coordinate {{ point [ 0 0 0 ] }} color {} }} }}"
TILE, SHIFT = ("NODE", 'ImageTexture { url [ "a.png" ] }'), ("SHIFT", "TextureTransform { scale 2 2 }")
LAMP = "SpotLight { attenuation 1 0 0 direction 1 0 -0.3 }"
STAND = "DEF FRAME Pose {{ translation 0 0 1 children [ {} ] }}"
LAMPS = "Pose {{ translation -3 0 1 children [ {} ] }}"
MOVED = "Group {{ children [ DEF FRAME Pose {{ children [ {} ] }} ] }}"


def pair(text: str, *nodes: tuple[str, str]) -> str:
    """Two shapes that share nodes: name and text of each."""
    first = text.format(*(f"DEF {name} {node}" for name, node in nodes))
    return PAIR.format(first, text.format(*(f"USE {name}" for name, _ in nodes)))


def vectors(*rows: tuple[float, ...]) -> VecArray:
    return VecArray(3, rows)


class Change(NamedTuple):
    """A field of a node with a DEF name that gets another value."""

    nodes: str
    node: str
    field: str
    value: object


RED, FLAT = (1.0, 0.0, 0.0), (1.0, 0.3, 0.3)
CHANGES = {
    "sky": Change(PLAINS, "SKY", "skyColor", vectors((0.9, 0.1, 0.1))),
    "luminosity": Change(PLAINS, "SKY", "luminosity", 0.3),
    "exposure": Change(PLAINS, "VIEW", "exposure", 0.3),
    "fog color": Change(WITH_FOG, "FOG", "color", (0.0, 1.0, 0.0)),
    "fog type": Change(WITH_FOG, "FOG", "fogType", "EXPONENTIAL"),
    "fog range": Change(WITH_FOG, "FOG", "visibilityRange", 3.1),
    "no fog": Change(WITH_FOG, "FOG", "visibilityRange", 0.0),
    "light": Change(PLAINS, "SUN", "color", (0.0, 1.0, 0.0)),
    "lamps": Change(
        pair(LAMPS, ("LAMP", LAMP)) + PAIR.format(PLAIN, PLAIN), "LAMP", "direction", (1.0, 0.3, -0.3)
    ),
    "frame of a lamp": Change(STAND.format(LAMP) + PLAINS, "FRAME", "translation", (1.0, 0.5, 1.0)),
    "Material": Change(pair(MATERIAL, ("NODE", "Material { }")), "NODE", "diffuseColor", RED),
    "transparency": Change(pair(MATERIAL, ("NODE", "Material { }")), "NODE", "transparency", 0.6),
    "Appearance": Change(pair(LOOK, ("NODE", "PBRAppearance { metalness 0 }")), "NODE", "baseColor", RED),
    "url": Change(pair(TEXTURED, TILE, SHIFT), "NODE", "url", ["b.png"]),
    "filtering": Change(pair(TEXTURED, TILE, SHIFT), "NODE", "filtering", 0),
    "repeatS": Change(pair(TEXTURED, TILE, SHIFT), "NODE", "repeatS", False),
    "TextureTransform": Change(pair(TEXTURED, TILE, SHIFT), "SHIFT", "scale", (1.0, 3.0)),
    "geometry": Change(pair("Shape {{ geometry {} }}", ("NODE", "Box { }")), "NODE", "size", FLAT),
    "Coordinate": Change(
        pair(FACES, ("NODE", TRIANGLE)), "NODE", "point", vectors((0, -0.5, -0.5), (0, 0.5, -0.5), (0, 0, 0))
    ),
    "Color": Change(
        pair(POINTS, ("NODE", "Color { color [ 1 0 0 ] }")), "NODE", "color", vectors((0, 1, 0))
    ),
    "Color of a grid": Change(
        pair(GRID, ("NODE", "Color { color [ 1 0 0 0 0 1 ] }")), "NODE", "color", vectors((0, 1, 0), RED)
    ),
    "Shape": Change(pair("{}", ("NODE", "Shape { geometry DEF BOX Box { } }")), "BOX", "size", FLAT),
    "a group": Change(pair("{}", ("NODE", MOVED.format(PLAIN))), "FRAME", "translation", (0.0, 0.0, 1.5)),
    "in a group": Change(
        pair("{}", ("NODE", MOVED.format(MATERIAL.format("DEF INNER Material { }")))),
        "INNER", "diffuseColor", RED,
    ),
}  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A world file that is not written, beside two textures."""
    for number, name in enumerate(("a.png", "b.png")):
        pixels = np.random.default_rng(number).integers(0, 255, (8, 8, 3), dtype=np.uint8)
        Image.fromarray(pixels).save(tmp_path / name)
    return str(tmp_path / "world.wbt")


def simulation(change: Change, path: str, is_changed: bool = False) -> Simulation:
    world = load_text(WORLD.format(nodes=change.nodes), path)
    assert world.report.errors == []
    if is_changed:
        world.find(change.node).set(change.field, change.value)
    return Simulation(world)


def picture(of: Simulation) -> np.ndarray:
    (camera,) = of.robots.list[-1].devices
    pixels = np.zeros(64 * 48 * 4, dtype=np.uint8)
    of.renderer.follow()
    camera.capture(pixels, 0.016)
    return pixels


def described(view: SceneView) -> Any:
    return json.loads(json.dumps(view.describe()))


def followed(description: Any, view: SceneView, changes: Mapping[str, Any]) -> Any:
    """What a page shows after messages, by the rules of docs/scene-description.md."""
    if "scene" in changes:
        description = json.loads(view.file(changes["scene"]) or "")
    for key, message in changes.items():
        what, _, number = key.partition(" ")
        if what == "surface":
            description["surfaces"][int(number)] = message
        elif what == "place":
            description["shapes"][int(number)]["place"] = message
        elif what != "scene":
            description[what] = message
    return description


@pytest.mark.parametrize("case", CHANGES)
def test_pictures_are_those_of_a_world_with_the_new_value(case: str, path: str):
    change = CHANGES[case]
    of = simulation(change, path)
    before = picture(of)
    of.set_field(of.world.find(change.node), change.field, change.value)
    after = picture(of)
    assert (after != before).any(), "the change is visible"
    assert (after == picture(simulation(change, path, is_changed=True))).all()


@pytest.mark.parametrize("case", CHANGES)
def test_pages_get_the_description_of_a_world_with_the_new_value(case: str, path: str):
    change = CHANGES[case]
    of = simulation(change, path)
    view = SceneView(of)
    description = described(view)
    of.set_field(of.world.find(change.node), change.field, change.value)
    description = followed(description, view, view.changes())
    assert description == described(SceneView(simulation(change, path, is_changed=True)))
    assert view.changes() == {}


def test_a_new_sky_has_its_color(studio):
    studio.load("DEF SKY Background { skyColor [ 1 0 0 ] }")
    studio.take()
    studio.set("SKY", "skyColor", vectors((0.2, 0.4, 0.6)))
    assert studio.take()[16, 16].tolist() == pytest.approx([51, 102, 153], abs=1)


def test_new_fog_hides_by_its_formula(studio):
    """The share of the fog is (1 - f)^2.2, with f = exp(-distance / range)."""
    wall = (
        "Pose { translation 3 0 0 children [ Shape { appearance Appearance { material Material { "
        "emissiveColor 1 1 1 } } geometry Box { size 2 9 9 } } ] }"
    )
    studio.load(wall + 'DEF FOG Fog { color 1 1 1 fogType "EXPONENTIAL" visibilityRange 1 }')
    studio.take()
    for field, value in (("color", (0.0, 0.0, 0.0)), ("visibilityRange", 4.0)):
        studio.set("FOG", field, value)
    share = (1 - exp(-2 / 4)) ** 2.2
    assert studio.take()[16, 16].tolist() == pytest.approx([shown(1 - share)] * 3, abs=1)


def test_a_shared_material_has_its_new_color_everywhere(studio):
    studio.load(pair(MATERIAL, ("NODE", "Material { diffuseColor 0 0 0 }")))
    studio.take()
    studio.set("NODE", "emissiveColor", (1.0, 0.5, 0.0))
    taken, wanted = studio.take(), [shown(1), shown(linear(0.5)), 0]
    for column in (9, 23):
        assert taken[16, column].tolist() == pytest.approx(wanted, abs=1)


def test_infrared_rays_see_the_new_color_of_each_copy():
    """Judge: manual, DistanceSensor: infra-red sensors get less light back from dark and green objects."""
    sensors = "".join(
        f'Robot {{ controller "<none>" name "{y}" translation 0 {y} 0 children [ DistanceSensor {{ '
        f'type "infra-red" lookupTable [ 0 0 0 10 10 0 ] numberOfRays 1 aperture 0.1 }} ] }}'
        for y in (0.8, -0.8)
    )
    nodes = pair(MATERIAL, ("NODE", "Material { diffuseColor 1 0 0 }")) + sensors
    of = Simulation(load_text(WORLD.format(nodes=nodes), "test.wbt"))
    measured = [robot.devices[0] for robot in of.robots.list[:2]]
    for sensor in measured:
        sensor.enabled(16)
    of.step()
    near = [sensor.measure(0.016)[0] for sensor in measured]
    of.set_field(of.world.find("NODE"), "diffuseColor", (0.0, 1.0, 0.0))
    far = [sensor.measure(0.016)[0] for sensor in measured]
    assert near[0] == near[1] < far[0] == far[1]
