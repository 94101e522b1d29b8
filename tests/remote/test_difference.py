"""In what two device tables differ, in words."""

from __future__ import annotations

import pytest

from tests.hal.link.conftest import make_table
from wbridge.hal.table import Channel, DeviceEntry, DeviceTable
from wbridge.remote_controls.common.difference import first_difference

TABLE = make_table(("left", "RotationalMotor"), ("ds", "DistanceSensor"), name="rover")
MOTOR, SENSOR = TABLE.devices


def with_sensor(sensor: DeviceEntry) -> DeviceTable:
    return TABLE._replace(devices=(MOTOR, sensor))


MORE = (*SENSOR.channels, Channel("spare", "sense", "f64", (), ""))


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (TABLE, ""),
        (
            TABLE._replace(devices=(MOTOR,)),
            'device 2 is "ds" (DistanceSensor) in the controller, but absent in the robot',
        ),
        (
            with_sensor(SENSOR._replace(name="sonar")),
            'device 2 is "ds" (DistanceSensor) in the controller, but "sonar" (DistanceSensor) in the robot',
        ),
        (
            TABLE._replace(robot=TABLE.robot._replace(name="tank")),
            'the robot is "rover" (Robot) in the controller, but "tank" (Robot) in the robot',
        ),
        (
            with_sensor(SENSOR._replace(constants={**SENSOR.constants, "aperture": 2.0})),
            "is {aperture} in the controller, but 2.0 in the robot",
        ),
        (
            with_sensor(SENSOR._replace(channels=MORE)),
            'the channels of "ds" (DistanceSensor) are value in the controller, '
            "but value, spare in the robot",
        ),
        (with_sensor(SENSOR._replace(model="GP2D12")), '"ds" (DistanceSensor) has a different model'),
    ],
)
def test_the_first_difference_is_named(other: DeviceTable, words: str):
    told = first_difference(TABLE, other)
    assert words.format(aperture=SENSOR.constants.get("aperture", "absent")) in told
    assert bool(told) is bool(words)
