"""Driving a robot without a watchdog by hand: it stops whoever dies. The judge is the emulated robot."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from typing import NoReturn

import pytest

from tests.conftest import CHECKOUT
from tests.hal.link.conftest import make_table
from tests.remote.emulated import ClosedPipe, Serving, serving
from tests.waiting import wait_for
from wbridge.hal.gateway.guard import MOST_SILENT
from wbridge.hal.manual_guard import GuardedManualRobot
from wbridge.hal.manual_robot import PluginError, Unable
from wbridge.remote_controls.emulators.epuck import Emulator

LEFT, SENSOR = 1, 3
TABLE = make_table(
    ("left wheel motor", "RotationalMotor"),
    ("right wheel motor", "RotationalMotor"),
    ("ps0", "DistanceSensor"),
    name="e-puck",
)
DRIVER = """
import sys
from wbridge.hal.manual_guard import GuardedManualRobot
from wbridge.hal.table import DeviceTable
robot = GuardedManualRobot(DeviceTable.from_json(sys.argv[2]), "epuck")
robot.start(sys.argv[1])
robot.set(1, "position", float("inf"))
robot.set(1, "velocity", 3.0)
while True:
    robot.step(32)
"""


@pytest.fixture
def emulated() -> Iterator[Serving]:
    with serving(Emulator()) as robot:
        yield robot


@pytest.fixture
def driven(emulated: Serving) -> Iterator[GuardedManualRobot]:
    robot = GuardedManualRobot(TABLE, "epuck")
    assert robot.start(emulated.url)
    robot.set(LEFT, "position", float("inf"))
    robot.set(LEFT, "velocity", 3.0)
    robot.step(32)
    wait_for(lambda: emulated.robot.state()["left"] > 0)
    yield robot
    robot.close()


def test_it_drives_and_reads_as_without_a_guard(emulated: Serving, driven: GuardedManualRobot):
    emulated.robot.set("ps0", 321)
    driven.enable(SENSOR, "wb_distance_sensor_enable", 16)
    wait_for(lambda: (SENSOR, "value", 321.0) in driven.step(16).readings)
    with pytest.raises(Unable):
        driven.set(SENSOR, "nothing", 1.0)
    driven.stop()
    driven.step(16)
    wait_for(lambda: emulated.robot.state()["left"] == 0)


def test_a_lost_guard_ends_the_drive(
    emulated: Serving, driven: GuardedManualRobot, capsys: pytest.CaptureFixture[str]
):
    os.kill(driven.pid, signal.SIGKILL)
    assert driven.step(16).has_failed
    assert emulated.robot.state()["left"] == 0.0
    assert "stopping the robot" in capsys.readouterr().err


def test_a_person_drives_on_after_the_guard_was_silent(
    emulated: Serving, driven: GuardedManualRobot, capsys: pytest.CaptureFixture[str]
):
    """The robot moves with the next command only: the person has seen it stop."""
    driven.enable(SENSOR, "wb_distance_sensor_enable", 16)
    os.kill(driven.pid, signal.SIGSTOP)
    step = driven.step(16)
    assert (step.is_silent, step.has_failed) == (True, False)
    assert "another process goes on" in capsys.readouterr().err
    emulated.robot.set("ps0", 321)
    wait_for(lambda: (SENSOR, "value", 321.0) in driven.step(16).readings)
    assert emulated.robot.state()["left"] == 0.0
    driven.set(LEFT, "position", float("inf"))
    driven.set(LEFT, "velocity", 3.0)
    driven.step(16)
    wait_for(lambda: emulated.robot.state()["left"] > 0)


def test_guards_that_make_no_step_are_not_replaced_for_ever(emulated: Serving, driven: GuardedManualRobot):
    for tried in range(MOST_SILENT + 1):
        os.kill(driven.pid, signal.SIGSTOP)
        assert driven.step(16).has_failed == (tried == MOST_SILENT)
        assert emulated.robot.state()["left"] == 0.0


def test_a_robot_stands_if_no_other_guard_can_be_started(
    emulated: Serving, driven: GuardedManualRobot, monkeypatch: pytest.MonkeyPatch
):
    """Judge: fork(2), EAGAIN."""

    def fail(*arguments: object) -> NoReturn:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    monkeypatch.setattr("wbridge.hal.manual_guard.start_guard", fail)
    os.kill(driven.pid, signal.SIGSTOP)
    assert driven.step(16).has_failed
    assert driven.step(16).has_failed
    assert emulated.robot.state()["left"] == 0.0


def test_a_lost_guard_is_replaced_before_anything_is_printed(
    emulated: Serving, driven: GuardedManualRobot, monkeypatch: pytest.MonkeyPatch
):
    output = ClosedPipe(lambda: emulated.robot.state()["left"])
    monkeypatch.setattr(sys, "stderr", output)
    os.kill(driven.pid, signal.SIGKILL)
    assert driven.step(16).has_failed
    assert emulated.robot.state()["left"] == 0.0
    assert output.seen == [0.0]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_the_robot_stops_when_its_driver_dies_or_hangs(number: signal.Signals, emulated: Serving):
    command = [sys.executable, "-c", DRIVER, emulated.url, TABLE.canonical()]
    with subprocess.Popen(command, cwd=CHECKOUT) as process:
        wait_for(lambda: emulated.robot.state()["left"] > 0)
        process.send_signal(number)
        wait_for(lambda: emulated.robot.state()["left"] == 0)
        process.kill()


def test_a_robot_that_does_not_fit_is_refused():
    with pytest.raises(PluginError, match="does not support this robot"):
        GuardedManualRobot(make_table(("ds", "DistanceSensor"), name="box"), "epuck")
