"""Bundled robots, grippers and lidars weigh what their sources say, within 2 %.

Every robot is in the table. Its figures are those of the makers (data sheets, manuals, descriptions under
free licenses); "original" stands for models that weigh what the model of the same name in Webots weighs,
"estimate" for those whose weights no source gives, "as NAME" for a robot under another name.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import ROBOTS, SUPERVISORS, made, parts

MASSES = {
    "AiboErs7": (2.24, "estimate"),
    "Atlas": (90.4, "atlas_description of drcsim: 89 kg and 1.4 kg of head"),
    "BB-8": (26.05, "original"),
    "BoeBot": (0.83, "original: bounding objects of 1000 kg/m3"),
    "Altino": (2.07, "original: 2 kg and wheels of 1000 kg/m3"),
    "Crazyflie": (0.05, "original"),
    "Create": (2.4, "original"),
    "DARwInOP": (2.9, "Robotis e-Manual"),
    "Darwin-op": (2.9, "as RobotisOp2"),
    "Darwin-opHinge2": (2.9, "as RobotisOp2"),
    "E-puck": (0.16, "original"),
    "EPuck": (0.16, "original"),
    "Elisa3": (0.039, "GCtronic wiki"),
    "FourWheelRobot": (0.69, "parts of hobby stores"),
    "GhostDog": (11.3, "original"),
    "Hemisson": (0.2, "K-Team"),
    "Irb4400": (480, "product specification: 1040 kg, of which the base is static"),
    "Irb4600-40": (440, "product specification"),
    **dict.fromkeys(("IprHd6m180", "IprHd6m90", "IprHd6ms180", "IprHd6ms90"), (3.57, "estimate")),
    "JetBot": (0.64, "original"),
    "Khepera1": (0.07, "K-Team"),
    "Khepera2": (0.08, "K-Team"),
    "Khepera3": (0.69, "user manual"),
    "Khepera4": (0.606, "original"),
    "Khr3hv": (1.5, "Kondo"),
    "Kinova_Gen3_7DOF": (6.4912, "kortex_description: 8.19 kg, of which base_link is static"),
    "Koala": (4, "K-Team"),
    "Mavic2Pro": (0.907, "DJI"),
    "Mir100": (77.24, "mir_description"),
    "Moose": (1724.4, "moose_description"),
    "Nao": (5.305, "Aldebaran documentation, and two foot plates"),
    "NaoV5": (5.305, "Aldebaran documentation, and two foot plates"),
    "Ned": (1.462, "original, whose base is fixed"),
    "Panda": (16.82, "franka_description without link 0, and the hand of 0.76 kg"),
    "Pioneer2": (9, "operations manual"),
    "Pioneer3at": (12, "data sheet"),
    "Pioneer3dx": (9, "data sheet"),
    "Pr2": (227.7, "original"),
    "Puma560": (36.45, "Armstrong, Khatib and Burdick, 1986"),
    "Robotino3": (22.5, "data sheet"),
    "RobotisOp2": (2.9, "Robotis e-Manual"),
    "RobotisOp2Hinge2": (2.9, "as RobotisOp2"),
    "RobotisOp3": (3.147, "robotis_op3_description"),
    "Rosbot": (2.84, "original: 0.45 kg, wheels of 0.5 kg, lidar and camera"),
    "RosbotXl": (3.894, "rosbot_xl_description, and the lidar"),
    "ScaraT6": (22.0, "original"),
    "Spot": (27.226, "original"),
    "SquarePathPioneer3dx": (9, "as Pioneer3dx"),
    "SummitXlSteel": (151, "summit_xl_description"),
    "SurveyorSrv1": (0.374, "original"),
    "Thymio2": (0.25, "Thymio II specifications"),
    "Tiago": (64.69, "tiago_description"),
    "Tiago++": (75.08, "tiago_description: a TiagoIron, two arms of 8.97 kg and Webots' grippers"),
    "TiagoBase": (32.474, "pmb2_description"),
    "TiagoIron": (54.70, "tiago_description"),
    "TiagoLite": (54.70, "tiago_description"),
    "TiagoSteel": (64.69, "tiago_description"),
    "TiagoTitanium": (63.67, "tiago_description: a TiagoIron and an arm of 8.97 kg"),
    "Tiagopp": (75.08, "as Tiago++"),
    "TinkerbotsBase": (0.065, "original"),
    "TurtleBot3Burger": (1.0, "e-Manual"),
    "TurtleBot3Waffle": (1.8, "e-Manual"),
    "UR10e": (29.104, "ur_description without the base"),
    "UR3e": (8.7985, "ur_description without the base"),
    "UR5e": (17.7, "ur_description without the base"),
    "WallFollowingPioneer3dx": (10, "original"),
    "Youbot": (30.63, "original"),
    **dict.fromkeys(SUPERVISORS, (0, "a supervisor without a body")),
}
"""kg"""
SENSORS = {
    "SickS300": 1.2,
    "RpLidarA2": 0.2,
    "RobotisLds01": 0.125,
    "VelodynePuck": 0.83,
    "VelodyneHDL-32E": 1.0,
    "VelodyneHDL-64E": 12.7,
}
"""kg; the makers' data sheets, but the RpLidarA2, which weighs what it weighs in Webots"""
INERTIA = json.loads(Path(__file__).with_name("inertia.json").read_text(encoding="utf-8"))
"""By robot and part: mass (kg), center of mass (m), inertia (kg m2: xx, yy, zz, xy, xz, yz) in its frame."""


def test_every_robot_is_in_the_table():
    assert set(MASSES) == set(ROBOTS)


@pytest.mark.parametrize("name", MASSES)
def test_a_robot_weighs_what_its_source_says(name: str):
    physics = parts(made(f"{name} {{\n}}\n"), "Physics")
    mass = sum(one.get("mass") for one in physics)
    if any(one.get("density") >= 0 for one in physics):
        with bench(f'{name} {{\n  controller "<none>"\n}}\n') as one:
            mass = one.mass
    assert mass == pytest.approx(MASSES[name][0], rel=0.02)


@pytest.mark.parametrize("name", SENSORS)
def test_a_lidar_weighs_what_its_data_sheet_says(name: str):
    physics = parts(made(f"{name} {{\n}}\n"), "Physics")
    assert sum(one.get("mass") for one in physics) == pytest.approx(SENSORS[name], rel=0.02)


@pytest.mark.parametrize("name", INERTIA)
def test_the_parts_have_the_inertia_of_their_source(name: str):
    robot = made(f"{name} {{\n}}\n")
    solids = {one.get("name"): one.get("physics") for one in [robot, *parts(robot, "Solid")]}
    for part, wanted in INERTIA[name]["parts"].items():
        physics = solids[part]
        found = np.ravel(physics.get("inertiaMatrix"))
        inertia = np.array(wanted["inertia"])
        assert found[: len(inertia)] == pytest.approx(inertia, abs=0.02 * inertia.max()), part
        assert physics.get("mass") == pytest.approx(wanted.get("mass", physics.get("mass")), rel=0.02), part
        (center,) = physics.get("centerOfMass")
        assert center == pytest.approx(wanted.get("com", center), abs=1e-3), part
