"""The e-puck equals the data; the other robots have the devices their users call."""

from __future__ import annotations

import math

import pytest

from tests.protos.models import apply, load, made, named, parts, pose, table

MOTION = ["left wheel motor", "left wheel sensor", "right wheel motor", "right wheel sensor"]
DEVICES = """
RotationalMotor PositionSensor DistanceSensor LightSensor LED Camera Accelerometer Gyro Compass Receiver
Emitter Speaker Lidar GPS
""".split()


def devices(robot) -> list[str]:
    return [one.get("name") for kind in DEVICES for one in parts(robot, kind)]


@pytest.fixture(scope="module", params=["1", "2"])
def epuck(request):
    return request.param, made(f'E-puck {{\n  version "{request.param}"\n}}\n')


@pytest.fixture(scope="module")
def geometry(facts):
    return facts["E-puck"]["geometry"]


def test_epuck_has_all_devices_of_its_version(epuck, facts):
    version, robot = epuck
    wanted = {name for name in facts["E-puck"]["devices"] if "(" not in name} | {"gyro"}
    wanted |= {"tof"} if version == "2" else set()
    found = devices(robot)
    assert set(found) == wanted
    assert len(found) == len(set(found))


def test_epuck_body_has_the_mass_of_its_version(epuck, geometry):
    version, robot = epuck
    physics = robot.get("physics")
    assert physics.get("density") == -1
    assert physics.get("mass") == geometry["body_mass"][f"version {version}"]
    assert [list(one) for one in physics.get("centerOfMass")] == [geometry["body_centerOfMass"]]
    assert [list(one) for one in physics.get("inertiaMatrix")] == [
        [9.78585e-05, 8.64333e-05, 8.74869e-05],
        [0, 0, 0],
    ]
    assert robot.get("model") == geometry["model"][f"version {version}"]
    assert robot.get("cpuConsumption") == geometry["cpuConsumption"]


def test_epuck_collides_by_a_cylinder_and_a_box(epuck, geometry):
    _, robot = epuck
    for wanted, found in zip(
        geometry["body_bounding"], robot.get("boundingObject").get("children"), strict=True
    ):
        assert list(found.get("translation")) == wanted["translation"]
        (shape,) = found.get("children")
        for field, value in wanted[shape.type].items():
            given = shape.get(field)
            assert (list(given) if isinstance(given, tuple) else given) == value


@pytest.mark.parametrize("side", ["left", "right"])
def test_epuck_wheels_equal_the_data(epuck, geometry, side):
    version, robot = epuck
    motor = named(robot, f"{side} wheel motor")
    assert motor.get("maxVelocity") == geometry["wheel_motor"]["maxVelocity"][f"version {version}"]
    assert motor.get("consumptionFactor") == geometry["wheel_motor"]["consumptionFactor"]
    assert named(robot, f"{side} wheel sensor").get("resolution") == geometry["wheel_sensor_resolution"]
    joint = motor.parent
    parameters, wheel = joint.get("jointParameters"), joint.get("endPoint")
    assert list(parameters.get("axis")) == geometry["hinge_axis"]
    assert list(parameters.get("anchor")) == geometry["hinge_anchor"]
    assert list(wheel.get("translation")) == geometry["wheel_centres"][side == "right"]
    assert wheel.get("physics").get("mass") == geometry["wheel_mass"]
    bounding = wheel.get("boundingObject")
    (cylinder,) = bounding.get("children")
    assert cylinder.get("radius") == geometry["wheel_bounding_radius"]
    assert cylinder.get("height") == geometry["wheel_bounding_width"]
    assert apply(pose(cylinder, wheel)[1], (0, 0, 1)) == pytest.approx((0, -1, 0), abs=1e-6)


@pytest.mark.parametrize("index", range(8))
def test_epuck_proximity_sensor_equals_the_data(epuck, geometry, index):
    _, robot = epuck
    wanted = geometry["proximity_sensors"]["sensors"][index]
    (sensor,) = [one for one in parts(robot, "DistanceSensor") if one.get("name") == wanted["name"]]
    place, turn = pose(sensor, robot)
    assert place == pytest.approx(wanted["translation"])
    assert apply(turn, (1, 0, 0)) == pytest.approx(wanted["ray_direction"], abs=1e-4)
    assert table(sensor) == geometry["proximity_sensors"]["lookupTable"]
    assert sensor.get("type") == geometry["proximity_sensors"]["type"]
    assert sensor.get("aperture") == geometry["proximity_sensors"]["aperture"]


@pytest.mark.parametrize("index", range(8))
def test_epuck_light_sensor_stands_beside_the_proximity_sensor(epuck, geometry, index):
    _, robot = epuck
    wanted = geometry["proximity_sensors"]["sensors"][index]
    sensor = named(robot, f"ls{index}")
    assert list(sensor.get("translation")) == [*wanted["translation"][:2], 0.0329]
    assert list(sensor.get("rotation")) == wanted["rotation"]
    assert table(sensor) == geometry["light_sensors"]["lookupTable"]


def test_epuck_leds_are_where_the_data_says(epuck, geometry):
    _, robot = epuck
    for index in range(8):
        assert list(named(robot, f"led{index}").get("translation")) == geometry["leds"][f"led{index}"]
    assert list(named(robot, "led9").get("translation")) == [0.031, -0.0125, 0.0285]
    assert [list(one) for one in named(robot, "led8").get("color")] == [[0, 1, 0]]


def test_epuck_camera_and_inertial_sensors_equal_the_data(epuck, geometry):
    _, robot = epuck
    camera = named(robot, "camera")
    for field in ("near", "fieldOfView", "width", "height"):
        assert camera.get(field) == geometry["camera"][field]
    assert list(camera.get("translation")) == geometry["camera"]["translation"]
    assert camera.get("zoom").type == "Zoom"
    assert table(named(robot, "accelerometer")) == geometry["accelerometer_lookupTable"]
    assert table(named(robot, "gyro")) == geometry["gyro_lookupTable"]


def test_epuck_time_of_flight_sensor_looks_ahead(geometry):
    robot = made('E-puck {\n  version "2"\n}\n')
    sensor = named(robot, "tof")
    assert list(sensor.get("translation")) == geometry["tof"]["translation"]
    assert table(sensor) == geometry["tof"]["lookupTable"]
    assert apply(pose(sensor, robot)[1], (1, 0, 0)) == pytest.approx((1, 0, 0), abs=1e-3)


def test_kinematic_epuck_has_no_physics():
    assert parts(made("E-puck {\n  kinematic TRUE\n}\n"), "Physics") == []
    assert len(parts(made("E-puck {\n}\n"), "Physics")) == 3


def test_epuck_fields_reach_its_devices():
    robot = made(
        "E-puck {\n  camera_width 40\n  camera_height 1\n  distance_sensor_numberOfRays 3\n"
        "  emitter_channel 7\n  receiver_channel 8\n  battery [ 1 2 3 ]\n  supervisor TRUE\n}\n"
    )
    assert (named(robot, "camera").get("width"), named(robot, "camera").get("height")) == (40, 1)
    assert {one.get("numberOfRays") for one in parts(robot, "DistanceSensor")} == {3}
    assert (named(robot, "emitter").get("channel"), named(robot, "receiver").get("channel")) == (7, 8)
    assert list(robot.get("battery")) == [1, 2, 3]
    assert robot.get("supervisor") is True


def test_an_unknown_epuck_version_is_told():
    world = load('E-puck {\n  version "3"\n}\n')
    assert any("version" in text for text in [*map(str, world.report), *world.report.notes])
    assert world.nodes[0].root.get("model") == "GCtronic e-puck"


@pytest.mark.parametrize(("name", "side"), [("gs0", 0.01), ("gs1", 0), ("gs2", -0.01)])
def test_ground_sensors_look_down_from_left_to_right(facts, geometry, name, side):
    robot = made("E-puck {\n  groundSensorsSlot [\n    E-puckGroundSensors {\n    }\n  ]\n}\n")
    sensor = named(robot, name)
    place, turn = pose(sensor, robot)
    slot = geometry["slots"]["groundSensorsSlot"]
    height = facts["E-puckGroundSensors"]["geometry"]["sensors"][0]["translation"][1]
    assert place == pytest.approx((slot[0], side, slot[2] + height), abs=1e-6)
    assert apply(turn, (1, 0, 0)) == pytest.approx((0, 0, -1), abs=1e-5)
    assert table(sensor) == facts["E-puckGroundSensors"]["geometry"]["lookupTable"]
    assert sensor.get("type") == "infra-red"


def test_turret_slot_is_on_top(geometry):
    robot = made("E-puck {\n  turretSlot [\n    GPS {\n    }\n  ]\n}\n")
    assert list(pose(named(robot, "gps"), robot)[0]) == geometry["slots"]["turretSlot"]


def test_pioneer_has_sixteen_sonars_around_it():
    robot = made("Pioneer3dx {\n}\n")
    headings = []
    for index in range(16):
        sensor = named(robot, f"so{index}")
        assert sensor.get("type") == "sonar"
        assert [entry[:2] for entry in table(sensor)] == [[0, 1024], [5, 0]]
        place, turn = pose(sensor, robot)
        ray = apply(turn, (1, 0, 0))
        assert place[0] * ray[0] + place[1] * ray[1] > 0
        headings.append(round(math.degrees(math.atan2(ray[1], ray[0]))))
    assert headings == [90, 50, 30, 10, -10, -30, -50, -90, -90, -130, -150, -170, 170, 150, 130, 90]


def test_pioneer_wheels_touch_the_ground_and_it_weighs_nine_kilograms():
    robot = made("Pioneer3dx {\n}\n")
    for side in ("left", "right"):
        motor = next(one for one in parts(robot, "RotationalMotor") if one.get("name") == f"{side} wheel")
        assert motor.get("maxVelocity") * 0.0975 == pytest.approx(1.2, abs=0.001)
        named(robot, f"{side} wheel sensor")
    assert sum(one.get("mass") for one in parts(robot, "Physics")) == pytest.approx(9, rel=2e-3)
    caster = next(one for one in parts(robot, "Solid") if one.get("name") == "caster wheel")
    assert pose(caster, robot)[0][2] - 0.0375 == pytest.approx(-0.0975)


def test_turtlebot_has_the_devices_its_users_call():
    robot = made("TurtleBot3Burger {\n}\n")
    # The lidar and its motors: RobotisLds01.proto and TurtleBot3Burger.proto of R2025a.
    lidar = ["LDS-01", "LDS-01_main_motor", "LDS-01_secondary_motor"]
    assert sorted(devices(robot)) == sorted([*MOTION, *lidar, "accelerometer", "gyro", "compass"])
    assert sum(one.get("mass") for one in parts(robot, "Physics")) == pytest.approx(1, abs=0.015)


def test_the_slot_of_a_turtlebot_takes_another_sensor_instead_of_its_lidar():
    robot = made("TurtleBot3Burger {\n  extensionSlot [\n    GPS {\n    }\n  ]\n}\n")
    assert "gps" in devices(robot)
    assert "LDS-01" not in devices(robot)


@pytest.mark.parametrize(
    ("motors", "names", "mass"),
    [("4", ["front left", "front right", "rear left", "rear right"], 0.69), ("2", ["left", "right"], 0.6)],
)
def test_four_wheel_robot_has_the_parts_its_header_lists(motors, names, mass):
    robot = made(f'FourWheelRobot {{\n  motors "{motors}"\n}}\n')
    assert [one.get("name") for one in parts(robot, "RotationalMotor")] == [f"{name} motor" for name in names]
    assert [one.get("name") for one in parts(robot, "PositionSensor")] == [
        f"{name} encoder" for name in names
    ]
    sensors = {one.get("name"): one.get("type") for one in parts(robot, "DistanceSensor")}
    assert sensors == {
        "ir left": "infra-red", "ir center": "infra-red", "ir right": "infra-red", "ultrasonic": "sonar",
    }  # fmt: skip
    assert [one.get("name") for one in parts(robot, "LED")] == ["red led", "green led"]
    assert sum(one.get("mass") for one in parts(robot, "Physics")) == pytest.approx(mass)
    assert len(parts(robot, "BallJoint")) == (1 if motors == "2" else 0)


def test_four_wheel_robot_s_sensors_read_as_the_parts_do():
    robot = made("FourWheelRobot {\n}\n")
    readings = table(named(robot, "ir center"))
    assert max(value for _, value, _ in readings) == 634
    falling = [value for distance, value, _ in readings if distance >= 0.06]
    assert falling == sorted(falling, reverse=True)
    assert all(0 <= value <= 1023 for _, value, _ in readings)
    assert [entry[:2] for entry in table(named(robot, "ultrasonic"))[1:]] == [[0.02, 2], [4, 400]]
    left = apply(pose(named(robot, "ir left"), robot)[1], (1, 0, 0))
    assert left[1] > 0.5 and left[0] > 0.5


def test_four_wheel_robot_s_slots_take_devices():
    robot = made(
        "FourWheelRobot {\n  bodySlot [\n    GPS {\n    }\n  ]\n  sensorSlot [\n    Camera {\n    }\n  ]\n}\n"
    )
    assert pose(named(robot, "gps"), robot)[0] == pytest.approx((0, 0, 0.0725))
    assert pose(named(robot, "camera"), robot)[0] == pytest.approx((0.1, 0, 0.05))
