"""Sensors that are sampled and say nothing are named, once."""

from __future__ import annotations

import pytest

from tests.hal.link.conftest import make_table
from wbridge.hal.link.numbering import LinkChannel, Numbering
from wbridge.remote_controls.common.silence import PATIENCE, SilentSensors

NUMBERING = Numbering(make_table(("ds", "DistanceSensor"), ("imu", "Gyro"), ("ear", "Receiver")))
STEP = 50


class Ears:
    """What was said, and steps in which some sensors were heard."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.sensors = SilentSensors(NUMBERING, self.said.append)
        for slot in NUMBERING.slots:
            self.sensors.set_period(slot, STEP)

    def pass_time(self, ms: int, *names: str) -> None:
        """Steps in which these devices say something."""
        heard: list[LinkChannel] = [one for one in NUMBERING.channels if one.device in names]
        for _ in range(ms // STEP):
            self.sensors.step(STEP, heard)


def test_a_silent_sensor_is_named_once_and_so_is_its_return():
    ears = Ears()
    ears.pass_time(PATIENCE - STEP, "ds")
    assert ears.said == []
    ears.pass_time(5 * PATIENCE, "ds")
    (words,) = ears.said
    assert words.startswith('"imu" sends no readings') and "wb_gyro_enable" in words
    ears.pass_time(STEP, "ds", "imu")
    assert ears.said[1:] == ['"imu" sends readings again']
    ears.pass_time(2 * PATIENCE, "ds", "imu")
    assert len(ears.said) == 2


@pytest.mark.parametrize("period", [0, 10 * PATIENCE])
def test_a_sensor_has_the_time_of_its_period(period: int):
    ears = Ears()
    slot = NUMBERING.slot(2, "wb_gyro_enable")
    assert slot is not None
    ears.sensors.set_period(slot, period)
    ears.pass_time(5 * PATIENCE, "ds")
    assert ears.said == []


def test_a_receiver_may_be_silent():
    ears = Ears()
    ears.pass_time(5 * PATIENCE, "ds", "imu")
    assert ears.said == []
