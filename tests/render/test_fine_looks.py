"""Fine looks: the tone map, soft shadows, and the light of a sky.

Judges: Narkowicz's curve as published; geometry of shadows; means over directions.
"""

from __future__ import annotations

from math import tan

import numpy as np
import pytest
from PIL import Image

from tests.render.conftest import Picture, Studio
from tests.render.formulas import shown
from wbridge.wbcore.visual.skies import light_gains, sky_faces

FACTOR = 0.7
SIZE = (200, 120)
BLACK = "baseColor 0 0 0 roughness 1 metalness 0"
SHADOWS = "castShadows TRUE intensity 2"
ABOVE = {
    "directional": f"DirectionalLight {{ direction 0 0 -1 {SHADOWS} }}",
    "spot": f"SpotLight {{ location 3 0 3 direction 0 0 -1 cutOffAngle 1 beamWidth 1 radius 30 {SHADOWS} }}",
    "point": f"PointLight {{ location 3 0 3 radius 30 {SHADOWS} }}",
}
SCENE = """
Solid { translation 3 0 -1 children [ Shape { appearance Appearance { material Material { } }
  geometry Box { size 8 8 0.1 } } ] }
Solid { translation 3 0 1 children [ Shape { geometry Box { size 1 1 0.1 } } ] }
"""


def filmed(light: float, exposure: float = 1.0) -> float:
    """The displayed value (0 to 255) of light."""
    x = FACTOR * light * exposure
    return float(255 * min((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 1) ** (1 / 2.2))


def taken(studio: Studio, is_fine: bool = True) -> Picture:
    studio.simulation.has_fine_cameras = is_fine
    studio.camera.simulation.edits.looks += 1  # the camera reads its settings anew
    return studio.take()


@pytest.mark.parametrize("light", [0.01, 0.1, 0.4, 1.0, 3.0])
@pytest.mark.parametrize("more", ["", "bloomThreshold 1000 exposure 1.5"])
def test_light_is_shown_as_by_film(studio: Studio, light: float, more: str):
    """Directly, and with an effect that works on light before the tone map."""
    glow = f"PBRAppearance {{ {BLACK} emissiveColor 1 1 1 emissiveIntensity {light} }}"
    shape = f"Shape {{ appearance {glow} geometry Box {{ size 0.1 9 9 }} }}"
    wall = f"Solid {{ translation 2 0 0 children [ {shape} ] }}"
    exposure = 1.5 if more else 1.0
    studio.load(wall + "Background { skyColor [ 0 0 0 ] }", more)
    assert taken(studio, False)[16, 16].tolist() == pytest.approx([shown(light, exposure)] * 3, abs=1.5)
    assert taken(studio)[16, 16].tolist() == pytest.approx([filmed(light, exposure)] * 3, abs=1.5)


def test_the_sky_is_shown_as_by_film(studio: Studio):
    studio.load("Background { skyColor [ 0.2 0.5 0.8 ] }")
    assert taken(studio, False)[16, 16].tolist() == pytest.approx([51, 127.5, 204], abs=1)
    light = [-np.log(1 - part**2.2) for part in (0.2, 0.5, 0.8)]
    assert taken(studio)[16, 16].tolist() == pytest.approx([filmed(part) for part in light], abs=1)


@pytest.mark.parametrize("kind", ABOVE)
def test_shadows_have_soft_edges(studio: Studio, kind: str):
    """Across the edge of a shadow light grows in small steps; far from it nothing has changed."""
    studio.load(SCENE + ABOVE[kind], "fieldOfView 1.2", size=SIZE)
    floor = round(60 + 100 / tan(0.6) / 3)
    plain, fine = (taken(studio, is_fine)[floor, 100:, 0] for is_fine in (False, True))
    edge = int(np.argmax(np.diff(plain)))
    assert plain[edge - 12] == plain[0] < 5
    assert np.diff(plain).max() > 40
    rises = np.diff(fine[max(edge - 12, 0) : edge + 13])
    assert rises.min() >= -2
    assert (rises > 3).sum() > (np.diff(plain) > 3).sum(), "the light grows over more pixels"
    assert fine[0] < 5


@pytest.mark.parametrize("width", [4, 30])
def test_shadows_of_small_bodies_are_sharp_on_large_floors(studio: Studio, width: float):
    """A texel of a map is a part of what casts shadows, not of the floor: 20 cm are dark to the edges."""
    look = "appearance Appearance { material Material { } }"
    floor = f"Shape {{ {look} geometry Plane {{ size {width} {width} }} }}"
    card = "Solid { translation 3 0 1 children [ Shape { geometry Box { size 0.2 0.2 0.02 } } ] }"
    sky = "Background { skyColor [ 0 0 0 ] }"
    studio.load(f"Solid {{ translation 3 0 -1 children [ {floor} ] }}" + card + sky + ABOVE["directional"],
                "fieldOfView 0.8", size=(400, 400))  # fmt: skip
    row = taken(studio)[200 + round(200 / tan(0.4) / 3), :, 0].astype(int)
    dark = (row < (row[0] + row[200]) / 2).sum()
    assert row[200] < 5
    assert dark == pytest.approx(0.2 / 3 * 200 / tan(0.4), abs=2)
    assert (np.abs(np.diff(row)) > 2).sum() < 12, "edges are narrow"


@pytest.mark.parametrize(("folder", "has_relief"), [("protos/appearances/textures", True), ("own", False)])
def test_standard_textures_have_relief(studio: Studio, folder: str, has_relief: bool):
    """A slope upward to the right is brighter in light from the left; of other textures nothing is known."""
    steps = np.linspace(60, 200, 64).astype(np.uint8)
    path = studio.folder / folder / "slope.png"
    path.parent.mkdir(parents=True)
    Image.fromarray(np.tile(steps, (64, 1))).save(path)
    look = f'PBRAppearance {{ baseColorMap ImageTexture {{ url "{path}" }} roughness 1 metalness 0 }}'
    form = "geometry Box { size 0.1 1 1 }"
    wall = f"Solid {{ translation 2 0 0 children [ Shape {{ appearance {look} {form} }} ] }}"
    middle = []
    for y in (-1, 1):
        light = f"DirectionalLight {{ direction 1 {y} 0 intensity 2 }}"
        studio.load(wall + light + "Background { skyColor [ 0 0 0 ] }", "fieldOfView 0.3")
        middle.append([int(taken(studio, is_fine)[16, 16, 0]) for is_fine in (False, True)])
    (plain_left, fine_left), (plain_right, fine_right) = middle
    assert plain_left == pytest.approx(plain_right, abs=1)
    if has_relief:
        assert fine_left > fine_right + 3
    else:
        assert fine_left == pytest.approx(fine_right, abs=1)


@pytest.mark.parametrize("name", ["noon_sunny_empty", "empty_office"])
def test_the_light_of_a_sky_has_the_color_of_the_background(name: str):
    """The mean over random directions."""
    color = (0.4, 0.5, 0.7)
    ways = np.random.default_rng(3).normal(size=(20000, 3))
    axis = np.abs(ways).argmax(axis=1)
    size = sky_faces(name)[0].shape[0]
    total = np.zeros(3)
    for face, pixels in enumerate(sky_faces(name)):
        here = ways[(axis == face // 2) & ((ways[np.arange(len(ways)), axis] < 0) == face % 2)]
        others = [k for k in range(3) if k != face // 2]
        # Which way the two others run does not matter for a mean of directions that are equally likely.
        s, t = (here[:, k] / np.abs(here[:, face // 2]) for k in others)
        column, row = (((part + 1) / 2 * size).astype(int).clip(0, size - 1) for part in (s, t))
        total += ((pixels[row, column] / 255.0) ** 2).sum(axis=0)
    mean, (own, gray) = total / len(ways), light_gains(name, color)
    assert mean * own + mean.sum() * np.asarray(gray) == pytest.approx(color, rel=0.03)
