"""Brakes against the law of damping: force = -(damping of the joint + that of the brake) * velocity."""

from __future__ import annotations

import logging
import math

import pytest

from tests.devices.joints import BODY, FREE, STEP_S, devices, hinge, ready, slider, trace
from tests.devices.rig import Rig, rig

MASS = 6


def speed_after(made: Rig, steps: int) -> float:
    positions = trace(made, steps)
    return (positions[-1] - positions[-2]) / STEP_S


def coasting(joint: str = "") -> Rig:
    """A slider that was pushed to 2 m/s and is left to itself."""
    made = ready(slider(joint=joint))
    made["m"].set_force(2 * MASS / (10 * STEP_S))
    made.step(10)
    made["m"].set_force(0)
    return made


def test_without_damping_it_coasts():
    assert speed_after(coasting(), 30) == pytest.approx(2, rel=1e-6)


@pytest.mark.parametrize(("own", "braked"), [(0, 3), (4, 3), (4, 0)])
def test_damping_of_joint_and_brake_add_up(own, braked):
    made = coasting(f"dampingConstant {own}")
    first = speed_after(made, 2) if own else 2
    made["m brake"].set_damping_constant(braked)
    # Implicit Euler: each step divides the speed by 1 + c h / m.
    factor = 1 + (own + braked) * STEP_S / MASS
    assert speed_after(made, 30) == pytest.approx(first / factor**30, rel=1e-3)


def test_a_brake_that_is_opened_brakes_no_more():
    made = coasting()
    made["m brake"].set_damping_constant(50)
    speed = speed_after(made, 10)
    made["m brake"].set_damping_constant(0)
    assert speed_after(made, 30) == pytest.approx(speed, rel=1e-6)


def test_a_hinge_is_braked_too():
    made = ready(hinge())
    made["m"].set_torque(1)
    made["m brake"].set_damping_constant(2)
    assert speed_after(made, 300) == pytest.approx(0.5, rel=1e-3)


def test_the_damping_outlives_a_change_and_ends_with_a_reset():
    made = ready(slider(body=BODY.replace("Box", "DEF BOX Box")))
    made["m brake"].set_damping_constant(2)
    made.step()
    made.set("BOX", "size", (2, 1, 1))
    axis = made.simulation.physics.handles.axes[made.model("m brake").node]
    assert axis.brake == 2
    made.simulation.reset()
    axis = made.simulation.physics.handles.axes[made.model("m brake").node]
    assert axis.brake == 0


def test_a_track_is_braked_in_force_control():
    track = f'Track {{ name "t" {BODY} device [ {devices("m", "maxForce 100", "LinearMotor")} ] }}'
    made = rig(track, info=FREE, fields="physics Physics { } boundingObject Box { }")
    made["m"].set_force(5)
    made["m brake"].set_damping_constant(10)
    made.step(3)
    (belt,) = made.simulation.physics.handles.tracks.values()
    assert belt.brake == 10


def test_what_is_no_number_or_negative_is_refused(caplog):
    made = rig(hinge())
    model = made.model("m brake")
    with caplog.at_level(logging.WARNING):
        for value in (-1.0, math.nan):
            with pytest.raises(ValueError, match="brake"):
                model.on_set_damping_constant(value)


def test_a_brake_on_nothing_says_so(caplog):
    made = rig(hinge(body=""))
    with caplog.at_level(logging.WARNING):
        made["m brake"].set_damping_constant(1)
        made.step()
    assert any("it is on no moving joint or track" in one for one in caplog.messages)


def test_it_finds_the_other_devices_while_it_brakes():
    made = rig(hinge())
    made["m brake"].set_damping_constant(1)
    assert made["m brake"].get_position_sensor() == made["m sensor"].tag
