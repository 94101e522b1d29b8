"""The world from above: colors, textures and places of painted shapes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.devices.rig import OLD, Rig
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.windows.outlines import Outlines

Drive = Callable[..., Rig]
RED = "appearance PBRAppearance { baseColor 1 0 0 metalness 0 }"
LINES = Path(__file__).resolve().parents[2] / "worlds" / "line_following.wbt"


def _standing(rig: Rig) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = Outlines(rig.simulation).shape()["standing"]
    return found


def test_shapes_have_the_color_of_their_appearance(drive: Drive):
    old = "appearance Appearance { material Material { diffuseColor 0 0 1 transparency 0.5 } }"
    rig = drive(
        f"WorldInfo {{ }} Shape {{ {RED} geometry Box {{ size 2 4 1 }} }}"
        f"Pose {{ translation 5 0 3 children [ Shape {{ {old} geometry Sphere {{ radius 0.5 }} }} ] }}"
        'Robot { name "r" }'
    )
    box, ball = _standing(rig)
    assert (box["color"], box["alpha"]) == ("#ff0000", 1)
    assert {(abs(x), abs(y)) for x, y in box["parts"][0]} == {(1, 2)}
    assert (ball["color"], ball["alpha"]) == ("#0000ff", 0.5)
    assert max(x for x, _ in ball["parts"][0]) == pytest.approx(5.5)


def test_what_is_higher_is_painted_later(drive: Drive):
    high = f"Pose {{ translation 0 0 2 children [ Shape {{ {RED} geometry Box {{ size 1 1 1 }} }} ] }}"
    low = "Shape { geometry Box { size 2 2 1 } }"
    assert [one["color"] for one in _standing(drive(f'{high} {low} Robot {{ name "r" }}'))][-1] == "#ff0000"


def test_of_a_mesh_the_triangles_that_face_upward_are_painted(drive: Drive):
    """An L of two squares, and a wall below it: the hull of the L would cover the missing square."""
    mesh = """Shape { geometry IndexedFaceSet {
      coord Coordinate { point [ 0 0 0, 2 0 0, 2 1 0, 1 1 0, 1 2 0, 0 2 0, 0 0 -1 ] }
      coordIndex [ 0 1 2 -1 0 2 3 -1 0 3 4 -1 0 4 5 -1 0 6 1 -1 ] } }"""
    (painted,) = _standing(drive(f'{mesh} Robot {{ name "r" }}'))
    doubled = [(b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) for a, b, c in painted["parts"]]
    assert sum(doubled) / 2 == pytest.approx(3)


def test_a_robot_is_painted_in_its_own_place(drive: Drive):
    shape = f"Shape {{ {RED} geometry Box {{ size 0.4 0.2 0.1 }} }}"
    rig = drive(f'Robot {{ name "r" translation 3 1 0 rotation 0 0 1 1.5707963 children [ {shape} ] }}')
    (robot,) = Outlines(rig.simulation).shape()["robots"]
    assert {(round(abs(x), 3), round(abs(y), 3)) for x, y in robot[0]["parts"][0]} == {(0.2, 0.1)}


def test_what_has_no_shape_is_drawn_by_its_bounding_object(drive: Drive):
    rig = drive('Robot { name "r" boundingObject Box { size 0.4 0.2 0.1 } }')
    (robot,) = Outlines(rig.simulation).shape()["robots"]
    assert {(abs(x), abs(y)) for x, y in robot[0]["parts"][0]} == {(0.2, 0.1)}


def test_invisible_shapes_are_left_out(drive: Drive):
    glass = "Shape { appearance PBRAppearance { transparency 1 } geometry Box { size 9 9 9 } }"
    assert _standing(drive(f'{glass} Robot {{ name "r" }}')) == []


def test_a_texture_lies_where_the_floor_has_it():
    """The floor of 1.2 m by 1.8 m is turned by 90 degrees: the picture's left side is below, its top on the
    left."""
    outlines = Outlines(Simulation(load_world(LINES))).shape()
    floor = outlines["standing"][0]
    _, a, b, c, d, e, f = floor["picture"]

    def place(u: float, v: float) -> tuple[float, float]:
        return a * u + c * v + e, b * u + d * v + f

    assert place(0, 0) == pytest.approx((-0.9, -0.6), abs=1e-4)
    assert place(1, 0) == pytest.approx((-0.9, 0.6), abs=1e-4)
    assert place(0, 1) == pytest.approx((0.9, -0.6), abs=1e-4)
    assert outlines["pictures"][floor["picture"][0]].startswith("data:image/png;base64,")


@pytest.mark.parametrize("geometry", ["Sphere { radius 1 }", "Box { size 1 1 1 }", "Plane { size 1 1 }"])
def test_textured_shapes_have_the_mean_color(drive: Drive, tmp_path: Path, geometry: str):
    """Half of the picture is red, half is blue."""
    picture = Image.new("RGB", (8, 8), (255, 0, 0))
    picture.paste((0, 0, 255), (4, 0, 8, 8))
    picture.save(tmp_path / "half.png")
    appearance = f'PBRAppearance {{ baseColorMap ImageTexture {{ url "{tmp_path}/half.png" }} }}'
    shape = f"Shape {{ appearance {appearance} geometry {geometry} }}"
    (painted,) = _standing(drive(f'{shape} Robot {{ name "r" }}'))
    assert painted["color"] == "#800080"
    assert ("picture" in painted) is (not geometry.startswith("Sphere"))


def test_a_texture_that_cannot_be_read_leaves_the_plain_color(drive: Drive, tmp_path: Path):
    (tmp_path / "bad.png").write_text("no picture")
    appearance = (
        f'PBRAppearance {{ baseColor 0 1 0 baseColorMap ImageTexture {{ url "{tmp_path}/bad.png" }} }}'
    )
    shape = f"Shape {{ appearance {appearance} geometry Box {{ }} }}"
    (painted,) = _standing(drive(f'{shape} Robot {{ name "r" }}'))
    assert painted["color"] == "#00ff00" and "picture" not in painted


def test_worlds_with_y_up_are_painted_from_above(drive: Drive):
    plane = f"Shape {{ {RED} geometry Plane {{ size 2 6 }} }}"
    (painted,) = _standing(drive(f'WorldInfo {{ }} {plane} Robot {{ name "r" }}', header=OLD))
    assert {(abs(x), abs(y)) for x, y in painted["parts"][0]} == {(1, 3)}
