"""Models that Webots' releases of R2019a to R2025a have: none of those known here is lost.

The names, in webots_names.txt, are facts: files of its projects in these releases and in its newest
sources.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protos.models import FILES, named, parts
from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.scene.webots_models import is_look

NAMES = set(Path(__file__).with_name("webots_names.txt").read_text().split())
NOT_MADE = """
BioloidDog Blimp BlueBoat CabinetDoor CabinetDrawer EpsonT6Scara FireBird6 GazCanister Heron Hoap2 Khr2hv
LegoLargeMotor LegoWheel Mantis Microbot MindstormsRover NaoLeftWristH21 NaoRightWristH21 P-Rob3
Pioneer3Gripper Portal QRIO Salamander Servo Shrimp SimpleVehicle Sojourner SuctionCup SumoDisplay Telemax
TiagoLeftHey5 TiagoOmniBase TiagoPmb2Base TiagoRightHey5 TiagoRobotiqGripper Yamor
"""
"""Models that nobody has made yet: their devices are not known here, or hardly any world names them."""


def test_no_model_of_webots_is_lost():
    assert {name for name in NAMES - set(FILES) if not is_look(name)} == set(NOT_MADE.split())
    assert len(NAMES & set(FILES)) >= 570


def test_what_only_draws_has_no_physics_of_its_own():
    assert {name for name in FILES if is_look(name)} == {"BmwX5Mesh", "YoubotFlag"}
    assert not any(is_look(name) for name in ("Car", "BusSimple", "BmwX5Wheel", "TruckTrailer", "MyMesh"))


@pytest.mark.parametrize("header", ["R2021b", "R2023b"])
def test_a_world_runs_without_what_webots_only_draws(header: str):
    """As public worlds of traffic name the driver of a motorbike, with fields of Webots' own model."""
    driver = "MotorbikeDriver {\n shirtColor 0.7 0.7 0.7\n helmetColor 0 0 1\n }"
    bike = f"MotorbikeSimple {{\n driver {driver}\n}}\n"
    text = f"#VRML_SIM {header} utf8\nWorldInfo {{\n}}\n{bike}Solid {{\n children TruckLogoMesh {{ }}\n}}\n"
    world = load_text(text)
    assert world.report.errors == []
    (found,) = [one for one in world.report.warnings if one.code == "not-drawn"]
    assert "MotorbikeDriver, TruckLogoMesh" in found.message
    assert world.library.missing == {}


def test_a_project_s_own_copy_of_a_youbot_needs_no_meshes_of_webots(tmp_path: Path):
    """Two public projects keep the youBot's file, but not the parts beside it in Webots."""
    (tmp_path / "protos").mkdir()
    (tmp_path / "worlds").mkdir()
    wheels = "".join(
        f'{kind}Wheel {{ translation 0.2 {y} 0 anchor 0.2 {y} 0 name "w{y}" sensorName "s{y}" }}'
        for kind, y in (("Interior", -0.15), ("Exterior", 0.15))
    )
    shape = "Shape { appearance KukaBlackAppearance { } geometry Arm0Mesh { } }"
    robot = f"Robot {{ children [ BodyMesh {{ }} {shape} {wheels} ] }}"
    (tmp_path / "protos" / "Copy.proto").write_text(f"#VRML_SIM R2023b utf8\nPROTO Copy [ ] {{ {robot} }}")
    text = '#VRML_SIM R2023b utf8\nEXTERNPROTO "../protos/Copy.proto"\nWorldInfo { }\nCopy { }\n'
    world = load_text(text, str(tmp_path / "worlds" / "w.wbt"))
    assert world.report.errors == []
    (found,) = [one for one in world.report.warnings if one.code == "not-drawn"]
    assert all(name in found.message for name in ("BodyMesh", "Arm0Mesh", "KukaBlackAppearance"))
    # A cylinder of 0.1 m that turns about y and weighs 0.4 kg, as Webots' own wheels do.
    (first, _) = [node for node in parts(world.nodes[-1].root, "Solid") if node.get("physics")]
    assert first.get("physics").get("mass") == 0.4
    assert first.get("contactMaterial") == "InteriorWheelMat"
    motors = {node.get("name") for node in parts(world.nodes[-1].root, "RotationalMotor")}
    assert motors == {"w-0.15", "w0.15"}


def test_a_project_s_own_copy_of_a_thymio_finds_its_parts(tmp_path: Path):
    """A public project keeps Webots' Thymio2 of R2020b, but not its hidden parts. Judge: those parts."""
    (tmp_path / "protos").mkdir()
    (tmp_path / "worlds").mkdir()
    sensors = 'Thymio2DistanceSensor { name "a" } Thymio2DistanceSensor { name "b" isGroundSensor TRUE }'
    led = 'Thymio2LED { name "c" level 4 color 1 0.5 0 } Thymio2LED { name "d" level 0 } Thymio2Pen { }'
    robot = f"Robot {{ children [ {sensors} {led} ] }}"
    (tmp_path / "protos" / "Copy.proto").write_text(f"#VRML_SIM R2020b utf8\nPROTO Copy [ ] {{ {robot} }}")
    text = "#VRML_SIM R2020b utf8\nWorldInfo { }\nThymio2Ball { }\nCopy { }\n"
    world = load_text(text, str(tmp_path / "worlds" / "w.wbt"))
    assert world.report.errors == []
    root = world.nodes[-1].root
    rows = [list(node.get("lookupTable"))[-1] for node in parts(root, "DistanceSensor")]
    assert [(row[0], row[1]) for row in rows] == [(0.09333, 0), (0.05, 0)]
    one, any_color = parts(root, "LED")
    assert list(one.get("color")) == [(0, 0, 0), (0.25, 0.125, 0), (0.5, 0.25, 0), (0.75, 0.375, 0)]
    assert any_color.get("gradual")
    (ball,) = [node for node in parts(world.nodes[-2].root, "Solid") if node.get("physics")]
    assert ball.get("physics").get("mass") == 1


def test_what_webots_only_draws_may_be_imported():
    """As two public worlds with SUMO declare the drivers of motorbikes; importing them does not fail."""
    url = "webots://projects/vehicles/protos/generic/ScooterDriver.proto"
    world = load_text(f'#VRML_SIM R2023b utf8\nIMPORTABLE EXTERNPROTO "{url}"\nWorldInfo {{\n}}\n')
    assert [*world.report.errors, *world.report.warnings] == []


def test_another_model_is_missing_as_before():
    world = load_text("#VRML_SIM R2021b utf8\nWorldInfo {\n}\nMyDriver {\n}\nTruckCab {\n}\n")
    assert [one.code for one in world.report.errors] == ["missing-model"]
    assert set(world.library.missing) == {"MyDriver"}


def test_the_arms_of_a_tiago_have_names_of_their_own():
    world = load_text("#VRML_SIM R2022a utf8\nWorldInfo {\n}\nTiago++ {\n}\n")
    for side in ("left", "right"):
        for joint in range(1, 8):
            named(world.nodes[-1].root, f"arm_{side}_{joint}_joint")
