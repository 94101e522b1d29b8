"""Controllers that drive slowly, or away from a stop, get the motion that they command.

The judge is v t; worlds have their defaults, so that bodies at rest sleep after 1 s.
"""

from __future__ import annotations

import pytest

from tests.controllers.project import Project, robot, steps

STEP_S = 0.016
AXLE = """
DEF JOINT {kind} {{
  jointParameters {kind2} {{ axis 0 0 1 {stops} }}
  device [ {motor} {{ name "motor" }} PositionSensor {{ name "position" }} ]
  endPoint Solid {{
    translation 0 0 1 boundingObject Box {{ size 0.02 0.02 0.02 }}
    physics Physics {{ density -1 mass 0.05 }}
  }}
}}
"""
SLIDER = {"kind": "SliderJoint", "kind2": "JointParameters", "motor": "LinearMotor"}
HINGE = {"kind": "HingeJoint", "kind2": "HingeJointParameters", "motor": "RotationalMotor"}
START = """
motor, sensor = robot.getDevice("motor"), robot.getDevice("position")
sensor.enable(16)
motor.setPosition(float("inf"))
motor.setVelocity({velocity})
"""


@pytest.mark.parametrize("joint", [SLIDER, HINGE], ids=["slider", "hinge"])
def test_a_joint_driven_at_5_mm_per_s_goes_on(project: Project, joint: dict[str, str]):
    body = steps(500, START.format(velocity=0.005), "print(sensor.getValue())")
    project.write(robot("slow", "slow", children=AXLE.format(stops="", **joint)), slow=body)
    assert float(project.printed()) == pytest.approx(500 * STEP_S * 0.005, rel=0.01)


@pytest.mark.parametrize("joint", [SLIDER, HINGE], ids=["slider", "hinge"])
def test_a_finger_leaves_its_stop_at_the_commanded_velocity(project: Project, joint: dict[str, str]):
    after = """
    start = sensor.getValue()
    motor.setVelocity(-0.05)
    values = []
    for _ in range(50):
        robot.step(16)
        values.append(sensor.getValue())
    print(start, max(abs(b - a) for a, b in zip([start, *values], values)), start - values[-1])
    """
    body = steps(50, START.format(velocity=0.5), after)
    stops = "minStop -0.1 maxStop 0.1"
    project.write(robot("finger", "finger", children=AXLE.format(stops=stops, **joint)), finger=body)
    start, fastest, way = (float(one) for one in project.printed().split())
    assert start == pytest.approx(0.1, abs=0.001)
    assert fastest == pytest.approx(0.05 * STEP_S, rel=1e-2)
    # The first command acts in the step after the last one of 0.5 m/s.
    assert way == pytest.approx(50 * 0.05 * STEP_S, abs=0.05 * STEP_S * 1.01)
