"""Position sensors: what they measure, noise and resolution (manual, chapter PositionSensor)."""

from __future__ import annotations

import math
import statistics

import pytest

from tests.devices.joints import BODY, STEP_S, hinge, ready, slider, trace
from tests.devices.rig import STEP_MS, rig


def test_the_first_value_is_the_position_of_the_file():
    made = rig(hinge(joint="position 0.4"), info="gravity 0")
    sensor = made["m sensor"]
    sensor.enable(STEP_MS)
    assert math.isnan(sensor.get_value())
    made.step()
    assert sensor.get_value() == pytest.approx(0.4)


@pytest.mark.parametrize("joint", [hinge, slider])
def test_it_shows_the_position_at_the_end_of_the_step(joint):
    made = ready(joint())
    made["m"].set_position(math.inf)
    made["m"].set_velocity(1)
    assert trace(made, 4) == pytest.approx([STEP_S * n for n in (1, 2, 3, 4)], rel=1e-4)


@pytest.mark.parametrize(("resolution", "value"), [(0.5, 0.5), (0.1, 0.7), (-1, 0.72), (1, 1)])
def test_the_resolution_is_the_smallest_change(resolution, value):
    made = ready(hinge(joint="position 0.72", sensor=f"resolution {resolution}"))
    assert trace(made, 1)[0] == pytest.approx(value)


def test_the_noise_is_gaussian_with_the_stated_deviation():
    made = ready(slider().replace('name "m sensor"', 'name "m sensor" noise 0.2'))
    values = trace(made, 2000)
    assert statistics.fmean(values) == pytest.approx(0, abs=4 * 0.2 / math.sqrt(2000))
    assert statistics.stdev(values) == pytest.approx(0.2, rel=0.08)


def test_noise_and_resolution_may_change():
    text = hinge(joint="position 0.72").replace("PositionSensor {", "DEF S PositionSensor {")
    made = ready(text)
    made.set("S", "resolution", 0.5)
    assert trace(made, 1)[0] == 0.5


def test_a_longer_period_skips_steps():
    made = ready(hinge())
    made["m sensor"].enable(3 * STEP_MS)
    made["m"].set_position(math.inf)
    values = trace(made, 7)
    assert math.isnan(values[1])
    assert values[2] == values[3] == values[4] < values[5] == values[6]


def test_it_measures_joints_without_a_motor_too():
    made = rig(
        "HingeJoint { jointParameters HingeJointParameters { axis 0 1 0 anchor 0 0 0 } "
        f'device PositionSensor {{ name "s" }} endPoint Solid {{ translation 1 0 0 {BODY} }} }}'
    )
    made.enable("s")
    made.step(20)
    assert made["s"].get_value() > 0.1
    assert made["s"].get_motor() == 0


def test_it_measures_a_joint_that_a_supervisor_sets():
    made = ready(hinge(joint="position 0.1").replace("HingeJointParameters", "DEF P HingeJointParameters"))
    made["m"].set_available_torque(0)
    made.set("P", "position", 0.6)
    assert trace(made, 1)[0] == pytest.approx(0.6, abs=1e-6)
