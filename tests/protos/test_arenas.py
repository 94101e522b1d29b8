"""Floors, arenas and walls have the sizes and places that the data tells."""

from __future__ import annotations

import math

import pytest

from tests.protos.models import bounding, load, made, named, parts, pose


def extent(solid, root) -> tuple[float, ...]:
    """Center and size of a solid that is one box with no turn of its own."""
    (box,) = [one for one in parts(solid, "Box") if one.parent is solid]
    place, _ = pose(solid, root)
    return (*place, *box.get("size"))


@pytest.mark.parametrize(("x", "y", "thickness", "height"), [(1, 1, 0.01, 0.1), (2, 3, 0.05, 0.4)])
def test_rectangle_arena_walls_stand_outside_the_floor(x, y, thickness, height):
    arena = made(
        f"RectangleArena {{\n  floorSize {x} {y}\n  wallThickness {thickness}\n  wallHeight {height}\n}}\n"
    )
    middle = height / 2
    wanted = {
        "wall": ((x + thickness) / 2, 0, middle, thickness, y, height),
        "wall#2": (-(x + thickness) / 2, 0, middle, thickness, y, height),
        "wall#3": (0, (y + thickness) / 2, middle, x + 2 * thickness, thickness, height),
        "wall#4": (0, -(y + thickness) / 2, middle, x + 2 * thickness, thickness, height),
    }
    for name, numbers in wanted.items():
        assert extent(named(arena, name), arena) == pytest.approx(numbers)
    assert arena.get("model") == "rectangle arena"
    assert parts(arena, "Physics") == []


def test_rectangle_arena_floor_repeats_its_texture_by_tiles():
    arena = made("RectangleArena {\n  floorSize 2 3\n  floorTileSize 0.5 1\n}\n")
    floor = named(arena, "floor")
    assert floor.get("boundingObject").get("size") == (2, 3)
    (shape,) = parts(floor, "IndexedFaceSet")
    assert sorted(shape.get("coord").get("point")) == [(-1, -1.5, 0), (-1, 1.5, 0), (1, -1.5, 0), (1, 1.5, 0)]
    assert max(shape.get("texCoord").get("point")) == (4, 3)


def test_arena_materials_and_appearances_reach_floor_and_walls():
    arena = made(
        'RectangleArena {\n  contactMaterial "ice"\n  floorAppearance RedBricks {\n  }\n'
        "  wallAppearance Roughcast {\n    colorOverride 0.1 0.2 0.3\n  }\n}\n"
    )
    solids = [named(arena, name) for name in ("floor", "wall", "wall#2", "wall#3", "wall#4")]
    assert {one.get("contactMaterial") for one in solids} == {"ice"}
    colors = [one.get("baseColor") for one in parts(arena, "PBRAppearance")]
    assert colors == [(1, 1, 1)] + [(0.1, 0.2, 0.3)] * 4


@pytest.mark.parametrize(
    ("given", "field", "instead"),
    [("floorSize 0 1", "floorSize", "1 1"), ("wallHeight -1", "wallHeight", "0.1")],
)
def test_sizes_that_are_not_positive_fall_back_to_the_default(given, field, instead):
    world = load(f"RectangleArena {{\n  {given}\n}}\n")
    assert any(field in note and instead in note for note in world.report.notes)
    assert parts(world.nodes[0].root, "Plane")[0].get("size") == (1, 1)


def test_floor_is_a_fixed_plane():
    floor = made("Floor {\n}\n")
    assert (floor.get("name"), floor.get("model"), floor.get("locked")) == ("floor", "floor", True)
    assert floor.get("boundingObject").type == "Plane"
    assert floor.get("boundingObject").get("size") == (10, 10)
    assert floor.get("physics") is None


def test_circle_arena_ring_touches_the_circle_from_outside():
    arena = made("CircleArena {\n  radius 1.5\n  wallThickness 0.1\n  wallHeight 0.3\n  subdivision 12\n}\n")
    wall = named(arena, "wall")
    boxes = bounding(wall, "Box")
    assert len(boxes) == 12
    for box in boxes:
        place, turn = pose(box, wall)
        assert math.hypot(place[0], place[1]) == pytest.approx(1.55)
        assert place[2] == pytest.approx(0.15)
        assert turn[0][0] * place[1] == pytest.approx(turn[1][0] * place[0], abs=1e-9)
        assert box.get("size")[0] == pytest.approx(0.1)
        assert box.get("size")[1] >= 2 * 1.5 * math.tan(math.pi / 12)


@pytest.mark.parametrize("options", ["", "  flatCenter TRUE\n  flatBounds TRUE\n"])
def test_uneven_terrain_is_repeatable_and_within_its_height(options):
    text = f"UnevenTerrain {{\n  size 10 8 2\n  xDimension 20\n  yDimension 16\n{options}}}\n"
    (grid,) = bounding(made(text), "ElevationGrid")
    heights = list(grid.get("height"))
    assert len(heights) == 320
    assert max(map(abs, heights)) <= 1
    assert max(heights) - min(heights) > 0.3
    assert grid.get("xSpacing") == pytest.approx(10 / 19)
    assert grid.get("ySpacing") == pytest.approx(8 / 15)
    assert list(parts(made(text), "ElevationGrid")[0].get("height")) == heights
    if options:
        assert heights[0] == heights[-1] == 0
        assert heights[8 * 20 + 10] == pytest.approx(0, abs=1e-9)


def test_another_seed_gives_another_terrain():
    one, two = (parts(made(f"UnevenTerrain {{\n  randomSeed {n}\n}}\n"), "ElevationGrid")[0] for n in (1, 2))
    assert list(one.get("height")) != list(two.get("height"))


def test_wall_stands_on_its_origin():
    wall = made("Wall {\n  size 0.3 4 2.4\n}\n")
    (box,) = bounding(wall, "Box")
    assert pose(box, wall)[0] == (0, 0, 1.2)
    assert box.get("size") == (0.3, 4, 2.4)
    assert wall.get("physics") is None


def test_window_leaves_a_glazed_opening():
    window = made("Window {\n  size 0.3 1 2.4\n  bottomWallHeight 0.8\n  windowHeight 1.2\n}\n")
    walls = [(pose(box, window)[0], box.get("size")) for box in parts(window, "Box")[:2]]
    assert walls[0] == (pytest.approx((0, 0, 0.4)), pytest.approx((0.3, 1, 0.8)))
    assert walls[1] == (pytest.approx((0, 0, 2.2)), pytest.approx((0.3, 1, 0.4)))
    assert any(one.get("transparency") > 0 for one in parts(window, "PBRAppearance"))


@pytest.mark.parametrize(("left", "side"), [("TRUE", -1), ("FALSE", 1)])
def test_door_turns_about_the_edge_of_its_joint(left, side):
    door = made(f"Door {{\n  size 0.2 1 2.4\n  jointAtLeft {left}\n  doorHandle NULL\n}}\n")
    (joint,) = parts(door, "HingeJoint")
    anchor = joint.get("jointParameters").get("anchor")
    leaf = named(door, "door leaf")
    assert anchor[1] * side == pytest.approx(0.475)
    (box,) = parts(leaf, "Box")
    assert pose(box, door)[0][1] == pytest.approx(0, abs=1e-9)
    assert box.get("size")[1] == pytest.approx(0.9, abs=0.01)
    assert leaf.get("physics").get("density") == 200


def test_door_that_cannot_open_is_fixed():
    door = made("Door {\n  canBeOpen FALSE\n  doorHandle DoorLever {\n    hasStaticParent TRUE\n  }\n}\n")
    assert parts(door, "HingeJoint") == []
    assert parts(door, "Physics") == []


def test_open_door_stands_at_its_position():
    door = made("Door {\n  position 1.2\n}\n")
    (joint,) = [one for one in parts(door, "HingeJoint") if one.parent is door]
    assert joint.get("jointParameters").get("position") == 1.2
    assert named(door, "door leaf").get("rotation") == (0, 0, 1, 1.2)


@pytest.mark.parametrize(("water", "seed"), [(0.3, 1), (0.5, 7)])
def test_a_ditch_is_as_deep_as_told_and_holds_water(water: float, seed: int):
    """Outline of Webots' PROTO: ten lines across, four of them at the bottom; water between the banks."""
    ditch = made(f"Ditch {{\n  size 10 4.5 1\n  waterHeight {water}\n  randomSeed {seed}\n}}\n")
    assert ditch.type == "Fluid"
    (grid,) = {id(one): one for one in parts(ditch, "ElevationGrid")}.values()
    rows, columns = grid.get("yDimension"), grid.get("xDimension")
    assert rows == 10 and grid.get("ySpacing") == pytest.approx(0.5)
    assert (columns - 1) * grid.get("xSpacing") == pytest.approx(10)
    heights = grid.get("height")
    middle = [sum(heights[k * columns : (k + 1) * columns]) / columns for k in range(rows)]
    assert middle == pytest.approx([0, 0, -0.5, -1, -1, -1, -1, -0.5, 0, 0], abs=0.03)
    box = parts(ditch, "Box")[0]
    assert box.get("size") == pytest.approx((10, 3.5, water))
    assert pose(box, ditch)[0][2] == pytest.approx(min(heights) + water / 2, abs=1e-4)


def test_the_bed_of_a_ditch_follows_its_seed():
    beds = [
        parts(made(f"Ditch {{\n  randomSeed {k}\n}}\n"), "ElevationGrid")[0].get("height") for k in (1, 1, 2)
    ]
    assert beds[0] == beds[1] != beds[2]


def test_a_ditch_below_zero_water_is_dry():
    assert made("Ditch {\n  waterHeight -1\n}\n").type == "Solid"


@pytest.mark.parametrize(("wall", "boxes"), [("TRUE", 5), ("FALSE", 1)])
def test_a_tower_has_a_wall_around_its_base_where_asked_to(wall: str, boxes: int):
    base = made(f"LargeResidentialTowerBase {{\n  surroundingWall {wall}\n}}\n")
    assert len(parts(base, "Box")) == boxes
