"""Robots, tools and roads that public worlds name: devices, sizes and motion.

Facts are those of Webots' own models and user guide: names of devices, places of joints, masses, sizes.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import load, made, named, parts, pose
from wbridge.wbcore.scene.load import load_text

HUMANOID = [
    *("Neck Head".split()),
    *(f"{joint}{side}" for joint in "Shoulder ArmUpper ArmLower PelvY Pelv".split() for side in "LR"),
    *(f"{joint}{side}" for joint in "LegUpper LegLower Ankle Foot".split() for side in "LR"),
]
IPR = "base upperarm forearm wrist rotational_wrist left_gripper right_gripper".split()
MOTORS = {
    "RobotisOp3": HUMANOID,
    "RobotisOp2Hinge2": HUMANOID,
    "Darwin-op": HUMANOID,
    "Mir100": ["middle_left_wheel_joint", "middle_right_wheel_joint"],
    "IprHd6m180": IPR,
    "IprHd6m90": IPR,
    "IprHd6ms180": IPR,
    "IprHd6ms90": IPR,
    "Pioneer2": ["left wheel motor", "right wheel motor"],
    "Koala": ["left wheel motor", "right wheel motor"],
    "AiboErs7": [
        *(f"PRM:/r{leg}/{'/'.join(f'c{k}' for k in range(1, joint + 1))}-Joint2:{leg}{joint}"
          for leg in range(2, 6) for joint in range(1, 4)),
        *("PRM:/r1/c1-Joint2:11 PRM:/r1/c1/c2-Joint2:12 PRM:/r1/c1/c2/c3-Joint2:13".split()),
        *("PRM:/r1/c1/c2/c3/c4-Joint2:14 PRM:/r6/c1-Joint2:61 PRM:/r6/c2-Joint2:62".split()),
        *("PRM:/r1/c1/c2/c3/e5-Joint4:15 PRM:/r1/c1/c2/c3/e6-Joint4:16".split()),
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(MOTORS))
def test_a_robot_has_the_motors_of_webots_own(name: str):
    robot = made(f"{name} {{\n}}\n")
    assert sorted(one.get("name") for one in parts(robot, "RotationalMotor")) == sorted(MOTORS[name])


@pytest.mark.parametrize(
    ("name", "field"),
    [
        *(
            (name, "")
            for name in ("AiboErs7", "IprHd6m90", "Koala", "Mir100", "Pioneer2", "Pr2", "RobotisOp3")
        ),
        ("ScaraT6", "staticBase TRUE"),
    ],
)
def test_a_robot_stands_still(name: str, field: str):
    with bench(f'{name} {{\n  controller "<none>"\n  {field}\n}}\n') as one:
        one.run(1)
        start = one.place
        one.run(3)
        assert abs(one.place - start).max() < 0.003


def test_a_scara_that_is_not_fixed_falls_over_its_foot():
    """Masses of Webots' PROTO: their center, 0.145 m in front, is off a foot that ends at 0.121 m."""
    with bench("ScaraT6 {\n}\n") as one:
        assert one.mass == pytest.approx(22.001)
        one.run(3)
        assert one.tilt > 0.3


def test_the_shaft_of_a_scara_is_where_its_arms_put_it():
    """Anchors of Webots' PROTO: 0.363 + 0.2615 m in front of its origin, 0.256 - 0.074 m above it."""
    scara = made("ScaraT6 {\n  handSlot [\n    GPS {\n    }\n  ]\n}\n")
    assert pose(parts(scara, "GPS")[0], scara)[0] == pytest.approx([0.6245, 0, 0.182], abs=1e-6)


def test_an_op3_has_the_mass_and_the_legs_of_its_maker():
    robot = made("RobotisOp3 {\n}\n")
    assert sum(one.get("mass") for one in parts(robot, "Physics")) == pytest.approx(3.1475, abs=1e-3)
    hip, foot = (np.array(pose(named(robot, name), robot)[0]) for name in ("LegUpperLSolid", "FootLSolid"))
    assert foot - hip == pytest.approx([-0.0241, -0.019, -0.22015], abs=1e-6)


def test_a_mir100_drives_as_far_as_its_wheels_turn():
    """1 rad/s on wheels of 62.5 mm for 4 s, without slipping."""
    with bench('Mir100 {\n  controller "<extern>"\n}\n') as one:
        one.run(0.5)
        start = one.place
        one.spin({f"middle_{side}_wheel_joint": 1 for side in ("left", "right")})
        one.run(4)
        assert one.place[0] - start[0] == pytest.approx(0.25, rel=0.05)


def test_slots_of_a_mir100_hold_lidars():
    robot = made("Mir100 {\n  frontLidarSlot [\n    SickS300 {\n    }\n  ]\n}\n")
    lidar = parts(robot, "Lidar")[0]
    assert pose(lidar, robot)[0] == pytest.approx([0.4288, 0.2358, 0.188], abs=1e-4)


def test_a_stereo_head_has_the_devices_that_its_fields_ask_for():
    head = made('MultiSenseS21 {\n  name "eye"\n  rightCamera FALSE\n  metaRangeFinder TRUE\n}\n')
    assert [one.get("name") for one in parts(head, "Camera")] == ["eye left camera"]
    assert parts(head, "RangeFinder")[0].get("maxRange") == 300
    named(head, "eye inertial unit")


@pytest.mark.parametrize("release", ["R2019a", "R2025a"])
def test_three_steps_lie_on_each_other(release: str):
    up = "0 0.2 0" if release < "R2022a" else "0 0 0.2"
    steps = f"ThreeSteps {{\n  translation 0 0 0\n  increment {up}\n}}\n"
    world = load_text(f"#VRML_SIM {release} utf8\nWorldInfo {{\n}}\n{steps}")
    root, axis = world.nodes[-1].root, 1 if release < "R2022a" else 2
    tops = sorted(pose(step, root)[0][axis] for step in parts(root, "Shape"))
    assert tops == pytest.approx([0.2, 0.4, 0.6])


def test_a_helicoidal_road_climbs_to_its_height():
    road = made("HelicoidalRoadSegment {\n  height 10\n  radius 15\n  heigthStep 5\n}\n")
    points = np.array([tuple(one) for mesh in parts(road, "Coordinate") for one in mesh.get("point")])
    assert points[:, 2].max() == pytest.approx(10, abs=0.3)
    assert np.hypot(points[:, 0], points[:, 1]).max() == pytest.approx(15 + 3.5 + 0.8, abs=0.1)


@pytest.mark.parametrize(("lanes", "left", "y"), [(2, "TRUE", 10.5), (1, "FALSE", -7)])
def test_a_road_widens_by_its_new_lanes(lanes: int, left: str, y: float):
    """Lanes of 3.5 m beside a road of 7 m."""
    road = made(f"AddLanesRoadSegment {{\n  numberOfNewLanes {lanes}\n  newLaneLeft {left}\n}}\n")
    ends = [tuple(one) for mesh in parts(road, "Coordinate") for one in mesh.get("point")]
    assert (max if y > 0 else min)(one[1] for one in ends if one[0] == 20) == pytest.approx(y)


def test_an_emergency_button_springs_back():
    text = "EmergencyButton {\n  includePositionSensor TRUE\n}\n"
    button = made(text)
    joint = parts(button, "SliderJoint")[0].get("jointParameters")
    assert joint.get("minStop") == 0 < joint.get("maxStop") and joint.get("springConstant") > 0
    assert len(parts(button, "PositionSensor")) == 1
    assert parts(made("EmergencyButton {\n}\n"), "PositionSensor") == []


@pytest.mark.parametrize(("name", "axis", "thickness"), [("Nut", 2, 0.007), ("Washer", 0, 0.0017)])
def test_a_ring_leaves_its_hole_free(name: str, axis: int, thickness: float):
    """A washer lies about x, as Webots' own mesh of R2023b does."""
    ring = made(f"{name} {{\n  innerRadius 0.01\n}}\n")
    for shape in parts(ring, "Shape"):
        place, size = pose(shape, ring)[0], list(shape.get("geometry").get("size"))
        assert size.pop(axis) == thickness
        assert math.hypot(*place) - size[0] / 2 == pytest.approx(0.01)


def test_the_nodes_of_a_crash_barrier_follow_its_path():
    barrier = made("CrashBarrier {\n  path [ 0 0 0, 4 0 0, 4 6 0 ]\n  poleGap 2\n}\n")
    lengths = [one.get("size")[0] for one in parts(barrier, "Box") if one.get("size")[0] > 1]
    assert lengths == pytest.approx([4, 6])
    assert len([one for one in parts(barrier, "Box") if math.isclose(one.get("size")[0], 0.1)]) == 3 + 4


def test_a_pipe_of_half_the_size_is_half_as_long():
    large, small = (made(f"TJoint {{\n  scale {s} {s} {s}\n}}\n") for s in (1, 0.5))
    sizes = [np.array(parts(one, "Box")[0].get("size")) for one in (large, small)]
    assert sizes[1] == pytest.approx(sizes[0] / 2)


@pytest.mark.parametrize(
    "use", ["Ceiling {\n  castShadows FALSE\n}", "MotorbikeSimple {\n  frontWheelAngularVelocity 0 3 0\n}"]
)
def test_fields_that_saved_worlds_have_are_known(use: str):
    assert [str(one) for one in load(f"{use}\n").report if one.code == "unknown-field"] == []


def test_a_car_of_parts_loads():
    """As public copies of Webots' BmwX5 are made: of the parts of its folder."""
    names = "Mesh Interior InnerWindow FrontLight RearLight LeftIndicator LeftWiper CentralMirror"
    children = " ".join(f"BmwX5{name} {{ }}" for name in names.split())
    world = load(f"WorldInfo {{\n}}\nViewpoint {{\n}}\nGroup {{ children [ {children} ] }}\n")
    (undrawn,) = world.report  # all but the body, which has a model here
    assert undrawn.code == "not-drawn"
    assert ": " + ", ".join(f"BmwX5{name}" for name in names.split()[1:]) + ";" in undrawn.message


def test_a_race_stopwatch_has_the_devices_that_its_controller_calls():
    """As Webots' own: a plate for each digit, and a sensor that looks over 2.5 m of the track."""
    watch = made("RaceStopwatch {\n}\n")
    motors = {motor.get("name") for motor in parts(watch, "LinearMotor")}
    assert motors == {f"digit{place}{digit}" for place in range(6) for digit in "x_0123456789"}
    (detector,) = parts(watch, "DistanceSensor")
    assert [list(row) for row in detector.get("lookupTable")] == [[0, 0, 0], [2.5, 2.5, 0]]
    assert (watch.get("controller"), watch.get("supervisor")) == ("race_stopwatch", True)


def test_a_pit_has_a_rim_of_a_quarter_of_its_height_and_flat_ground_around():
    """Webots' formula: z g (1 - g) for a Gaussian g: at most z / 4, 0 in the middle and beyond 3 sigma."""
    (grid,) = parts(made("Pit {\n  noiseAmplitude 0\n}\n"), "ElevationGrid")
    heights = np.array(grid.get("height")).reshape(50, 50)
    assert heights[25, 25] == pytest.approx(0, abs=1e-6)
    assert heights.max() == pytest.approx(5 / 4, abs=0.01)
    assert heights[0].max() == 0
    assert grid.get("xSpacing") == pytest.approx(20 / 49)


@pytest.mark.parametrize(
    ("body", "size"),
    [
        ("PlasticFruitBox { }", (1.0007, 0.6353, 0.2714)),
        ("CardboardContainer { lid FALSE }", (0.204, 0.104, 0.151)),
        ("RoCKInER02 { }", (0.3, 0.2, 0.2)),
        ("RoCKInShelf { }", (0.33, 0.63, 0.52)),
    ],
)
def test_boxes_have_the_sizes_of_webots(body: str, size: tuple[float, float, float]):
    """Sizes of Webots' own meshes and boxes, R2022b and R2023b."""
    solid = made(f"{body}\n")
    halves = [(pose(box, solid)[0], box.get("size")) for box in parts(solid.get("boundingObject"), "Box")]
    halves += [
        (pose(one, solid)[0], (2 * one.get("radius"), 2 * one.get("radius"), one.get("height")))
        for one in parts(solid.get("boundingObject"), "Cylinder")
    ]
    for axis in range(3):
        low = min(place[axis] - extent[axis] / 2 for place, extent in halves)
        high = max(place[axis] + extent[axis] / 2 for place, extent in halves)
        assert high - low == pytest.approx(size[axis], abs=0.003)
