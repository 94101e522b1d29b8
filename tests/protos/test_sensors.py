"""Sensors of makers have the figures that their data sheets tell."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.protos.models import made, named, parts, table


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
def test_the_kinect_has_the_devices_of_its_guide_page(foot: str):
    # Webots' guide (RangeFinder Sensors): 320 x 190 pixels, up to 3.5 m, and a motor in the foot.
    solid = made(f'Kinect {{\n  foot {foot}\n  rangeNoise 0.02\n  cameraName "eye"\n}}\n')
    color, depth = named(solid, "eye color"), named(solid, "eye range")
    assert [(one.get("width"), one.get("height")) for one in (color, depth)] == [(320, 190)] * 2
    assert (depth.get("maxRange"), depth.get("noise"), color.get("noise")) == (3.5, 0.02, 0)
    motors = [one.get("name") for one in parts(solid, "RotationalMotor")]
    assert motors == (["tilt motor"] if foot == "TRUE" else [])
    assert sum(one.get("mass") for one in parts(solid, "Physics")) == (0.5 if motors else 0.1)


def test_the_case_of_a_sick_s300_weighs_1_2_kg_unless_it_has_no_physics():
    assert made("SickS300 {\n}\n").get("physics").get("mass") == 1.2
    assert made("SickS300 {\n  enablePhysics FALSE\n}\n").get("physics") is None


# Webots' guide (Lidar Sensors) and the makers' data sheets: degrees, layers, rays per layer, range (m).
LIDARS = {
    "HokuyoUrg04lx": (240, 1, 667, 4.095),
    "HokuyoUrg04lxug01": (240, 1, 667, 5.6),
    "HokuyoUtm30lx": (270, 1, 1080, 30),
    "SickS300": (270, 1, 540, 30),
    "VelodynePuck": (360, 16, 3600, 100),
    "VelodyneVLP-16": (360, 16, 3600, 100),
    "VelodyneHDL-32E": (360, 32, 4500, 70),
    "VelodyneHDL-64E": (360, 64, 4500, 120),
    "IbeoLux": (80, 4, 680, 200),
    "RpLidarA2": (360, 1, 800, 12),
}


@pytest.mark.parametrize("name", LIDARS)
def test_a_lidar_has_the_figures_of_its_maker(name: str):
    lidar = made(f"{name} {{\n}}\n")
    degrees, layers, rays, far = LIDARS[name]
    assert math.degrees(lidar.get("fieldOfView")) == pytest.approx(degrees, abs=0.1)
    assert (lidar.get("numberOfLayers"), lidar.get("horizontalResolution")) == (layers, rays)
    assert lidar.get("maxRange") == far


@pytest.mark.parametrize(
    ("version", "degrees", "mass"), [("Puck", 30, 0.83), ("Puck Hi-Res", 20, 0.83), ("Puck LITE", 30, 0.59)]
)
def test_the_puck_comes_in_three_versions(version: str, degrees: float, mass: float):
    lidar = made(f'VelodynePuck {{\n  version "{version}"\n}}\n')
    assert math.degrees(lidar.get("verticalFieldOfView")) == pytest.approx(degrees, abs=0.1)
    assert lidar.get("physics").get("mass") == mass


# Volts at distances (m) by the formulas that Webots' guide (Distance Sensors) fits to the data sheets.
SHARPS = {
    "SharpGP2D120": (0.5131, -0.5735, -0.6143, 0.04, 0.3),
    "SharpGP2Y0A41SK0F": (0.5131, -0.5735, -0.6143, 0.04, 0.3),
    "SharpGP2Y0A02YK0F": (1.784, -0.4215, -1.11, 0.2, 1.5),
    "SharpGP2Y0A710K0F": (1.962, -0.5214, 0.4926, 1, 5.5),
}


@pytest.mark.parametrize("name", SHARPS)
def test_a_sharp_sensor_gives_the_volts_of_its_data_sheet(name: str):
    factor, power, offset, near, far = SHARPS[name]
    curve = table(made(f"{name} {{\n}}\n"))
    for distance in (near, (near + far) / 2, far):
        volts = np.interp(distance, [one[0] for one in curve], [one[1] for one in curve])
        assert volts == pytest.approx(factor * distance**power + offset, rel=0.02)


@pytest.mark.parametrize(
    ("name", "color", "far"),
    [("Astra", "rgb", 8), ("AsusXtionPro", "color", 3.5), ("RealSenseD435", "color", 3)],
)
def test_a_depth_camera_is_a_camera_and_a_range_finder(name: str, color: str, far: float):
    solid = made(f'{name} {{\n  name "eye"\n}}\n')
    assert named(solid, f"eye {color}").type == "Camera"
    assert named(solid, "eye depth").get("maxRange") == far
