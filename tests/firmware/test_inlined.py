"""Modules of a board have their messages and rules in place, and the rules are those of the API."""

from __future__ import annotations

import runpy

import pytest

from wbridge.wbfirmware.building.micropython.inlined import inlined
from wbridge.wbfirmware.template_folders import templates_path

CORE = templates_path() / "micropython"
INFINITY = float("inf")


def test_messages_and_rules_are_written_in_place():
    text = (
        "from wb import channels, messages, rules\nfrom wb import messages\n"
        "if rules.is_velocity_refused(speed, self.last()):\n    print(messages.NEGATIVE_VELOCITY)\n"
    )
    assert inlined(text) == (
        "from wb import channels\n"
        'if speed < 0 and abs(self.last()) != float("inf"):\n'
        '    print("wbridge: a negative velocity requires the position INFINITY")\n'
    )


def test_other_modules_stay_as_they_are():
    text = "from wb import channels\nprint(channels.rules)\n"
    assert inlined(text) == text


@pytest.mark.parametrize("position", [0.0, -1.0, INFINITY, -INFINITY])
@pytest.mark.parametrize("velocity", [-1.0, -0.0, 0.0, 2.0, -INFINITY])
def test_boards_refuse_what_the_api_refuses(velocity: float, position: float):
    """Manual, wb_motor_set_velocity: the velocity is positive unless the position is infinite."""
    expected = velocity < 0 and position not in (INFINITY, -INFINITY)
    rule = runpy.run_path(str(CORE / "rules.py"))["is_velocity_refused"]
    assert rule(velocity, position) is expected


@pytest.mark.parametrize("acceleration", [-INFINITY, -2.0, -1.0, -0.5, -0.0, 0.0, 3.0, INFINITY])
def test_an_acceleration_is_positive_or_unlimited(acceleration: float):
    """Manual, motor: -1, the default of the field, means no limit."""
    expected = acceleration < 0 and acceleration != -1
    assert runpy.run_path(str(CORE / "rules.py"))["is_acceleration_refused"](acceleration) is expected
