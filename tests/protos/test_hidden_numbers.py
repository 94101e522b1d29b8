"""Saved worlds number the solids of models as Webots does, so their hidden fields mean the same parts here.

Judge: Webots' own PROTOs of R2022b to R2023b, and public worlds saved by R2023a and R2025a with these models.
"""

from __future__ import annotations

import pytest

from tests.protos.bench import bench
from tests.protos.models import made
from wbridge.wbcore.scene import hidden
from wbridge.wbcore.scene.load import load_text

CAR = {1: "front left wheel", 2: "front right wheel", 3: "rear left wheel", 4: "rear right wheel"}
MODELS = {
    "BmwX5": CAR
    | {
        6: "front_lights",
        12: "backwards_lights",
        13: "interior_right_indicators",
        15: "right wiper",
        18: "central mirror",
        19: "vehicle steering wheel",
        20: "speed needle",
        21: "rpm needle",
    },
    "Truck": CAR | {6: "front_lights", 7: "truck trailer", 8: "rear_lights", 14: "left wheel(2)"},
    "Tractor": CAR | {6: "left_flasher", 10: "road_head_lights"},
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


def test_sensors_of_a_bmw_are_numbered_before_its_lamps():
    """Lines of seven public worlds saved by R2023b: with five sensors, solid 25 is the speed needle."""
    text = """#VRML_SIM R2023b utf8
EXTERNPROTO "webots://projects/vehicles/protos/bmw/BmwX5.proto"
EXTERNPROTO "webots://projects/devices/sick/protos/SickLms291.proto"
BmwX5 {
  hidden position_0_9 0.001
  hidden translation_25 -0.0003409238589324737 0.001982760484031565 -0.00038266963757283
  hidden rotation_25 0.7466598432279096 0 -0.6652060421485012 0.0009999999998284146
  sensorsSlotFront [ SickLms291 { } ]
  sensorsSlotTop [ Display { } Camera { } ]
  sensorsSlotCenter [ GPS { } Gyro { } ]
}
"""
    world = load_text(text)
    assert [
        one.code for one in [*world.report.errors, *world.report.warnings] if one.code == "hidden-field"
    ] == []
    robot = world.nodes[-1].root
    bodies = hidden.solids(robot)
    assert bodies[25][0].get("name") == "speed needle"
    (motor,) = bodies[0][1][9].get("device")
    assert motor.get("name") == "speed_needle_motor"


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


CAR_OF_R2023A = """TeslaModel3 {
  hidden position_0_0 -2.1670032162168324e-06
  hidden position2_0_0 30.375792060640244
  hidden rotation_1 -0.44502005640498116 0.7771202783856694 0.4450182269515339 4.46286090396325
  hidden position_0_1 2.1670032145029476e-06
  hidden position2_0_1 30.375792060648003
  hidden rotation_2 0.44502005640256265 0.7771202783884387 -0.44501822694911675 4.462860903966702
  hidden position_0_2 30.38209036614922
  hidden rotation_3 -0.4430514599983162 0.7793657266539398 0.44305131521138363 4.465656614518964
  hidden position_0_3 30.38209036615122
  hidden rotation_4 0.4430514599976899 0.779365726654652 -0.44305131521075736 4.465656614519851
  translation 0 0 0.2729
}
"""
"""A car of a public world saved by R2023a, whose wheels had driven 11 m; they turned about x there."""


def test_wheels_that_turn_about_another_axis_stay_upright():
    """Webots saved the car at rest with its origin 0.273 m above the ground: 0.36 m less the suspension."""
    world = load_text(f"#VRML_SIM R2022a utf8\nWorldInfo {{\n}}\n{CAR_OF_R2023A}")
    assert [one.code for one in world.report.warnings] == []
    wheels = hidden.solids(world.nodes[-1].root)[1:5]
    assert [tuple(wheel.get("rotation")) for wheel, _ in wheels] == [(0, 0, 1, 0)] * 4
    (steering, *_) = hidden.solids(world.nodes[-1].root)[0][1]
    assert steering.get("jointParameters2").get("position") == pytest.approx(30.3758, abs=1e-4)


def test_a_wheel_that_turns_about_the_same_axis_keeps_its_rotation():
    """A BMW saved by R2025a: its rear wheels have turned about y by the position of their joints."""
    fields = "hidden position_0_2 -0.5\n  hidden rotation_3 0 1 0 -0.5"
    world = load_text(f"#VRML_SIM R2022a utf8\nWorldInfo {{\n}}\nBmwX5 {{\n  {fields}\n}}\n")
    wheel = hidden.solids(world.nodes[-1].root)[3][0]
    assert tuple(wheel.get("rotation")) == (0, 1, 0, -0.5)


def test_cars_rest_where_webots_saved_them():
    """A world saved by R2023a: the origin of a car at rest 0.2729 m above the floor, its wheels 0.36 m."""
    soft = "contactProperties [\n ContactProperties {\n softCFM 1e-5\n }\n ]"
    with bench(CAR_OF_R2023A, f"basicTimeStep 10\n {soft}") as one:
        one.run(3)
        assert one.place[2] == pytest.approx(0.2729, abs=0.003)
