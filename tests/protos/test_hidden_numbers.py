"""Saved worlds number the solids of models as Webots does, so their hidden fields mean the same parts here.

Judge: Webots' own PROTOs of R2022b to R2023b, and public worlds saved by R2023a and R2025a with these models.
"""

from __future__ import annotations

import pytest

from tests.protos.models import made
from wbridge.wbcore.scene import hidden
from wbridge.wbcore.scene.load import load_text

CAR = {1: "front left wheel", 2: "front right wheel", 3: "rear left wheel", 4: "rear right wheel"}
MODELS = {
    "BmwX5": CAR,
    "TeslaModel3": CAR,
    "ToyotaPrius": CAR,
    "Mavic2Pro": {5: "camera yaw", 6: "camera pitch", 7: "camera roll"},
    "SummitXlSteel": {
        1: "base_chapa",
        7: "front_right_wheel_link",
        8: "front_left_wheel_link",
        9: "back_left_wheel_link",
        10: "back_right_wheel_link",
        11: "base_docking_contact",
        16: "front_rgbd_camera_link",
    },
    "Spot": {
        1: "accelerometer",
        5: "left top led",
        12: "left bottom led",
        13: "right head camera",
        17: "rear camera",
        18: "front left shoulder",
        19: "front left upperarm",
        21: "front left forearm",
        22: "front right shoulder",
        26: "rear left shoulder",
        33: "rear right forearm",
    },
}
"""Names of solids by their numbers."""


@pytest.mark.parametrize("model", MODELS)
def test_solids_have_the_numbers_of_webots(model: str):
    robot = made(f"{model} {{\n}}\n")
    names = [solid.get("name") for solid, _ in hidden.solids(robot)]
    assert {number: names[number] for number in MODELS[model]} == MODELS[model]


def test_the_joints_of_wheels_are_the_first_ones_of_a_car():
    joints = hidden.solids(made("BmwX5 {\n}\n"))[0][1]
    assert [joint.type for joint in joints[:4]] == ["Hinge2Joint", "Hinge2Joint", "HingeJoint", "HingeJoint"]


def test_the_saved_pose_of_a_spot_is_that_of_a_public_world():
    """Lines of a world saved by R2025a: the first leg is spread by 9 degrees, its elbow bent by 6."""
    fields = """hidden position_0_0 -0.16178841863661933
  hidden translation_18 -0.052797952002085 0.0006510316645159058 -1.825691342549618e-08
  hidden rotation_18 3.0627162013920424e-05 1.7993511701126782e-06 -0.9999999995293698 0.1617871410259367
  hidden position_19_1 0.10265701231647555
  hidden rotation_21 1 0 0 0.10265701231647638"""
    world = load_text(f"#VRML_SIM R2022a utf8\nWorldInfo {{\n}}\nSpot {{\n  {fields}\n}}\n")
    assert [one.code for one in world.report.warnings] == []
    solids = hidden.solids(world.nodes[-1].root)
    elbow = solids[19][1][1]
    motor = next(one for one in elbow.get("device") if one.type == "RotationalMotor")
    assert motor.get("name") == "front left elbow motor"
    assert elbow.get("jointParameters").get("position") == pytest.approx(0.102657, abs=1e-6)
    assert solids[21][0].get("rotation")[3] == pytest.approx(0.102657, abs=1e-6)
