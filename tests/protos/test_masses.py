"""Bundled robots, grippers and lidars weigh what their sources say, within 2 %.

Every robot is in the table. Its figures are those of the makers (data sheets, manuals, descriptions under
free licenses); "original" stands for models that weigh what the model of the same name in Webots weighs.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import FILES, made, parts

MASSES = {
    "Atlas": (90.4, "atlas_description of drcsim: 89 kg and 1.4 kg of head"),
    "BB-8": (26.05, "original"),
    "BoeBot": (0.83, "original: bounding objects of 1000 kg/m3"),
    "Altino": (2.07, "original: 2 kg and wheels of 1000 kg/m3"),
    "Crazyflie": (0.0353, "bitcraze/crazyflie-simulation"),
    "Create": (2.4, "original"),
    "DARwInOP": (2.9, "Robotis e-Manual"),
    "E-puck": (0.16, "original"),
    "EPuck": (0.16, "original"),
    "Elisa3": (0.039, "GCtronic wiki"),
    "FourWheelRobot": (0.69, "parts of hobby stores"),
    "GhostDog": (11.3, "original"),
    "Hemisson": (0.2, "K-Team"),
    "Irb4400": (480, "product specification: 1040 kg, of which the base is static"),
    "Irb4600-40": (440, "product specification"),
    "JetBot": (0.64, "original"),
    "Khepera1": (0.07, "K-Team"),
    "Khepera2": (0.08, "K-Team"),
    "Khepera3": (0.69, "user manual"),
    "Khepera4": (0.566, "user manual"),
    "Khr3hv": (1.5, "Kondo"),
    "Kinova_Gen3_7DOF": (6.492, "kortex_description: 8.2 kg, of which base_link is static"),
    "Mavic2Pro": (0.907, "DJI"),
    "Moose": (1724.4, "moose_description"),
    "Nao": (5.305, "Aldebaran documentation, and two foot plates"),
    "Panda": (16.82, "franka_description without link 0, and the hand of 0.76 kg"),
    "Pioneer3at": (12, "data sheet"),
    "Pioneer3dx": (9, "data sheet"),
    "Puma560": (36.45, "Armstrong, Khatib and Burdick, 1986"),
    "Robotino3": (22.5, "data sheet"),
    "RobotisOp2": (2.9, "Robotis e-Manual"),
    "RosbotXl": (3.894, "rosbot_xl_description, and the lidar"),
    "Spot": (32.7, "data sheet"),
    "SummitXlSteel": (151, "summit_xl_description"),
    "SurveyorSrv1": (0.374, "original"),
    "Thymio2": (0.25, "Thymio II specifications"),
    "Tiago": (67.86, "tiago_description"),
    "TiagoBase": (35.65, "pmb2_description"),
    "TiagoIron": (57.88, "tiago_description"),
    "TiagoLite": (57.88, "tiago_description"),
    "TiagoSteel": (67.86, "tiago_description"),
    "TurtleBot3Burger": (1.0, "e-Manual"),
    "TurtleBot3Waffle": (1.8, "e-Manual"),
    "UR10e": (29.104, "ur_description without the base"),
    "UR3e": (8.7985, "ur_description without the base"),
    "UR5e": (17.7, "ur_description without the base"),
    "Youbot": (30.63, "original"),
}
"""kg"""
SENSORS = {
    "SickS300": 1.2,
    "RpLidarA2": 0.19,
    "RobotisLds01": 0.125,
    "VelodynePuck": 0.83,
    "VelodyneHDL-32E": 1.0,
    "VelodyneHDL-64E": 12.7,
}
"""kg; the makers' data sheets"""
INERTIA: dict[tuple[str, str], Any] = {
    # kortex_description
    ("Kinova_Gen3_7DOF", "shoulder_link"): (0.00457, 0.004831, 0.001409),
    ("Kinova_Gen3_7DOF", "half_arm_1_link"): (0.011088, 0.001072, 0.011255),
    ("Kinova_Gen3_7DOF", "forearm_link"): (0.008147, 0.000631, 0.008316),
    # rosbot_xl_description
    ("RosbotXl", "rosbot_xl"): (2.540425e-02, 2.874642e-02, 4.62271e-02),
    ("RosbotXl", "front left wheel"): (3.954e-05, 7.116e-05, 4.032e-05),
    # atlas_description
    ("Atlas", "LLegLhy"): (0.09, 0.09, 0.02),
    ("Atlas", "RArmElx"): (0.005, 0.003, 0.006),
    # turtlebot3_description: of 1.3729 kg, here in proportion of 1.608 kg
    ("TurtleBot3Waffle", "TurtleBot3Waffle"): tuple(
        1.608 / 1.3729 * moment for moment in (8.7002718e-03, 8.6195418e-03, 1.4612727e-02)
    ),
    # Webots' models of the same name
    ("Elisa3", "Elisa-3"): (4.37e-05, 4.32e-05, 4.89e-05),
    ("SurveyorSrv1", "SurveyorSrv1"): (0.000267079, 0.000473553, 0.000418585),
}
"""kg m2: moments about x, y and z"""


def test_every_robot_is_in_the_table():
    field = re.compile(r"^  field SFString +controller ", re.MULTILINE)
    robots = {
        name
        for name, path in FILES.items()
        if "robots" in path.parts and path.parent.name != "abstract" and field.search(path.read_text())
    }
    assert set(MASSES) == robots


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


@pytest.mark.parametrize(("name", "part"), INERTIA)
def test_a_part_has_the_inertia_of_its_source(name: str, part: str):
    robot = made(f"{name} {{\n}}\n")
    (solid,) = [one for one in parts(robot, "Solid") + [robot] if one.get("name") == part]
    moments, _ = solid.get("physics").get("inertiaMatrix")
    assert np.array(moments) == pytest.approx(INERTIA[name, part], rel=0.02)
