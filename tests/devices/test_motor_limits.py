"""Limits of motors that contradict joints or each other are corrected (WbMotor.cpp; manual: Motor)."""

from __future__ import annotations

import pytest

from tests.devices.joints import hinge, slider
from tests.devices.rig import Rig, rig

LIMITS = "minPosition -1 maxPosition 2 maxVelocity 10"
ENDS = pytest.mark.parametrize("body", ["", "boundingObject Box { }", "physics Physics { }"])
"""No end point, one without and one with Physics."""


def limits(made: Rig, name: str) -> tuple[float, float]:
    """What the controller is told."""
    return made[name].get_min_position(), made[name].get_max_position()


@ENDS
@pytest.mark.parametrize(
    ("position", "expected"), [(3, (-1, 3)), (-2, (-2, 2)), (0.5, (-1, 2))], ids=["above", "below", "within"]
)
def test_soft_limits_take_in_the_position_of_the_joint(
    body: str, position: float, expected: tuple[float, float]
):
    """WbMotor::enforceMotorLimitsInsideJointLimits."""
    made = rig(hinge(motor=LIMITS, joint=f"position {position}", body=body), info="gravity 0")
    assert limits(made, "m") == expected
    motor = made.model("m").engine
    assert (motor.min_position, motor.max_position) == expected


@pytest.mark.parametrize(("beyond", "lines"), [(2e-6, 0), (2e-3, 1)])
def test_a_position_that_was_saved_at_a_limit_is_no_news(beyond: float, lines: int):
    """A message "is changed from 2 to 2" helps nobody."""
    made = rig(hinge(motor=LIMITS, joint=f"position {2 + beyond}"), info="gravity 0")
    assert limits(made, "m") == (-1, 2 + beyond)
    report = [str(line) for line in made.simulation.physics.plan.report if line.code == "motor-limits"]
    assert len(report) == lines


def test_a_motor_without_limits_gets_none():
    made = rig(hinge(joint="position 3"), info="gravity 0")
    assert limits(made, "m") == (0, 0)


@ENDS
def test_limits_that_are_changed_take_in_the_position_too(body: str):
    made = rig(
        hinge(motor=f"{LIMITS} maxTorque 1000", joint="position 1", body=body).replace(
            "RotationalMotor {", "DEF M RotationalMotor {"
        ),
        info="gravity 0",
    )
    made.set("M", "maxPosition", 0.5)
    assert made.node("M").get("maxPosition") == pytest.approx(1)
    assert made.model("m").engine.max_position == pytest.approx(1)


@ENDS
def test_coupled_motors_have_the_limits_of_the_first_by_the_ratio_of_multipliers(body: str):
    """The table of the manual's chapter Motor, also for joints without end point."""
    motors = [("m::A", 2, LIMITS), ("m::B", 0.5, ""), ("m::C", 4, ""), ("m::D", -4, "")]
    joints = "".join(hinge(name, f"multiplier {times} {own}", body=body) for name, times, own in motors)
    made = rig(joints, info="gravity 0")
    expected = {"m::A": (-1, 2, 10), "m::B": (-0.25, 0.5, 2.5), "m::C": (-2, 4, 20), "m::D": (-4, 2, 20)}
    for name, (low, high, speed) in expected.items():
        engine = made.model(name).engine
        assert (engine.min_position, engine.max_position, engine.max_velocity) == (low, high, speed)
        assert (*limits(made, name), made[name].get_max_velocity()) == (low, high, speed)


def test_the_first_counts_even_if_only_it_has_no_end_point():
    joints = hinge("m::A", LIMITS, body="") + slider("m::B", "multiplier 2")
    made = rig(joints, info="gravity 0")
    assert limits(made, "m::B") == (-2, 4)
    unlimited = rig(hinge("m::A", body="") + slider("m::B", LIMITS), info="gravity 0")
    assert limits(unlimited, "m::B") == (0, 0)


def test_coupled_motors_follow_a_change():
    joints = hinge("m::A", LIMITS).replace("RotationalMotor", "DEF A RotationalMotor")
    made = rig(joints + hinge("m::B", "multiplier -2", body=""), info="gravity 0")
    made.set("A", "maxPosition", 5.0)
    made.set("A", "maxVelocity", 3.0)
    engine = made.model("m::B").engine
    assert (engine.min_position, engine.max_position, engine.max_velocity) == (-10, 2, 6)
    assert (made.node("A").get("minPosition"), made.node("A").get("maxPosition")) == (-1, 5)


def test_a_joint_without_end_point_starts_at_its_position():
    made = rig(hinge(joint="position 0.7", body=""), info="gravity 0")
    made.enable("m sensor")
    made.step()
    assert made["m sensor"].get_value() == 0.7


def test_motors_of_two_robots_are_not_coupled():
    inner = f'Robot {{ name "inner" children [ {hinge("m::A", "maxVelocity 3")} ] }}'
    made = rig(hinge("m::A", LIMITS) + inner, info="gravity 0")
    found = made.simulation.robots.find("inner")
    assert found is not None
    assert made.model("m::A", "inner").engine.max_velocity == 3
