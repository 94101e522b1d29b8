"""The calls of scripts on real robots: an emulated e-puck by its own protocol, and the robot link."""

from __future__ import annotations

import numpy as np
import pytest

import wbridge
from tests.conftest import CHECKOUT
from tests.remote.emulated import serving
from tests.remote.link_robots import LinkRobot
from tests.waiting import wait_for
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

ARENA = CHECKOUT / "worlds" / "epuck_arena.wbt"
TWO_WHEELS = CHECKOUT / "worlds" / "two_wheels.wbt"
RADIANS_PER_STEP = 2 * np.pi / 1000


def test_a_script_drives_an_e_puck():
    """SerCom sends speeds in steps per second, and the emulated robot moves by what it got."""
    emulated = Emulator()
    with serving(emulated) as served, wbridge.connect(served.url, ARENA, plugin="epuck") as robot:
        wheel = robot.sensor("left wheel sensor")
        near, gyro = robot.sensor("ps0"), robot.sensor("gyro", 64)
        assert np.isnan(wheel.value)
        robot.motor("left wheel motor").velocity = 200 * RADIANS_PER_STEP
        robot.motor("right wheel motor").velocity = -100 * RADIANS_PER_STEP
        wait_for(lambda: (robot.step(), isinstance(wheel.value, float) and wheel.value > 0.2)[1])
        assert np.shape(gyro.value) == (3,)
        wait_for(lambda: (robot.step(), np.isfinite(gyro.value).all())[1])
        assert np.isfinite(near.value)
        assert robot.sensors["ps0"] is near and "left wheel motor" not in robot.sensors
        assert np.isnan(robot.sensors["ps3"].value) and np.isfinite(robot.sensor("gyro").value).all()
        assert robot.time > 0 and not robot.is_silent
        assert (
            b"D,200,-100" in served.heard
            or b"\xbc\xc8\x00\x9c\xff" in bytes(served.heard)
            or b"\xc8\x00\x9c\xff" in bytes(served.heard)
        )


def test_a_robot_of_the_link_reports_its_devices():
    (table,) = device_tables(load_world(str(TWO_WHEELS)))
    served = LinkRobot(table, "tcp://127.0.0.1", None)
    try:
        with wbridge.connect(served.url) as robot:
            assert robot.name == "two wheels"
            assert [*robot.motors] == ["left wheel motor", "right wheel motor"]
            robot.sensor("front")
            motor = robot.motor("left wheel motor")
            motor.velocity = 3
            robot.set_led("status", 1)
            state = served.commands.state
            wait_for(lambda: (robot.step(), state.get("left wheel motor.velocity") == 3.0)[1])
            wait_for(lambda: (robot.step(), state.get("status.value") == 1)[1])
            motor.position = 1.5
            assert (motor.position, np.isnan(motor.velocity)) == (1.5, True)
            wait_for(lambda: (robot.step(), state.get("left wheel motor.position") == 1.5)[1])
            assert state["left wheel motor.velocity"] == 12.0
            stops = served.commands.stops
        wait_for(lambda: served.commands.stops > stops)
        assert "left wheel motor.velocity" not in served.commands.state
    finally:
        served.close()


def test_wrong_words_are_explained(caplog: pytest.LogCaptureFixture):
    (table,) = device_tables(load_world(str(TWO_WHEELS)))
    served = LinkRobot(table, "tcp://127.0.0.1", None)
    try:
        with wbridge.connect(served.url, TWO_WHEELS) as robot:
            with pytest.raises(
                KeyError, match="no motor \"left wheel motr\"; did you mean 'left wheel motor'"
            ):
                robot.motor("left wheel motr")
            with pytest.raises(KeyError, match='no sensor "frond"; did you mean'):
                robot.sensor("frond")
            with pytest.raises(ValueError, match='"status" is of type LED, which measures no numbers'):
                robot.sensor("status")
            with pytest.raises(ValueError, match="expected a finite number, not nan"):
                robot.motor("left wheel motor").velocity = float("nan")
            robot.motor("left wheel motor").velocity = 99
            assert robot.motor("left wheel motor").velocity == 12
            assert "99 is beyond the limits: cut to 12" in caplog.text
    finally:
        served.close()
    with pytest.raises(ValueError, match='no robot named "three wheels"'):
        wbridge.connect("tcp://127.0.0.1:1", TWO_WHEELS, robot="three wheels")
    with pytest.raises(ValueError, match="name a world with it"):
        wbridge.connect("tcp://127.0.0.1:1", plugin="epuck")
    with pytest.raises(ConnectionError):
        wbridge.connect("tcp://127.0.0.1:1", TWO_WHEELS)
