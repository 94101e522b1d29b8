"""What users reported as wrong about devices, each with a value from outside.

The names and comments name public reports (owner/repository#number).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.devices.rig import NEW, OLD, STEP_MS, Rig, rig, robot, world
from wbridge.wbcore.scene.load import load_text

FREE = "gravity 0"
DT = STEP_MS / 1000


def test_webots_5371_the_first_speed_of_a_gps_is_that_of_its_robot():
    """cyberbotics/webots#5371: at rest far from the origin the first speed is 0, and 0 after a reset as
    well.
    """
    for physics in ("", "boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }"):
        r = rig('GPS { name "gps" }', fields=f"translation 30 -40 5 {physics}", info=FREE)
        r.enable("gps")
        for _ in range(3):
            r.step()
            assert math.isnan(r["gps"].get_speed()) or r["gps"].get_speed() == pytest.approx(0, abs=1e-9)
        r.simulation.reset()
        r.lockstep.restart_time()
        r.step(2)
        assert r["gps"].get_speed() == pytest.approx(0, abs=1e-9)


def test_webots_1693_accelerometers_on_a_turning_disc():
    """cyberbotics/webots#1693: w^2 r toward the axis in the sensor's frame, g upward, nothing at the
    center.
    """
    w, radius = math.pi / 4, 0.5
    sensors = "".join(
        f'Accelerometer {{ name "{n}" translation {x} {y} 0 }}'
        for n, x, y in (("c", 0, 0), ("x", radius, 0), ("y", 0, radius))
    )
    text = (
        "HingeJoint { jointParameters HingeJointParameters { axis 0 0 1 } device RotationalMotor "
        '{ name "m" maxTorque 1000 } '
        f'endPoint Solid {{ name "disc" boundingObject Box {{ size 1 1 0.1 }} physics Physics {{ '
        f"}} children [ {sensors} ] }} }}"
    )
    r = rig(text)
    r.enable("c", "x", "y")
    r["m"].set_position(math.inf)
    r["m"].set_velocity(w)
    r.step(50)
    assert r["c"].get_values() == pytest.approx([0, 0, 9.81], abs=1e-2)
    assert r["x"].get_values() == pytest.approx([-w * w * radius, 0, 9.81], abs=1e-2)
    assert r["y"].get_values() == pytest.approx([0, -w * w * radius, 9.81], abs=1e-2)


def test_webots_2913_a_gyro_that_lies_still_reads_zero():
    """cyberbotics/webots#2913."""
    r = rig(
        'Gyro { name "g" }',
        "Solid { boundingObject Plane { } }",
        "translation 0 0 0.05 boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }",
    )
    r.enable("g")
    r.step(30)
    for _ in range(20):
        r.step()
        assert r["g"].get_values() == pytest.approx([0, 0, 0], abs=1e-3)


def test_webots_6393_wgs84_around_the_reference():
    """cyberbotics/webots#6393: 1 km east and north: judge: the metres per degree of the ellipsoid at the
    reference.
    """
    lat0, lon0 = math.radians(46.5), math.radians(3)
    a, e2 = 6378137.0, 0.00669437999014
    n = a / math.sqrt(1 - e2 * math.sin(lat0) ** 2)
    m = a * (1 - e2) / (1 - e2 * math.sin(lat0) ** 2) ** 1.5
    for place in ((0, 0), (100, 0), (0, 100), (-100, 50)):
        r = rig(
            'GPS { name "gps" }',
            fields=f"translation {place[0]} {place[1]} 0",
            info='gpsCoordinateSystem "WGS84" gpsReference 46.5 3 0',
        )
        r.enable("gps")
        r.step()
        latitude, longitude, _ = r["gps"].get_values()
        # On the central meridian of the zone UTM differs by its scale of 0.9996 alone.
        assert math.radians(latitude) - lat0 == pytest.approx(place[1] / m, abs=1e-3 * 100 / m)
        assert math.radians(longitude) - lon0 == pytest.approx(
            place[0] / (n * math.cos(lat0)), abs=1e-3 * 100 / n / math.cos(lat0)
        )


def pair(distance: float = 1.0, emitter: str = "", receiver: str = "") -> tuple[Rig, Any, Any]:
    text = robot(f'Emitter {{ name "e" {emitter} }}', name="one")
    text += robot(f'Receiver {{ name "r" {receiver} }}', f"translation {distance} 0 0", name="two")
    r = Rig(world(text))
    other = r.of(r.connect("two"), "r")
    other.enable(STEP_MS)
    return r, r["e"], other


def test_webots_6392_the_direction_of_an_emitter_is_a_unit_vector():
    """cyberbotics/webots#6392: three numbers toward the emitter, here along -x."""
    r, emitter, receiver = pair(2)
    emitter.send(b"hello")
    r.step(2)
    assert list(receiver.get_emitter_direction()) == pytest.approx([-1, 0, 0])
    # Reference manual: the strength is 1 / distance^2 without noise.
    assert receiver.get_signal_strength() == pytest.approx(0.25)


def test_webots_1384_messages_after_a_reset_arrive_in_the_next_step():
    """cyberbotics/webots#1384, aidudezzz/deepbots#51: old packets are gone; new ones come at once and in
    order.
    """
    r, emitter, receiver = pair()
    seen = []
    for turn in range(3):
        for i in range(4):
            emitter.send(f"{turn}{i}".encode())
            r.step()
            while receiver.get_queue_length() > 0:
                seen.append(bytes(receiver.get_data()).rstrip(b"\0"))
                receiver.next_packet()
        r.simulation.reset()
        r.lockstep.restart_time()
    turns = [one[:1] for one in seen]
    assert turns == sorted(turns)
    for turn in (b"0", b"1", b"2"):
        assert [one for one in seen if one[:1] == turn][-1] in (turn + b"2", turn + b"3")
        assert [one for one in seen if one[:1] == turn][0] == turn + b"0"


@pytest.mark.parametrize("y", np.linspace(-0.45, 0.45, 7))
@pytest.mark.parametrize("z", [-0.3, 0.0, 0.3])
def test_webots_2605_a_sonar_sees_every_part_of_a_face_of_triangles(y: float, z: float):
    """cyberbotics/webots#2605: both triangles of a side count: distance 1 everywhere."""
    points = "1 -0.5 -0.5, 1 0.5 -0.5, 1 0.5 0.5, 1 -0.5 0.5, 2 -0.5 -0.5, 2 0.5 -0.5, 2 0.5 0.5, 2 -0.5 0.5"
    faces = "0 3 2 1 -1, 4 5 6 7 -1, 0 1 5 4 -1, 3 7 6 2 -1, 0 4 7 3 -1, 1 2 6 5 -1"
    wall = (
        f"Solid {{ boundingObject IndexedFaceSet {{ coord Coordinate {{ point [ {points} ] }} "
        f"coordIndex [ {faces} ] }} }}"
    )
    r = rig(
        (
            f'DistanceSensor {{ name "ds" type "sonar" aperture 0.01 numberOfRays 1 translation 0 {y} '
            f"{z} lookupTable [ 0 0 0, 4 4 0 ] }}"
        ),
        wall,
    )
    assert r.value("ds") == pytest.approx(1.0, abs=1e-6)


def cloud(lidar: str, around: str, steps: int = 1) -> Any:
    r = rig(lidar, around)
    r.enable("l")
    r["l"].enable_point_cloud()
    r.step(steps)
    return np.array([(p.x, p.y, p.z) for p in r["l"].get_point_cloud()]), r


GROUND = (
    "Solid { translation 0 0 -1 children [ Shape { geometry Box { size 100 100 0.2 } } ] } "
    "Solid { translation 4 0.7 0 children [ Shape { geometry Cylinder { radius 0.4 height 3 } "
    "} ] }"
)


def test_webots_5810_a_narrow_lidar_sees_what_a_wide_one_sees():
    """cyberbotics/webots#5810: columns at the same angles give the same points."""
    wide, _ = cloud(
        (
            'Lidar { name "l" horizontalResolution 512 fieldOfView 3.14159265 numberOfLayers 4 '
            "verticalFieldOfView 0.4 near 0.01 maxRange 40 }"
        ),
        GROUND,
    )
    narrow, _ = cloud(
        (
            'Lidar { name "l" horizontalResolution 32 fieldOfView 0.19634954 numberOfLayers 4 '
            "verticalFieldOfView 0.4 near 0.01 maxRange 40 }"
        ),
        GROUND,
    )
    wide, narrow = wide.reshape(4, 512, 3)[:, 240:272], narrow.reshape(4, 32, 3)
    seen = np.isfinite(wide).all(axis=2) & np.isfinite(narrow).all(axis=2)
    assert seen.sum() > 60
    assert np.isfinite(wide).all(axis=2).tolist() == np.isfinite(narrow).all(axis=2).tolist()
    assert narrow[seen] == pytest.approx(wide[seen], abs=2e-3)


def test_webots_3594_points_on_the_ground_lie_on_circles():
    """cyberbotics/webots#3594, #6505: each layer below the horizon is a circle, without corners and
    lines.
    """
    points, _ = cloud(
        (
            'Lidar { name "l" horizontalResolution 720 fieldOfView 6.283185 numberOfLayers 4 '
            "verticalFieldOfView 1 near 0.01 maxRange 90 }"
        ),
        GROUND.split("} ] } Solid")[0] + "} ] }",
    )
    layers = points.reshape(4, 720, 3)
    for layer in layers[2:]:
        radius = np.hypot(layer[:, 0], layer[:, 1])
        assert layer[:, 2] == pytest.approx(np.full(720, -0.9), abs=1e-3)
        assert radius == pytest.approx(np.full(720, radius[0]), rel=1e-4)


def test_webots_6525_a_rotating_lidar_puts_things_where_they_are():
    """cyberbotics/webots#6525: the middle of the image is ahead, and points are in the frame of the
    node.
    """
    post = "Solid { translation 3 0 0 children [ Shape { geometry Box { size 0.2 0.2 2 } } ] }"
    points, r = cloud(
        (
            'Lidar { name "l" type "rotating" horizontalResolution 360 fieldOfView 6.283185 '
            "numberOfLayers 1 defaultFrequency 62.5 maxFrequency 100 near 0.01 maxRange 9 }"
        ),
        post,
        5,
    )
    seen = np.flatnonzero(np.isfinite(points[:, 0]))
    assert points[seen][:, 0] == pytest.approx(2.9, abs=1e-3)
    assert abs(points[seen][:, 1]).max() < 0.11
    assert abs(seen.mean() - 180) < 2


@pytest.mark.parametrize("far", [0.02, 0.05, 0.5])
def test_webots_4309_a_range_finder_is_flat_near_its_minimum(far: float):
    """cyberbotics/webots#4309: a wall square to the view has the same depth in all pixels, near the near
    plane too.
    """
    wall = f"Solid {{ translation {far + 0.5} 0 0 children [ Shape {{ geometry Box {{ size 1 9 9 }} }} ] }}"
    r = rig(
        ('RangeFinder { name "c" width 16 height 8 fieldOfView 1.2 near 0.01 minRange 0.01 maxRange 2 }'),
        wall,
    )
    r.enable("c")
    r.step()
    assert np.array(r["c"].get_range_image()) == pytest.approx(far, abs=1e-5)


def test_webots_5303_what_is_out_of_range_is_infinite():
    """cyberbotics/webots#5303, webots_ros2#388; manual R2023b: beyond maxRange the range is infinity."""
    wall = "Solid { translation 3 0 0 children [ Shape { geometry Box { size 1 0.5 9 } } ] }"
    r = rig('RangeFinder { name "c" width 17 height 3 fieldOfView 1.2 maxRange 2 }', wall)
    r.enable("c")
    r.step()
    assert np.isinf(np.array(r["c"].get_range_image())).all()


RECOGNIZED = (
    'Solid { %s name "t" model "token" recognitionColors [ 1 0 0 ] boundingObject Box { size 0.2 0.2 0.2 } }'
)
CAMERA = 'Camera { name "c" width 64 height 64 fieldOfView %s %s recognition Recognition { } }'


@pytest.mark.parametrize("yaw", [0, 1.0, 2.5, -2.0])
def test_webots_6077_the_orientation_of_an_object_is_that_in_the_camera(yaw: float):
    """cyberbotics/webots#6077: turning camera and object together changes nothing."""
    c, s = math.cos(yaw), math.sin(yaw)
    device = f"Pose {{ rotation 0 0 1 {yaw} children [ {CAMERA % (1.0, '')} ] }}"
    text = RECOGNIZED % f"translation {2 * c} {2 * s} 0 rotation 0 0 1 {yaw + 0.4}"
    r = rig(device, text)
    r["c"].recognition_enable(STEP_MS)
    r.step()
    (seen,) = r["c"].recognition_get_objects()
    assert seen.orientation == pytest.approx((0, 0, 1, 0.4), abs=1e-9)
    assert seen.position == pytest.approx((2, 0, 0), abs=1e-9)


@pytest.mark.parametrize("fov", [2.14, 3.0])
def test_webots_6395_a_wide_spherical_camera_knows_where_things_at_its_edge_are(fov: float):
    """cyberbotics/webots#6395: the position is right when the object's center is near the edge of the
    view.
    """
    angle = fov / 2 - 0.02
    text = RECOGNIZED % f"translation {2 * math.cos(angle)} {2 * math.sin(angle)} 0"
    r = rig(CAMERA % (fov, 'projection "cylindrical"'), text)
    r["c"].recognition_enable(STEP_MS)
    r.step()
    (seen,) = r["c"].recognition_get_objects()
    assert seen.position == pytest.approx((2 * math.cos(angle), 2 * math.sin(angle), 0), abs=0.06)
    assert 0 <= seen.position_on_image[0] < 12


def test_webots_2920_the_size_of_a_scaled_object():
    """cyberbotics/webots#2920: an old world with a Solid of scale 0.12 around shapes of 1 m."""
    text = (
        'Solid { translation 0 0 -2 scale 0.12 0.12 0.12 name "t" recognitionColors [ 1 0 0 ] '
        "children [ Shape { geometry Box { size 1 1 1 } } ] }"
    )
    r = rig(CAMERA % (1.0, ""), text, header=OLD)
    r["c"].recognition_enable(STEP_MS)
    r.step()
    (seen,) = r["c"].recognition_get_objects()
    assert seen.position == pytest.approx((0, 0, -2), abs=1e-6)
    assert seen.size == pytest.approx((0.12 * math.sqrt(3),) * 2, rel=0.01)


def test_webots_2022_a_bumper_feels_after_an_import_too():
    """cyberbotics/webots#2022: with several threads, and after nodes were added."""
    lift = (
        'TouchSensor { name "ts" type "bumper" translation 0 0 -0.06 boundingObject Box { size '
        "0.05 0.05 0.05 } physics Physics { } }"
    )
    fields = "translation 0 0 0.4 boundingObject Box { size 0.1 0.1 0.1 } physics Physics { }"
    r = rig(lift, "Solid { boundingObject Plane { } } DEF ADDED Group { }", fields, "optimalThreadCount 4")
    r.enable("ts")
    for _ in range(2):
        values = []
        for _ in range(40):
            r.step()
            values.append(r["ts"].get_value())
        assert values[0] == 0 and max(values) == 1
        text = 'Solid { name "new" translation 9 9 9 boundingObject Box { } physics Physics { } }'
        r.simulation.edits.insert(r.node("ADDED"), "children", 0, load_text(NEW + text, "new.wbt").nodes[0])
        r.set("ROBOT", "translation", (0.0, 0.0, 0.4))
        r.step()


def test_webots_6825_devices_of_a_joint_know_each_other():
    """cyberbotics/webots#6825, #2542: position sensor, brake and motor of one joint, by tags."""
    joint = (
        'HingeJoint { device [ RotationalMotor { name "m" } PositionSensor { name "p" } Brake { '
        'name "b" } ] '
        'endPoint Solid { name "e" physics Physics { } } }'
    )
    r = rig(joint)
    for one, others in (
        ("m", ("position_sensor", "brake")),
        ("p", ("motor", "brake")),
        ("b", ("motor", "position_sensor")),
    ):
        for other in others:
            found = getattr(r[one], f"get_{other}")()
            name = {"motor": "m", "position_sensor": "p", "brake": "b"}[other]
            assert getattr(found, "name", found) in (name, r[name].tag)


def test_webots_711_motors_move_at_the_same_time():
    """cyberbotics/webots#711: two motors of different speeds both move in each step."""
    joint = (
        "HingeJoint {{ jointParameters HingeJointParameters {{ axis 0 0 1 }} device [ "
        'RotationalMotor {{ name "m{n}" maxVelocity {v} maxTorque 1e4 }} PositionSensor {{ name '
        '"p{n}" }} ] '
        'endPoint Solid {{ name "e{n}" translation {n} 0 0 boundingObject Box {{ size 0.1 0.1 0.1 '
        "}} physics Physics {{ }} }} }}"
    )
    r = rig(joint.format(n=1, v=1) + joint.format(n=2, v=4), info=FREE)
    r.enable("p1", "p2")
    for one in ("m1", "m2"):
        r[one].set_position(2)
    r.step(20)
    t = 20 * DT
    assert r["p1"].get_value() == pytest.approx(t, rel=0.05)
    assert r["p2"].get_value() == pytest.approx(4 * t, rel=0.05)
