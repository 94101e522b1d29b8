"""Things of a flat and an office: where they stand, what moves, what falls."""

from __future__ import annotations

import math

import pytest

from tests.protos.models import bounding, load, made, named, parts, pose
from wbridge.wbcore.scene.hidden import solids

ON_THE_FLOOR = """
Barbecue Bathtube BeerBottle Bed BiscuitBox Carafe Carpet CerealBox ComputerMouse Cookware DesktopComputer
FireExtinguisher FlowerPot Fork Fridge Glass HoneyJar JamJar Keyboard Knife Laptop Lid Monitor OfficeChair
OfficeTelephone Oven PaperBoat Plate Spoon Toilet WaterBottle WateringCan Wineglass WoodenSpoon
""".split()
IN_THE_MIDDLE = {"Book": 0.2, "PipeSection": 0.5, "SquareManhole": 0.1, "WashingMachine": 1, "Worktop": 0.06}

# Of upright cylinders and of boxes that are not turned.
HALF_HEIGHT = {"Box": lambda one: one.get("size")[2] / 2, "Cylinder": lambda one: one.get("height") / 2}


def bottom_and_top(thing) -> tuple[float, float]:
    """Lowest and highest z of the bounding objects below a node; turned parts count by their middle."""
    ends = []
    for solid in parts(thing, "Solid") + ([thing] if thing.type != "Solid" else []):
        if solid.get("boundingObject") is None:
            continue
        for kind, half in HALF_HEIGHT.items():
            for one in bounding(solid, kind):
                place, turn = pose(one, solid)
                high = half(one) if turn[2][2] == pytest.approx(1) else 0
                base = pose(solid, thing)[0][2] if solid is not thing else 0
                ends += [base + place[2] - high, base + place[2] + high]
    return min(ends), max(ends)


@pytest.mark.parametrize("name", ON_THE_FLOOR)
def test_things_stand_on_their_origin(name):
    low, high = bottom_and_top(made(f"{name} {{\n}}\n"))
    assert low == pytest.approx(0, abs=0.021)
    assert high > 0


@pytest.mark.parametrize("name", IN_THE_MIDDLE)
def test_other_things_have_their_origin_in_the_middle(name):
    low, high = bottom_and_top(made(f"{name} {{\n}}\n"))
    assert (low, high) == pytest.approx((-IN_THE_MIDDLE[name] / 2, IN_THE_MIDDLE[name] / 2))


@pytest.mark.parametrize(("name", "top"), [("Sink", 0.03), ("HotPlate", 0.039)])
def test_what_is_let_into_a_worktop_ends_at_its_surface(name, top):
    thing = made(f"{name} {{\n}}\n")
    boxes = bounding(thing, "Box")
    assert max(pose(one, thing)[0][2] + one.get("size")[2] / 2 for one in boxes) == pytest.approx(top)


def test_documented_sizes():
    carpet = bounding(made("Carpet {\n}\n"), "Box")[0]
    assert carpet.get("size") == (2.4, 1.6, 0.02)
    low, high = bottom_and_top(made("Oven {\n}\n"))
    assert (low, high) == pytest.approx((0, 0.68))
    assert bottom_and_top(made("Fridge {\n}\n")) == pytest.approx((0, 1.8))


@pytest.mark.parametrize("name", ["Keyboard", "Monitor", "DesktopComputer", "Book", "Plate", "Lid"])
def test_mass_decides_about_physics(name):
    assert made(f"{name} {{\n  mass 0\n}}\n").get("physics") is None
    assert made(f"{name} {{\n  mass 0.7\n}}\n").get("physics").get("mass") == 0.7


@pytest.mark.parametrize(("name", "default"), [("Barbecue", False), ("FireExtinguisher", True)])
def test_physics_can_be_left_out(name, default):
    assert (made(f"{name} {{\n}}\n").get("physics") is not None) == default
    assert made(f"{name} {{\n  enablePhysics FALSE\n}}\n").get("physics") is None


def test_scale_applies_to_shape_and_bounding_object():
    one, two = (made(f"Monitor {{\n  scale {s}\n}}\n") for s in (1, 2))
    assert bottom_and_top(two)[1] == pytest.approx(2 * bottom_and_top(one)[1])
    light = made("FloorLight {\n  scale 0.5\n}\n")
    assert max(pose(one, light)[0][2] for one in parts(light, "Sphere")) == pytest.approx(1.505 / 2)


# What files save of the moving parts: the index of the solid, and of the one with the joint.
MOVING = {
    "Fridge": [("upper fridge door", 1, 0), ("lower fridge door", 2, 0)],
    "Oven": [("oven door", 1, 0)],
    "OfficeChair": [("seat", 1, 0)],
    "Laptop": [("screen", 1, 0)],
    "Door": [("door leaf", 5, 0)],
    "Cabinet": [("door 1", 7, 6), ("door 2", 11, 10)],
}


@pytest.mark.parametrize("name", MOVING)
def test_moving_parts_have_the_index_by_which_files_save_them(name):
    found = solids(made(f"{name} {{\n}}\n"))
    for part, index, holder in MOVING[name]:
        solid, _ = found[index]
        assert solid.get("name") == part
        assert solid.parent.type == "HingeJoint"
        assert solid.parent in found[holder][1]


def test_saved_state_of_a_cabinet_reaches_its_door():
    world = load(
        "Cabinet {\n  hidden position_6_0 -0.5\n  hidden translation_7 0.1 0 0\n  columnsWidths [ 0.44 ]\n"
        '  rowsHeights [ 0.5 ]\n  layout [ "RightSidedDoor (1, 1, 1, 1, 1.5)" ]\n}\n'
    )
    assert [str(one) for one in world.report] == []
    door = named(world.nodes[0].root, "door 1")
    assert door.get("translation") == (0.1, 0, 0)
    anchor = door.parent.get("jointParameters").get("anchor")
    assert anchor == pytest.approx((0, -0.218, 0))


@pytest.mark.parametrize(("at_left", "side"), [("TRUE", -1), ("FALSE", 1)])
def test_a_door_turns_about_the_edge_that_is_left_seen_from_the_front(at_left, side):
    for angle in (0, 0.5):
        door = made(f"Door {{\n  jointAtLeft {at_left}\n  position {angle}\n}}\n")
        leaf = named(door, "door leaf")
        anchor = leaf.parent.get("jointParameters").get("anchor")
        assert anchor == pytest.approx((0.001, side * 0.475, 0))
        middle = pose(bounding(leaf, "Box")[0], door)[0]
        assert math.dist(middle[:2], anchor[:2]) == pytest.approx(0.475)
        assert middle[0] == pytest.approx(0.001 + side * 0.475 * math.sin(angle))


def test_stairs_rise_by_their_steps():
    stairs = made("StraightStairs {\n  nSteps 3\n  stringerWidth 0\n}\n")
    steps = bounding(stairs, "Box")
    tops = [pose(one, stairs)[0][2] + one.get("size")[2] / 2 for one in steps]
    assert tops == pytest.approx([0.15, 0.3, 0.45])
    assert [pose(one, stairs)[0][0] for one in steps] == pytest.approx([0.2, 0.6, 1.0])
    assert len({one.get("name") for one in parts(stairs, "Solid")}) == 4  # two sides with equal rails


def test_values_that_make_no_sense_are_told_and_replaced():
    for use in (
        "StraightStairs {\n  nSteps 0\n}\n",
        "StraightStairsRail {\n  run 0\n}\n",
        "Radiator {\n  numberOfFins 0\n}\n",
        "Mirror {\n  width 0\n}\n",
        "Monitor {\n  scale 0\n}\n",
        "CapScrew {\n  screwRadius 0\n}\n",
    ):
        world = load(use)
        assert len(world.report.notes) == 1, use
        assert world.report.errors == []


def test_left_out_faces_of_a_textured_box():
    box = "Solid {\n  children [\n    Shape {\n      geometry TexturedBox { %s }\n    }\n  ]\n}\n"
    whole, open_top = (parts(made(box % fields), "IndexedFaceSet")[0] for fields in ("", "top FALSE"))
    assert list(whole.get("coordIndex")).count(-1) == 6
    assert list(open_top.get("coordIndex")).count(-1) == 5
    assert max(point[2] for point in open_top.get("coord").get("point")) == 0.05
