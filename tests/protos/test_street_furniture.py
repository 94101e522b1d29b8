"""Models of streets, hospitals and buildings: the fields of Webots' own, and what fields of sizes do.

The fields are those that Webots' guide lists for R2019b and R2022b, or that its PROTOs of R2021c and R2023b
have.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.devices.rig import Rig, robot, world
from tests.image_files import write_image_file
from tests.protos.models import load, made, parts, pose

PLAIN = {
    "Atm": "ATM",
    "DrinkingFountain": "drinking fountain",
    "GlassRecyclingContainer": "glass recycling container",
    "GuardShelter": "guard shelter",
    "IceFreezerContainer": "ice freezer container",
    "Mailbox": "mailbox",
    "NewsStand": "news stand",
    "OldBench": "old bench",
    "ParkingMeter": "parking meter",
    "PhoneBooth": "phone booth",
    "SimpleBench": "simple bench",
    "SmallKiosk": "small kiosk",
    "StoneBench": "stone bench",
    "UndergroundContainer": "underground container",
    "WorkBarrier": "work barrier",
}
"""Names of solids that have a pose and a name only."""
FIELDS = {
    "Bench": "metalColor 1 0 0 woodColor 0 1 0 recognitionColors [ 1 1 1 ]",
    "Curtain": "baseColor 1 0 0",
    "DivergentIndicator": "texture [ ] height 2 radius 1 subdivision 8",
    "DripStand": "physics Physics { }",
    "EmergencyPhone": "poleColor 1 0 0 recognitionColors [ 1 0 0 ]",
    "ExitPanel": "signImage [ ] color 1 0 0 recognitionColors [ 1 0 0 ]",
    "ExitSign": "height 3 radius 0.02 color 1 0 0 signBoards [ ExitPanel { } ]",
    "FireHydrant": "appearance PBRAppearance { }",
    "Fountain": "height 2 radius 3 subdivision 8",
    "HandSanitizer": "physics Physics { }",
    "HospitalBed": "physics Physics { }",
    "MedicineBottle": "physics Physics { }",
    "MetallicTrash": "enablePhysics TRUE",
    "ParkingLines": "numberOfCarParks 3 carParkLength 5 carParkWidth 2 texture [ ]",
    "PublicBin": "color 1 0 0 recognitionColors [ 1 0 0 ]",
    "RectangularPanel": "signImage [ ] color 1 0 0 size 1 2 recognitionColors [ 1 0 0 ]",
    "SignPole": "height 3 radius 0.1 color 1 0 0 signBoards [ DirectionPanel { } ]",
    "UrbanFence": "enableBoundingObject FALSE",
}
"""Values that are not the defaults, of all fields beside the pose and the name."""


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_model_has_its_name_and_stands_on_the_ground(name: str):
    solid = made(f"{name} {{\n}}\n")
    assert solid.get("name") == PLAIN[name]
    boxes = parts(solid.get("boundingObject"), "Box")
    assert all(pose(box, solid)[0][2] >= box.get("size")[2] / 2 - 1e-9 for box in boxes)
    assert solid.get("physics") is None


@pytest.mark.parametrize("name", FIELDS)
def test_all_fields_are_known(name: str):
    world = load(f"{name} {{\n  {FIELDS[name]}\n}}\n")
    assert [*world.report.errors, *world.report.warnings] == []


def test_a_trash_bin_moves_only_with_physics():
    assert made("MetallicTrash {\n}\n").get("physics") is None
    assert made("MetallicTrash {\n  enablePhysics TRUE\n}\n").get("physics").get("mass") == 15


def test_colors_reach_the_parts_of_a_bench():
    bench = made("Bench {\n  metalColor 1 0 0\n  woodColor 0 1 0\n}\n")
    colors = [one.get("baseColor") for one in parts(bench, "PBRAppearance")]
    assert colors == [(0, 1, 0), (1, 0, 0), (1, 0, 0), (0, 1, 0)]


def test_a_fence_has_poles_along_its_path_and_bars_between():
    fence = made("Fence {\n  path [ 0 0 0, 2 0 0, 2 1 0 ]\n  poleGap 0.5\n  horizontalBarsNumber 3\n}\n")
    poles = [pose(pole, fence)[0][:2] for pole in parts(fence, "Cylinder")]
    assert poles == [(0, 0), (0.5, 0), (1, 0), (1.5, 0), (2, 0), (2, 0.5), (2, 1)]
    assert [bar.get("size")[0] for bar in parts(fence, "Box")] == [2, 2, 2, 1, 1, 1]


def test_a_trailer_hangs_on_a_truck_where_its_bounding_boxes_are_webots_own():
    truck = made("TruckSimple {\n  trailer TruckTrailerSimple {\n    rotation 0 0 1 0.3\n  }\n}\n")
    (trailer,) = [one for one in parts(truck, "Solid") if one.get("name") == "truck trailer"]
    boxes = parts(trailer.get("boundingObject"), "Box")
    assert [box.get("size") for box in boxes[:2]] == [(11.15, 2.5, 3.05), (4.5, 2.5, 0.87)]
    assert pose(boxes[0], trailer)[0] == pytest.approx((-3.1, 0, 2.21))


def test_parking_lines_bound_each_place():
    lines = made("ParkingLines {\n  numberOfCarParks 3\n  carParkWidth 2\n  carParkLength 4\n}\n")
    assert [pose(line, lines)[0][:2] for line in parts(lines, "Box")] == [(0, 2), (2, 2), (4, 2), (6, 2)]


def test_a_speed_limit_shows_the_picture_of_its_user(tmp_path: Path):
    """Seen from ahead: the left 80 % of the picture, not mirrored (texture coordinates of Webots' own)."""
    row = b"\xff\0\0" * 8 + b"\0\xff\0" * 8 + b"\0\0\xff" * 4
    write_image_file(str(tmp_path / "sign.png"), 20, 20, row * 20, 3)
    panel = 'SpeedLimitPanel { signImage [ "sign.png" ] }'
    light = "DirectionalLight { direction -1 0 0 ambientIntensity 1 }"
    eye = robot('Camera { name "c" width 32 height 32 }', "translation 1 0 0 rotation 0 0 1 3.14159")
    made_rig = Rig(world(eye, f"{light} {panel}"), path=tmp_path / "w.wbt")
    made_rig.enable("c")
    made_rig.step(2)
    pixels = made_rig["c"].get_image()[4 * 16 * 32 : 4 * 17 * 32]
    blue, green, red = ([pixels[4 * x + k] for x in (12, 20)] for k in range(3))
    assert red[0] > 2 * green[0] and green[1] > 2 * red[1]
    assert max(blue) < 100


PANELS = {
    "CautionPanel": ("caution panel", 0.08),
    "OrderPanel": ("order panel", 0.031),
    "SpeedLimitPanel": ("speed limit panel", 0.06),
    "StopPanel": ("stop panel", 0.038),
    "YieldPanel": ("yield panel", 0.08),
}
"""Panels of signs: their model, and the depth (m) of their bounding object, as Webots' own have them."""


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_is_a_solid_that_cameras_recognize(name: str):
    """Webots' panels are solids of that model, with a bounding object and recognition colors."""
    fields = 'name "mine" color 0 1 0 recognitionColors [ 1 0 0 ] signImage [ ]'
    world_of_it = load(f"{name} {{\n  {fields}\n}}\n")
    assert [*world_of_it.report.errors, *world_of_it.report.warnings] == []
    panel = parts(world_of_it.nodes[-1].root, "Solid")[0]
    model, depth = PANELS[name]
    assert (panel.get("name"), panel.get("model")) == ("mine", model)
    assert list(panel.get("recognitionColors")) == [(1, 0, 0)]
    assert (0, 1, 0) in [one.get("baseColor") for one in parts(panel, "PBRAppearance")]
    body = panel.get("boundingObject")
    depths = [box.get("size")[0] for box in parts(body, "Box")]
    assert {*depths, *(one.get("height") for one in parts(body, "Cylinder"))} == {depth}


@pytest.mark.parametrize("name", PANELS)
def test_a_panel_shows_a_picture_of_the_project_but_not_one_of_webots(name: str):
    urls = ["webots://projects/objects/traffic/protos/textures/signs/stop.jpg", "own.png"]
    shown = [parts(load(f'{name} {{ signImage "{url}" }}\n').nodes[-1].root, "ImageTexture") for url in urls]
    assert shown[0] == []
    assert list(shown[1][0].get("url")) == ["own.png"]
