"""The youBot is as heavy and its arm as long as the maker says; it drives on its mecanum wheels."""

from __future__ import annotations

import numpy as np
import pytest

from tests.protos.bench import bench
from tests.protos.models import made, parts, pose
from wbridge.wbcore.scene.load import load_text

MATS = "".join(
    f"""
    ContactProperties {{
      material1 "{kind}WheelMat"
      coulombFriction [
        0, 2, 0
      ]
      frictionRotation {turn} 0
      bounce 0
      forceDependentSlip [
        10, 0
      ]
    }}"""
    for kind, turn in (("Interior", -0.785398), ("Exterior", 0.785398))
)


def test_the_arm_weighs_6_3_kg_and_stands_655_mm_high():
    robot = made("Youbot {\n}\n")
    arm = next(one for one in parts(robot, "Solid") if one.get("name") == "arm")
    # Data sheet of the youBot arm.
    assert sum(one.get("mass") for one in parts(arm, "Physics")) == pytest.approx(6.3, rel=0.05)
    finger = next(one for one in parts(robot, "Solid") if one.get("name") == "finger1")
    assert pose(finger, arm)[0][2] + 0.047 == pytest.approx(0.655)
    assert len(parts(made("Youbot {\n  numberOfArms 2\n}\n"), "LinearMotor")) == 4


@pytest.mark.parametrize(
    ("release", "names"),
    [("R2021c", ("finger1", "finger2")), ("R2025a", ("finger::left", "finger::right"))],
)
def test_fingers_have_the_names_of_the_release(release: str, names: tuple[str, str]):
    """Webots' own PROTO of R2020b and R2021c; public controllers of later worlds (finger::leftsensor)."""
    text = f"#VRML_SIM {release} utf8\nWorldInfo {{\n}}\nYoubot {{\n  numberOfArms 2\n}}\n"
    robot = load_text(text).nodes[-1].root
    expected = {prefix + name for prefix in ("", "front ") for name in names}
    assert {one.get("name") for one in parts(robot, "LinearMotor")} == expected
    sensors = {one.get("name") for one in parts(robot, "PositionSensor")}
    assert {f"{name}sensor" for name in expected} < sensors


@pytest.mark.parametrize(
    ("speeds", "way"),
    [((5, 5, 5, 5), (0.25, 0)), ((5, -5, -5, 5), (0, 0.25)), ((0, 0, 0, 0), (0, 0))],
    ids=["forward", "left", "rest"],
)
def test_it_drives_where_its_wheels_carry_it(speeds, way):
    info = f"basicTimeStep 16\n  contactProperties [{MATS}\n  ]"
    with bench('Youbot {\n  controller "<none>"\n}\n', info) as one:
        one.spin({f"wheel{number}": speed for number, speed in enumerate(speeds, 1)})
        one.run(1)
        start = one.place
        one.run(1)
        assert np.allclose((one.place - start)[:2], way, atol=0.03)
        assert abs(one.yaw) < 0.05
        assert one.tilt < 0.02
