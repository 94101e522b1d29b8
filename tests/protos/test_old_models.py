"""Models that only worlds of old releases name, and the hinge with play."""

from __future__ import annotations

import pytest

from tests.conftest import CHECKOUT
from tests.protos.models import bounding, findings, made, named, parts, pose
from wbridge.wbcore.scene.load import load_text

OLD = "#VRML_SIM V7.2.5 utf8\nWorldInfo {\n}\nViewpoint {\n}\n"


def old(text: str):
    """The root of the only model in a world with y up and -z forward."""
    world = load_text(OLD + text, str(CHECKOUT / "worlds" / "none.wbt"))
    assert findings(world) == []
    return world.nodes[-1].root


def test_epuck_of_old_worlds_looks_along_minus_z():
    new, robot = made("E-puck {\n}\n"), old("EPuck {\n}\n")
    for kind in ("Camera", "DistanceSensor", "LED", "HingeJoint"):
        ours = [pose(one, new)[0] for one in parts(new, kind)]
        found = [pose(one, robot)[0] for one in parts(robot, kind)]
        assert [(-z, -x, y) for x, y, z in found] == [pytest.approx(one, abs=1e-9) for one in ours]


def test_epuck_of_webots_8_may_say_where_its_picture_is_shown():
    """Worlds saved by Webots 8.2.1 have these fields; ours has no windows of its own for cameras."""
    text = "E-puck {\n  camera_windowPosition 0.06 0.32\n  camera_pixelSize 2\n}\n"
    world = load_text(OLD.replace("V7.2.5", "V8.2.1") + text, str(CHECKOUT / "worlds" / "none.wbt"))
    assert findings(world) == []


@pytest.mark.parametrize(("release", "unit"), [("V8.6.2", 0.00628), ("R2018a", 1)])
def test_epuck_turns_in_steps_per_second_as_long_as_it_was_a_differential_wheels(release, unit):
    text = OLD.replace("V7.2.5", release) + "E-puck {\n}\n"
    robot = load_text(text, str(CHECKOUT / "worlds" / "none.wbt")).nodes[-1].root
    assert {one.get("multiplier") for one in parts(robot, "RotationalMotor")} == {unit}


def test_ground_sensors_of_old_worlds_look_down_in_front():
    robot = old("EPuck {\n  groundSensorsSlot [\n    EPuck_GroundSensorsModule {\n    }\n  ]\n}\n")
    places = []
    for name in ("gs0", "gs1", "gs2"):
        place, turn = pose(named(robot, name), robot)
        assert (turn[0][0], turn[1][0], turn[2][0]) == pytest.approx((0, -1, 0), abs=1e-6)
        places.append(place)
    assert [place[0] for place in places] == pytest.approx([-0.01, 0, 0.01], abs=1e-9)
    assert all(place[2] == pytest.approx(-0.03, abs=1e-9) and place[1] > 0 for place in places)


def test_arguments_of_a_controller_are_parted_at_spaces():
    robot = made('EPuck {\n  controllerArgs "one  two"\n}\n')
    assert list(robot.get("controllerArgs")) == ["one", "two"]
    assert list(made("EPuck {\n}\n").get("controllerArgs")) == []


@pytest.mark.parametrize(
    ("at", "size"), [("0.5 0.05 0", "0.01 0.1 1"), ("0 0.05 0.5", "1 0.1 0.01")], ids=["x", "z"]
)
def test_the_walls_of_a_square_arena_close_it(at, size):
    arena = old(f"SquareArena {{\n  planSize 1 1\n  wallXTranslation {at}\n  wallSize {size}\n}}\n")
    places = sorted(tuple(round(v, 6) for v in pose(one, arena)[0]) for one in bounding(arena, "Box"))
    assert places == [(-0.5, 0.05, 0), (0, 0.05, -0.5), (0, 0.05, 0.5), (0.5, 0.05, 0)]
    for one in bounding(arena, "Box"):
        x, y, z = pose(one, arena)[0]
        length = one.get("size")
        along = length[0] if abs(x) > 0.4 else length[1]  # our x is the old z
        assert along == pytest.approx(1)


def test_goals_stand_at_the_ends_of_the_field():
    field = made("RobotstadiumSoccerField {\n  postRadius 0.04\n}\n")
    posts = bounding(field, "Cylinder")
    assert sorted({round(abs(pose(one, field)[0][0]), 6) for one in posts}) == [4.5]
    assert {one.get("radius") for one in posts} == {0.04}


HINGE = """Robot {{
  children [
    HingeJointWithBacklash {{
      {fields}
      jointParameters HingeJointParameters {{
        axis 0 0 1
        anchor 0.1 0.2 0.3
      }}
      device [
        RotationalMotor {{
          name "motor"
        }}
      ]
      endPoint Solid {{
        name "arm"
      }}
    }}
  ]
}}
"""


def test_a_hinge_with_play_is_two_hinges_about_one_axis():
    first, second = parts(made(HINGE.format(fields="backlash 0.2 gearMass 0.05")), "HingeJoint")
    assert [one.get("name") for one in parts(first, "RotationalMotor")] == ["motor"]
    play = second.get("jointParameters")
    assert (play.get("axis"), play.get("anchor")) == ((0, 0, 1), (0.1, 0.2, 0.3))
    assert (play.get("minStop"), play.get("maxStop")) == (-0.1, 0.1)
    gear = first.get("endPoint")
    assert gear.get("physics").get("mass") == 0.05
    assert second.get("endPoint").get("name") == "arm"


def test_without_play_there_is_one_hinge():
    robot = made(HINGE.format(fields="backlash 0"))
    assert len(parts(robot, "HingeJoint")) == 1
    assert named(robot, "arm").parent.type == "HingeJoint"
