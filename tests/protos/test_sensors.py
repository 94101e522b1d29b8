"""Sensors of makers have the figures that their data sheets tell."""

from __future__ import annotations

import math

import pytest

from tests.protos.models import made, named, parts


def test_the_sick_lms_291_sees_half_a_circle_up_to_80_meters():
    lidar = made("SickLms291 {\n  noise 0.1\n  resolution 360\n}\n")
    assert (lidar.type, lidar.get("name")) == ("Lidar", "Sick LMS 291")
    assert lidar.get("fieldOfView") == pytest.approx(math.pi, abs=1e-4)
    assert (lidar.get("numberOfLayers"), lidar.get("horizontalResolution")) == (1, 360)
    assert (lidar.get("maxRange"), lidar.get("noise")) == (80, 0.1)
    assert lidar.get("boundingObject") is not None


def test_its_bounding_object_can_be_left_out():
    assert made("SickLms291 {\n  enableBoundingObject FALSE\n}\n").get("boundingObject") is None


def test_the_lds_01_sees_all_around_up_to_three_and_a_half_meters():
    # The figures of RobotisLds01.proto (R2025a) and of the maker's data sheet.
    lidar = made('RobotisLds01 {\n  name "scan"\n}\n')
    assert (lidar.type, lidar.get("name")) == ("Lidar", "scan")
    assert lidar.get("fieldOfView") == pytest.approx(2 * math.pi, abs=1e-4)
    assert (lidar.get("numberOfLayers"), lidar.get("horizontalResolution")) == (1, 360)
    assert (lidar.get("minRange"), lidar.get("maxRange"), lidar.get("noise")) == (0.12, 3.5, 0.0043)
    motors = {one.get("name"): one.get("maxVelocity") for one in parts(lidar, "RotationalMotor")}
    assert motors == {"scan_main_motor": 40, "scan_secondary_motor": 150}
    assert made("RobotisLds01 {\n  enablePhysics FALSE\n}\n").get("physics") is None


@pytest.mark.parametrize("foot", ["TRUE", "FALSE"])
def test_the_kinect_has_a_camera_and_a_range_finder(foot: str):
    solid = made(f"Kinect {{\n  foot {foot}\n  rangeNoise 0.02\n}}\n")
    color, depth = named(solid, "kinect color"), named(solid, "kinect range")
    assert [(one.get("width"), one.get("height")) for one in (color, depth)] == [(640, 480)] * 2
    assert (depth.get("minRange"), depth.get("maxRange"), depth.get("noise")) == (0.8, 3.5, 0.02)
    assert len(parts(solid, "Box")) == (2 if foot == "TRUE" else 1)
