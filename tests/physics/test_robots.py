"""The bundled robots stand, drive straight and turn as their wheels' odometry says.

Straight on, wheels that roll without slipping go radius * speed * time; the contacts' compliance lets them
slip by less than 0.5 percent. In a turn a wheel of some width has no single point of contact: its edges
slide, and the turn is that of an axle between the inner and the outer edges. Four driven wheels slide
sideways when turning.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.physics.worlds import OLD
from wbridge import wbcore
from wbridge.wbcore.physics.plan import JointPlan
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.simulation import Simulation

CHECKOUT = Path(wbcore.__file__).resolve().parent.parent
FLOOR = 'Solid { name "floor" boundingObject Plane { } }'
TWO_WHEELED = [("E-puck", ""), ("Pioneer3dx", ""), ("FourWheelRobot", 'motors "2"'), ("TurtleBot3Burger", "")]
ALL = [*TWO_WHEELED, ("FourWheelRobot", "")]


def robot(model: str, fields: str, header: str = "#VRML_SIM R2025a utf8\n") -> Simulation:
    (path,) = CHECKOUT.glob(f"protos/robots/**/{model}.proto")
    extern = f'EXTERNPROTO "{path}"\n' if header != OLD else ""
    text = f"{header}{extern}WorldInfo {{ basicTimeStep 8 }}\n{FLOOR}\nDEF R {model} {{ {fields} }}"
    loaded = load_text(text, str(CHECKOUT / "worlds" / "test.wbt"))
    made = Simulation(loaded)
    assert [str(one) for one in made.findings if one.severity == "error"] == []
    assert made.overlaps == []
    return made


def wheels(s: Simulation) -> list[JointPlan]:
    joints = [joint for part in s.physics.plan.parts for joint in part.joints]
    return [joint for joint in joints if joint.axes[0].motor is not None]


def drive(s: Simulation, left: float, right: float) -> None:
    for joint in wheels(s):
        node = joint.axes[0].motor.node
        motor = s.physics.handles.motors[node]
        motor.set_position(math.inf)
        motor.set_velocity(left if "left" in node.get("name") else right)


def displacement(s: Simulation, seconds: float) -> np.ndarray:
    """Pose after some time in the robot's frame at the beginning."""
    before = s.node("R").pose
    s.run(seconds)
    return np.linalg.inv(before) @ s.node("R").pose


def size_of(s: Simulation) -> tuple[float, float, float]:
    """Radius and width of a wheel, and the distance between the middles of left and right."""
    (cylinder,) = wheels(s)[0].child.geometries
    sides = [joint.child.pose.position[1] for joint in wheels(s)]
    return cylinder.size[0], cylinder.size[1], max(sides) - min(sides)


@pytest.mark.parametrize(("model", "fields"), ALL)
def test_a_robot_stands_still_for_ten_seconds(model: str, fields: str):
    s = robot(model, fields)
    before = s.node("R").pose
    s.run(10.0)
    after = s.node("R").pose
    assert after[:3, 3] == pytest.approx(before[:3, 3], abs=1e-3)
    assert after[:3, :3] == pytest.approx(before[:3, :3], abs=3e-3)


@pytest.mark.parametrize(("model", "fields"), ALL)
@pytest.mark.parametrize("speed", [3.0, -2.0])
def test_equal_speeds_drive_straight(model: str, fields: str, speed: float):
    s = robot(model, fields)
    s.run(0.5)
    drive(s, speed, speed)
    s.run(0.5)
    radius, _, _ = size_of(s)
    moved = displacement(s, 4.0)
    assert moved[0, 3] == pytest.approx(radius * speed * 4, rel=5e-3)
    assert moved[1, 3] == pytest.approx(0, abs=2e-3)
    assert moved[1, 0] == pytest.approx(0, abs=5e-3)


@pytest.mark.parametrize(("model", "fields"), TWO_WHEELED)
@pytest.mark.parametrize(("left", "right"), [(2.0, 4.0), (-1.0, 1.0)])
def test_different_speeds_turn_by_the_axle(model: str, fields: str, left: float, right: float):
    s = robot(model, fields)
    s.run(0.5)
    drive(s, left, right)
    s.run(1.0)
    radius, width, axle = size_of(s)
    moved = displacement(s, 2.0)
    turned = math.atan2(moved[1, 0], moved[0, 0])
    widest, narrowest = (2 * (right - left) * radius / (axle + side) for side in (width, -width))
    assert widest * 0.99 <= turned <= narrowest * 1.01


def test_four_driven_wheels_turn_less_because_they_slide():
    s = robot("FourWheelRobot", "")
    drive(s, -2, 2)
    s.run(1.0)
    radius, _, axle = size_of(s)
    moved = displacement(s, 2.0)
    assert 0.4 < math.atan2(moved[1, 0], moved[0, 0]) / (2 * 4 * radius / axle) < 1


@pytest.mark.parametrize("model", ["E-puck", "Pioneer3dx"])
def test_a_robot_drives_as_far_in_an_old_world_with_y_up(model: str):
    old, new = robot(model, "", OLD), robot(model, "")
    for s in (old, new):
        drive(s, 3, 3)
        s.run(3.0)
    ahead = displacement(new, 2.0)[:3, 3]
    back = displacement(old, 2.0)[:3, 3]
    # The model looks along -z in old worlds, along x in new ones.
    assert back == pytest.approx([-ahead[1], ahead[2], -ahead[0]], abs=2e-3)


def test_sample_worlds_run_without_breaking_down_or_another_solver():
    for path in sorted((CHECKOUT / "worlds").glob("*.wbt")):
        if path.stem in ("blimp", "scales"):
            continue  # their plugins must be built first: tests/samples/test_plugins.py
        s = Simulation(path)
        s.run(5.0)
        assert [str(one) for one in s.gaps()] == [], path
        assert s.solver_fallbacks == 0, path


def test_on_the_spot_wheels_turn_about_their_outer_edges():
    # Webots' tests/physics/controllers/hinge_2_joint_damping expects 0.696 rad/s of wheels of radius 0.04
    # and width 0.005 that stand 0.11 apart and turn by 1 rad/s: 2 * 0.04 / (0.11 + 0.005).
    s = robot("E-puck", "")
    s.run(0.5)
    drive(s, -1, 1)
    s.run(1.0)
    radius, width, axle = size_of(s)
    moved = displacement(s, 2.0)
    turned = math.atan2(moved[1, 0], moved[0, 0])
    assert turned == pytest.approx(2 * 2 * radius / (axle + width), rel=0.01)
