"""Models that public worlds name: their devices, limits, masses and behavior.

The facts, fields, names of devices, limits and masses, are those of Webots' own models.
"""

from __future__ import annotations

import math

import pytest

from tests.protos.bench import bench
from tests.protos.models import load, made, named, parts, pose
from wbridge.wbcore.scene.load import load_text

LIMITS = [(-2.8, 2.8), (-0.8, 0.8), (-1.5, 1.3), (-2, 2), (-1.5, 1.5), (-2.5, 2.5)]
"""Of Ned's joints (rad)."""


def test_ned_has_six_joints_and_two_jaws():
    ned = made("Ned {\n}\n")
    motors = parts(ned, "RotationalMotor")
    assert [one.get("name") for one in motors] == [f"joint_{k}" for k in range(1, 7)]
    assert [(one.get("minPosition"), one.get("maxPosition")) for one in motors] == LIMITS
    assert [one.get("name") for one in parts(ned, "LinearMotor")] == ["gripper::right", "gripper::left"]
    names = [one.get("name") for one in parts(ned, "PositionSensor")]
    assert {"joint_1_sensor", "joint_6_sensor", "gripper::left_sensor"} <= set(names)


def test_ned_s_jaws_have_other_names_before_r2023b():
    world = load_text("#VRML_SIM R2022b utf8\nWorldInfo {\n}\nNed {\n}\n")
    names = [one.get("name") for one in parts(world.nodes[-1].root, "LinearMotor")]
    assert names == ["joint_base_to_jaw_1", "joint_base_to_jaw_2"]


def test_ned_stands_upright_at_position_0():
    ned = made("Ned {\n}\n")
    places = [pose(named(ned, name), ned)[0] for name in ("shoulder_link", "arm_link", "elbow_link")]
    # The upper arm is 0.221 m long; its axes are 0.1065 m and 0.1715 m over the floor.
    assert [place[2] for place in places] == pytest.approx([0.1065, 0.1715, 0.3925], abs=0.001)


@pytest.mark.parametrize("name", ["Ned", "Rosbot"])
def test_it_stands_still(name: str):
    with bench(f'{name} {{\n  controller "<none>"\n}}\n') as one:
        one.run(1)
        start = one.place
        one.run(3)
        assert abs(one.place - start).max() < 0.002


def test_a_rosbot_has_its_devices_and_weighs_2450_g():
    robot = made("Rosbot {\n}\n")
    assert sum(one.get("mass") for one in parts(robot, "Physics")) == pytest.approx(2.45, abs=0.6)
    motors = [one.get("name") for one in parts(robot, "RotationalMotor")]
    assert motors[:4] == [f"{wheel}_wheel_joint" for wheel in ("fl", "fr", "rl", "rr")]
    names = {one.get("name") for one in parts(robot, "DistanceSensor")}
    assert names == {"fl_range", "fr_range", "rl_range", "rr_range"}
    for name in ("front left wheel motor sensor", "imu accelerometer", "laser", "camera rgb"):
        named(robot, name)


def test_an_epick_gripper_holds_by_vacuum():
    gripper = made("RobotiqEPickGripper {\n}\n")
    assert len(parts(gripper, "VacuumGripper")) == 1
    named(gripper, "ROBOTIQ EPick Gripper vacuum joint")
    named(gripper, "ROBOTIQ EPick Gripper vacuum joint sensor")
    assert sum(one.get("mass") for one in parts(gripper, "Physics")) == pytest.approx(0.746)


def test_a_ball_candy_rolls_on_its_radius():
    candy = made("BallCandy {\n}\n")
    assert parts(candy, "Sphere")[0].get("radius") == 0.0325
    assert parts(candy, "Physics")[0].get("mass") == 0.16


@pytest.mark.parametrize(("kind", "length"), [("regular", 0.13), ("flat", 0.4)])
def test_a_rock_has_its_size(kind: str, length: float):
    rock = made(f'Rock {{\n  type "{kind}"\n  scale 2\n}}\n')
    corners = [tuple(one) for one in parts(rock, "Coordinate")[0].get("point")]
    extent = max(x for x, _, _ in corners) - min(x for x, _, _ in corners)
    assert extent == pytest.approx(2 * length, rel=0.1)
    if kind == "flat":
        assert min(z for _, _, z in corners) == 0


def test_a_truck_carries_what_is_in_its_slots():
    slots = 'trailer Solid {\n    name "trailer"\n  }\n  sensorsSlotTop [\n    GPS {\n    }\n  ]'
    text = f"TruckSimple {{\n  {slots}\n}}\n"
    truck = load(text).nodes[0].root
    named(truck, "trailer")
    named(truck, "gps")
    assert parts(truck, "Physics") == []


def test_a_bus_has_its_wheels_and_its_extent():
    """Webots' own: wheels at x 0 and 4.5, and y 1.25; a box of 9.73 m by 2.64 m."""
    bus = load("BusSimple {\n}\n").nodes[0].root
    assert parts(bus, "Physics") == []
    sides = ("front left", "front right", "rear left", "rear right")
    places = [pose(named(bus, f"{side} wheel"), bus)[0] for side in sides]
    assert [(x, y) for x, y, _ in places] == [(4.5, 1.25), (4.5, -1.25), (0, 1.25), (0, -1.25)]
    length, width, _ = parts(bus.get("boundingObject"), "Box")[0].get("size")
    assert (length, width) == (9.73, 2.64)


def test_a_sensor_of_the_khepera_iii_reads_653_at_4_cm():
    rows = made('Khepera3_DistanceSensor {\n  name "ds0"\n}\n').get("lookupTable")
    assert [0.0405, 653, 0.2669] in [[round(float(one), 6) for one in row] for row in rows]


def test_a_plug_s_cable_follows_its_path():
    plug = made("ElectricalPlug {\n  cablePath [ 0 0 0, 0 0.3 0, 0.4 0.3 0 ]\n}\n")
    lengths = [one.get("height") for one in parts(plug, "Cylinder") if math.isclose(one.get("radius"), 0.003)]
    assert lengths == pytest.approx([0.3, 0.4])


def test_an_exit_sign_has_its_size():
    assert [tuple(one.get("size")) for one in parts(made("EmergencyExitSign {\n}\n"), "Box")][0] == (
        0.38,
        0.17,
        0.08,
    )
