"""The rig itself: steps are made by the client, values come by packets, several robots step together."""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from tests.devices.rig import STEP_MS, Rig, robot, world
from wbridge.hal.connection.sockets import ConnectionLost

GPS = 'GPS { name "gps" }'


@pytest.mark.parametrize("tcp", [False, True])
def test_a_sensor_is_nan_first_and_measures_after_a_period(drive: Callable[..., Rig], tcp: bool):
    rig = drive(world(robot(GPS, "translation 1 2 3")), tcp=tcp)
    gps = rig["gps"]
    gps.enable(2 * STEP_MS)
    assert math.isnan(gps.get_values()[0])
    rig.step()
    assert math.isnan(gps.get_values()[0])
    rig.step()
    assert list(gps.get_values()) == [1, 2, 3]
    assert rig.client.get_time() == 2 * STEP_MS / 1000


def test_the_functions_of_the_api_see_the_robot(drive: Callable[..., Rig], api: Callable[[Rig], None]):
    from wbridge.hal import api as wb
    from wbridge.hal.controller import Robot

    rig = drive(world(robot(GPS)))
    api(rig)
    assert wb.wb_robot_get_name() == "robot"
    assert wb.wb_robot_get_device("gps") == 1
    assert Robot().getName() == "robot"


def test_several_robots_step_together(drive: Callable[..., Rig]):
    rig = drive(world(robot(GPS, name="one") + robot(GPS, "translation 5 0 0", name="two")))
    other = rig.connect("two")
    rig.of(other, "gps").enable(STEP_MS)
    rig.step(3)
    assert rig.of(other, "gps").get_values()[0] == 5
    assert rig.simulation.steps == 3


def test_a_step_that_nobody_can_end_is_an_error(drive: Callable[..., Rig]):
    rig = drive(world(robot(GPS, name="one") + robot(GPS, name="two")))
    rig.connect("two")
    with pytest.raises((SystemExit, ConnectionLost)):
        rig.client.step(STEP_MS)
