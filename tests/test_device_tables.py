"""From worlds to device tables: which devices, in which order, with which constants."""

from __future__ import annotations

from pathlib import Path

import pytest

from wbridge.hal.catalogue import kinds
from wbridge.hal.table import DeviceEntry, DeviceTable
from wbridge.wbcore.scene.load import LoadOptions, World, load_text, load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

NEW = "R2023b"


def world(text: str, release: str = NEW) -> World:
    return load_text(f"#VRML_SIM {release} utf8\n{text}", "test.wbt", LoadOptions())


def table(children: str, release: str = NEW, fields: str = "") -> DeviceTable:
    """The table of a world's only robot."""
    (only,) = device_tables(world(f"Robot {{ {fields} children [ {children} ] }}", release))
    return only


def only(children: str, release: str = NEW) -> DeviceEntry:
    """The only device of a robot."""
    (device,) = table(children, release).devices
    return device


def names(found: DeviceTable) -> list[str]:
    return [device.name for device in found.devices]


def motor(name: str, **fields: object) -> str:
    given = " ".join(f"{key} {value}" for key, value in fields.items())
    return f'RotationalMotor {{ name "{name}" {given} }}'


def test_a_world_without_robots_has_no_tables():
    assert device_tables(world("Solid { }")) == []


def test_devices_are_numbered_depth_first_in_scene_order():
    found = table(
        """
        Camera { name "1" children [ Pose { children [ LED { name "2" } ] } ] }
        Group { children [ Solid { name "no device" children [ GPS { name "3" } ] } Gyro { name "4" } ] }
        HingeJoint {
          device [ RotationalMotor { name "5" } PositionSensor { name "6" } Brake { name "7" } ]
          endPoint Solid { children [ TouchSensor { name "8" } ] }
        }
        Compass { name "9" }
        """
    )
    assert names(found) == [str(k) for k in range(1, 10)]
    assert [device.tag for device in found.devices] == list(range(1, 10))


def test_the_devices_of_all_axes_come_before_the_end_point():
    found = table(
        """
        BallJoint {
          device3 [ RotationalMotor { name "z" } ]
          device [ RotationalMotor { name "x" } ]
          endPoint Solid { children [ Gyro { name "end" } ] }
          device2 [ RotationalMotor { name "y" } PositionSensor { name "ys" } ]
        }
        Hinge2Joint { device2 Brake { name "b2" } device Brake { name "b1" } }
        """
    )
    assert names(found) == ["x", "y", "ys", "z", "end", "b1", "b2"]


def test_tracks_slots_propellers_and_skins_are_searched():
    found = table(
        """
        Track { device [ LinearMotor { name "track motor" } ] children [ GPS { name "on the track" } ] }
        Slot { endPoint Slot { endPoint Gyro { name "in a pair of slots" } } }
        Propeller { device RotationalMotor { name "propeller motor" } fastHelix Solid { children LED { } } }
        Skin { name "skin" bones [ SolidReference { solidName "arm" } ] }
        """
    )
    assert names(found) == ["track motor", "on the track", "in a pair of slots", "propeller motor", "skin"]
    assert found.find("skin").constants == {"bones": ["arm"]}


def test_a_joint_s_solid_reference_is_not_followed():
    assert names(
        table('HingeJoint { device Brake { name "b" } endPoint SolidReference { solidName "x" } }')
    ) == ["b"]


def test_robots_inside_of_robots_have_tables_of_their_own():
    outer, inner = device_tables(
        world('Robot { name "a" children [ Robot { name "b" children [ GPS { } ] } Gyro { } ] }')
    )
    assert (outer.name, names(outer)) == ("a", ["gyro"])
    assert (inner.name, names(inner)) == ("b", ["gps"])


def test_only_one_device_of_a_kind_counts_at_an_axis():
    found = table(
        "HingeJoint { device [ " + motor("first") + motor("second") + ' PositionSensor { name "s" } ] }'
    )
    assert names(found) == ["first", "s"]


def test_devices_that_do_not_fit_a_joint_are_left_out():
    assert names(table('SliderJoint { device [ RotationalMotor { } LinearMotor { name "l" } ] }')) == ["l"]


def test_instances_of_models_are_what_they_expand_to(tmp_path: Path):
    (tmp_path / "protos").mkdir()
    (tmp_path / "worlds").mkdir()
    (tmp_path / "protos" / "Eye.proto").write_text(
        '#VRML_SIM R2023b utf8\nPROTO Eye [\n field SFString name "eye"\n field SFInt32 width 8\n]\n'
        "{ Camera { name IS name width IS width } }\n"
    )
    (tmp_path / "protos" / "Bot.proto").write_text(
        '#VRML_SIM R2023b utf8\nEXTERNPROTO "Eye.proto"\nPROTO Bot [\n field MFNode more [ ]\n]\n'
        '{ Robot { name "bot" children [ Eye { } Group { children IS more } ] } }\n'
    )
    path = tmp_path / "worlds" / "w.wbt"
    path.write_text(
        '#VRML_SIM R2023b utf8\nEXTERNPROTO "../protos/Bot.proto"\nEXTERNPROTO "../protos/Eye.proto"\n'
        'Bot { more [ Eye { name "second" width 16 } ] }\n'
    )
    (found,) = device_tables(load_world(path))
    assert found.robot.type == "Robot"
    assert [(d.tag, d.name, d.type, d.constants["width"]) for d in found.devices] == [
        (1, "eye", "Camera", 8),
        (2, "second", "Camera", 16),
    ]


def test_the_robot_is_device_zero():
    robot = table(
        "", fields='name "r" model "M" supervisor TRUE synchronization FALSE battery [ 10 20 3 ]'
    ).robot
    assert (robot.tag, robot.name, robot.type, robot.model) == (0, "r", "Robot", "M")
    assert robot.constants == {
        "basicTimeStep": 32.0,
        "supervisor": True,
        "synchronization": False,
        "battery": [10.0, 20.0, 3.0],
    }
    assert robot.channel("battery").period == "wb_robot_battery_sensor_enable"


def test_world_settings_come_from_world_info_or_the_release():
    info = 'WorldInfo { basicTimeStep 8 gpsCoordinateSystem "WGS84" }'
    (found,) = device_tables(world(info + " Robot { children [ GPS { } InertialUnit { } ] }"))
    assert found.robot.constants["basicTimeStep"] == 8.0
    assert found.find("gps").constants == {"coordinateSystem": "WGS84"}
    assert found.find("inertial unit").constants["coordinateSystem"] == "ENU"
    assert only("InertialUnit { }", "R2020a").constants["coordinateSystem"] == "NUE"


def test_a_supervisor_node_of_old_worlds_is_a_supervisor():
    (found,) = device_tables(world("Supervisor { children [ GPS { } ] }", "V8.3.1"))
    assert found.robot.type == "Supervisor"
    assert found.robot.constants["supervisor"] is True


def test_differential_wheels_of_old_worlds_have_wheels_behind_their_devices():
    fields = "maxSpeed 5 speedUnit 0.5 encoderResolution 100 encoderNoise 0 maxForce 0.2"
    (found,) = device_tables(world(f"DifferentialWheels {{ {fields} children [ GPS {{ }} ] }}", "V8.3.1"))
    assert found.robot.constants["maxSpeed"] == 5.0
    assert found.robot.channel("speed").shape == (2,)
    wheels = [f"{side} wheel {kind}" for side in ("left", "right") for kind in ("motor", "sensor")]
    assert names(found) == ["gps", *wheels]
    motor, sensor = found.devices[1], found.devices[2]
    assert (motor.type, sensor.type) == ("RotationalMotor", "PositionSensor")
    assert (motor.constants["maxVelocity"], motor.constants["multiplier"]) == (5.0, 0.5)
    assert motor.constants["maxTorque"] == 0.2
    assert (motor.constants["positionSensor"], sensor.constants["motor"]) == (3, 2)
    assert sensor.model == "100.0 increments/rad"


def test_encoders_that_are_not_simulated_have_no_resolution():
    (found,) = device_tables(world("DifferentialWheels { encoderResolution 100 }", "V8.3.1"))
    assert found.find("left wheel sensor").model == ""


@pytest.mark.parametrize(("kind", "motor"), [("rotational", "RotationalMotor"), ("linear", "LinearMotor")])
def test_a_servo_of_old_worlds_is_a_motor_and_a_position_sensor(kind, motor):
    fields = 'name "neck" maxForce 3 maxVelocity 2 controlP 7 minPosition -1 maxPosition 0.5'
    (found,) = device_tables(
        world(f'Robot {{ children [ Servo {{ type "{kind}" {fields} children [ GPS {{ }} ] }} ] }}', "V8.3.1")
    )
    assert names(found) == ["neck", "neck sensor", "gps"]
    made, sensor, _ = found.devices
    assert (made.type, made.constants["type"], sensor.constants["type"]) == (motor, kind, kind)
    assert made.constants["maxTorque" if kind == "rotational" else "maxForce"] == 3.0
    assert (made.constants["maxVelocity"], made.constants["controlPID"]) == (2.0, [7.0, 0.0, 0.0])
    assert (made.constants["minPosition"], made.constants["maxPosition"]) == (-1.0, 0.5)
    assert (made.constants["positionSensor"], sensor.constants["motor"]) == (2, 1)


def test_siblings_at_an_axis_know_each_other():
    found = table(
        "Hinge2Joint { device [ " + motor("a") + ' PositionSensor { name "as" } ] '
        "device2 [ " + motor("b") + ' Brake { name "bb" } ] }'
    )
    assert [found.find(n).constants["positionSensor"] for n in ("a", "b")] == [2, 0]
    assert [found.find(n).constants["brake"] for n in ("a", "b")] == [0, 4]
    assert found.find("as").constants["motor"] == 1
    assert found.find("bb").constants["motor"] == 3


def test_motors_that_share_the_first_part_of_their_names_are_coupled():
    joints = "".join(
        f"HingeJoint {{ device {motor(n)} }}" for n in ("grip::left", "grip::right", "grip", "other::left")
    )
    found = table(joints)
    assert [device.constants["coupled"] for device in found.devices] == [[2], [1], [], []]


def test_a_position_sensor_is_linear_on_a_slider_and_rotational_elsewhere():
    assert only("SliderJoint { device PositionSensor { } }").constants["type"] == "linear"
    assert only("HingeJoint { device PositionSensor { } }").constants["type"] == "rotational"
    assert only("Track { device PositionSensor { } }").constants["type"] == "linear"


def test_motors_have_the_constants_of_their_kind():
    rotational = only("HingeJoint { device " + motor("m", maxTorque=3, minPosition=-1, maxPosition=1) + " }")
    assert rotational.constants["maxTorque"] == 3.0
    assert (rotational.constants["minPosition"], rotational.constants["maxPosition"]) == (-1.0, 1.0)
    assert "maxForce" not in rotational.constants
    assert only("SliderJoint { device LinearMotor { } }").constants["maxForce"] == 10.0


def test_distance_sensors_give_the_ends_of_their_lookup_table():
    sensor = only("DistanceSensor { lookupTable [ 0 1023 0, 0.5 200 0.1, 1 300 0 ] }")
    assert sensor.constants["lookupTable"] == [[0.0, 1023.0, 0.0], [0.5, 200.0, 0.1], [1.0, 300.0, 0.0]]
    assert (sensor.constants["minValue"], sensor.constants["maxValue"]) == (200.0, 1023.0)
    empty = only("DistanceSensor { lookupTable [ ] }")
    assert (empty.constants["minValue"], empty.constants["maxValue"]) == (0.0, 0.0)


def test_a_camera_takes_limits_from_the_nodes_in_its_fields():
    plain = only("Camera { fieldOfView 0.9 width 40 height 30 }")
    assert (plain.constants["minFieldOfView"], plain.constants["maxFieldOfView"]) == (0.9, 0.9)
    assert plain.constants["maxFocalDistance"] == 0.0
    assert plain.channel("image").shape == (30, 40, 4)
    assert plain.channel("objects") is None
    rich = only(
        "Camera { zoom Zoom { minFieldOfView 0.2 } focus Focus { maxFocalDistance 3 }"
        " recognition Recognition { segmentation TRUE } }"
    )
    assert (rich.constants["minFieldOfView"], rich.constants["maxFieldOfView"]) == (0.2, 1.5)
    assert rich.constants["maxFocalDistance"] == 3.0
    assert rich.channel("objects").period == "wb_camera_recognition_enable"
    assert rich.channel("segmentationImage") is not None


def test_a_range_finder_camera_of_old_worlds_gives_ranges():
    camera = only('Camera { type "range-finder" width 8 height 2 }', "V8.3.1")
    assert camera.channel("rangeImage").shape == (2, 8)
    assert camera.channel("image") is None


@pytest.mark.parametrize(
    ("text", "projection"),
    [
        ("Camera { }", "planar"),
        ("Camera { spherical TRUE }", "cylindrical"),
        ('RangeFinder { projection "spherical" }', "spherical"),
        ("Lidar { }", "cylindrical"),
        ("Lidar { spherical FALSE }", "planar"),
    ],
)
def test_the_projection_follows_old_and_new_fields(text, projection):
    assert only(text).constants["projection"] == projection


def test_a_touch_sensor_s_channel_depends_on_its_type():
    assert [c.name for c in only('TouchSensor { type "force-3d" }').channels] == ["force"]
    assert [c.name for c in only("TouchSensor { }").channels] == ["value"]


def test_defaults_are_those_of_the_file_s_release():
    assert only("DistanceSensor { }", "V7.0").constants["type"] == "infra-red"
    assert only("DistanceSensor { }", "V8.3.1").constants["type"] == "generic"


def test_only_devices_that_are_solids_have_a_model():
    found = table('Camera { model "OV" } HingeJoint { device ' + motor("m") + " }")
    assert [device.model for device in found.devices] == ["OV", ""]


def test_every_device_kind_gives_a_table_that_survives_its_text():
    joints = "HingeJoint { device [ RotationalMotor { } PositionSensor { } Brake { } ] }"
    joints += "SliderJoint { device LinearMotor { } }"
    at_joints = {"RotationalMotor", "LinearMotor", "PositionSensor", "Brake"}
    other = {"Robot", "Supervisor", "CustomRobot", "DifferentialWheels", "Servo"}
    solids = [one for one, kind in kinds().items() if not kind.abstract and one not in at_joints | other]
    found = table(" ".join(f"{name} {{ }}" for name in solids) + joints)
    assert [device.type for device in found.devices][: len(solids)] == solids
    assert len(found.devices) == len(solids) + 4
    assert DeviceTable.from_json(found.canonical()) == found


def test_the_same_world_gives_the_same_hash():
    first, second = (table("Camera { } HingeJoint { device " + motor("m") + " }") for _ in range(2))
    assert first.hash == second.hash
    assert first.hash != table("Camera { }").hash


def test_deep_trees_are_no_problem():
    depth = 2000
    deep = "Group { children [ " * depth + 'GPS { name "deep" }' + " ] }" * depth
    assert names(table(deep)) == ["deep"]
