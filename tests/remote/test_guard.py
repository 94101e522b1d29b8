"""A robot stops whoever dies: its controller, guard, gateway, simulator, wire, broker or window.

The judge is the emulated robot: its wheels stand. `python -m tests.remote.deaths` prints how long each takes.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.conftest import CHECKOUT, require_tool
from tests.remote import board_deaths, fates, window_deaths
from tests.remote.deaths import (
    LONGEST_S,
    SOURCES,
    Death,
    Drive,
    deaths,
    driving,
    robot_of,
    time_to_stop,
    write_controller,
    write_project,
)
from tests.remote.emulated import REMOTE, ClosedPipe, Serving, controlled, serving, tags, until
from tests.remote.test_epuck import STEP, drive, peers
from tests.waiting import wait_for
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.gateway.guard import MOST_SILENT, GuardConnection, RequestCutter
from wbridge.hal.link.messages import LONGEST_WATCHDOG
from wbridge.hal.protocol.loopback import Loopback
from wbridge.hal.protocol.packet import GOOD_BYE, RequestReader, write_request
from wbridge.remote_controls.common.unstoppable import UNSTOPPABLE, warning
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.wbcore.remote.trace_receiver import TraceReceiver

SIMULATION = 0
STEPS = 20
"""Steps in which a robot that must stand is looked at."""
QUICK = {
    "epuck-python-remote-controller-KILL",
    "epuck-python-remote-controller-STOP",
    "epuck-python-remote-guard-STOP",
    "epuck-python-remote-gateway-KILL",
    "epuck-python-run-guard-KILL",
    "epuck-python-run-simulator-STOP",
    "epuck-python-inline-simulator-KILL",
    "epuck-c-remote-gateway-KILL",
    "epuck-c-run-controller-KILL",
    "create2-python-remote-controller-STOP",
    "firmata-python-remote-controller-KILL",
    "serial-c-run-controller-KILL",
    "serial-python-remote-controller-KILL",
    "wifi-python-remote-wire-cut",
    "mqtt-python-remote-broker-STOP",
}
"""One of each kind; the others are slow tests."""


def _cases() -> list[object]:
    known = {str(death): death for death in deaths() if not death.is_unstoppable}
    assert known.keys() >= QUICK
    return [
        pytest.param(death, id=name, marks=[] if name in QUICK else [pytest.mark.slow])
        for name, death in known.items()
    ]


@pytest.mark.parametrize("death", _cases())
def test_the_robot_stops_whoever_dies(death: Death, tmp_path: Path):
    if death.language == "c":
        require_tool("cc", "controllers in C are built with it")
    assert time_to_stop(death, tmp_path) > 0.0  # it raises an exception if the robot drives on


@pytest.mark.parametrize("language", SOURCES)
def test_a_gateway_outlives_the_processes_that_are_killed_with_its_controller(language: str, tmp_path: Path):
    """It stops the robot, long before the robot's own watchdog does so."""
    death = Death("serial", language, "run", "controller", "KILL")
    world = write_project(death, tmp_path)
    with robot_of(death, world) as robot:
        write_controller(death, world, f"{robot.url}?watchdog={LONGEST_WATCHDOG}")
        drive = Drive(death, world, robot)
        begun = time.monotonic()
        drive.die()
        wait_for(lambda: not drive.is_driving())
        assert time.monotonic() - begun < LONGEST_WATCHDOG / 2000
        drive.end()


QUICK_FATES = {
    "epuck-python-remote-controller-becomes another program",
    "epuck-python-remote-computing controller guard-STOP",
    "epuck-python-remote-output-full",
    "epuck-python-remote-output-full disk",
    "epuck-c-run-controller-writes to address 8",
}
"""One of each kind; see `QUICK`."""


def _fates() -> list[object]:
    assert set(fates.names()) >= QUICK_FATES
    slow = [pytest.mark.slow]
    return [pytest.param(name, marks=[] if name in QUICK_FATES else slow) for name in fates.names()]


@pytest.mark.parametrize("name", _fates())
def test_the_robot_stops_however_its_controller_ends(name: str):
    if "-c-" in name:
        require_tool("cc", "controllers in C are built with it")
    assert fates.time_to_stop(name) > 0.0  # it raises an exception if the robot drives on


@pytest.mark.parametrize("name", window_deaths.names())
@pytest.mark.slow
def test_a_robot_that_a_person_drives_stops_whatever_dies(name: str):
    assert window_deaths.time_to_stop(name) > 0.0  # it raises an exception if the robot drives on


def test_what_nothing_stops_is_declared_once_and_named_to_users():
    tried = {death.victim for death in deaths() if death.is_unstoppable}
    assert tried == {event.victim for event in UNSTOPPABLE}
    page = (CHECKOUT / "docs" / "remote-control.md").read_text().lower()
    for event in UNSTOPPABLE:
        assert event.text in warning()
        assert event.text in page


@pytest.mark.parametrize("victim", [event.victim for event in UNSTOPPABLE])
def test_a_run_names_it_at_its_start(victim: str, tmp_path: Path):
    death = next(death for death in deaths() if death.is_unstoppable and death.victim == victim)
    with driving(death, tmp_path) as drive:
        wait_for(lambda: warning() in "".join(drive.lines))
        assert drive.is_driving()


@pytest.mark.parametrize("name", board_deaths.names())
@pytest.mark.boards
@pytest.mark.slow
def test_a_board_stops_whatever_dies(name: str):
    assert board_deaths.time_to_stop(name) <= LONGEST_S


@pytest.fixture
def robot(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Serving, Loopback]]:
    """An emulated e-puck, and a controller in simulation whose plugin will run in a guard."""
    monkeypatch.delenv("WBRIDGE_REMOTE_GUARD")
    with serving(Emulator()) as served, controlled(peers(), "epuck") as world:
        yield served, world


def guard() -> GuardConnection:
    """The guard of the current robot."""
    connection = route()
    assert isinstance(connection, GuardConnection)
    return connection


def route() -> object:
    """The connection of the current robot to its simulator."""
    exchange = session.current().exchange
    assert exchange is not None
    return exchange.remote.robot.route


def test_commands_and_readings_pass_the_guard(robot: tuple[Serving, Loopback]):
    served, world = robot
    api.wb_distance_sensor_enable(tags()["ps0"], STEP)
    api.wb_robot_set_mode(REMOTE, served.url)
    assert api.wb_robot_get_mode() == REMOTE
    drive(2.0, -1.0)
    served.robot.set("ps0", 1234)
    until(lambda: api.wb_distance_sensor_get_value(tags()["ps0"]) == 1234.0, STEP)
    assert served.robot.state()["left"] == pytest.approx(2.0, abs=0.01)
    assert api.wb_remote_control_custom_function(None) == "e-puck2"
    api.wb_robot_set_mode(SIMULATION, "")
    assert api.wb_robot_get_mode() == SIMULATION
    assert served.robot.state()["left"] == 0.0
    world["ps0"].send("value", 7.0)
    assert api.wb_robot_step(STEP) == 0
    assert api.wb_distance_sensor_get_value(tags()["ps0"]) == 7.0, "simulation goes on without the guard"
    assert isinstance(route(), Loopback)


def test_a_robot_that_is_not_there_leaves_no_guard(robot: tuple[Serving, Loopback], tmp_path: Path):
    api.wb_robot_set_mode(REMOTE, str(tmp_path / "ttyNone"))
    assert api.wb_robot_get_mode() == SIMULATION
    assert isinstance(route(), Loopback)
    assert api.wb_robot_step(STEP) == 0


def test_a_lost_guard_returns_to_simulation(
    robot: tuple[Serving, Loopback], capsys: pytest.CaptureFixture[str]
):
    served, world = robot
    api.wb_robot_set_mode(REMOTE, served.url)
    drive(2.0, 2.0)
    until(lambda: served.robot.state()["left"] > 0, STEP)
    os.kill(guard().pid, signal.SIGKILL)
    api.wb_robot_step(STEP)
    assert served.robot.state()["left"] == 0.0, "the controller's side has stopped it"
    assert api.wb_robot_get_mode() == SIMULATION
    assert "stopping the robot" in capsys.readouterr().err
    assert api.wb_robot_step(STEP) == 0
    assert world["left wheel motor"].last("set_velocity") == (2.0,)


def lose_silent_guard(served: Serving, options: str = "") -> None:
    """Drive, and let the guard get no processor time, as on a busy computer; the robot then stands."""
    api.wb_robot_set_mode(REMOTE, served.url + options)
    drive(2.0, 2.0)
    until(lambda: served.robot.state()["left"] > 0, STEP)
    os.kill(guard().pid, signal.SIGSTOP)
    api.wb_robot_step(STEP)
    assert served.robot.state()["left"] == 0.0, "the controller's side has stopped it"


def test_a_robot_drives_on_after_its_guard_was_silent(
    robot: tuple[Serving, Loopback], capsys: pytest.CaptureFixture[str]
):
    served, _ = robot
    api.wb_distance_sensor_enable(tags()["ps0"], STEP)
    lose_silent_guard(served)
    assert api.wb_robot_get_mode() == REMOTE
    assert "another process goes on" in capsys.readouterr().err
    served.robot.set("ps0", 1234)
    until(lambda: api.wb_distance_sensor_get_value(tags()["ps0"]) == 1234.0, STEP)
    assert served.robot.state()["left"] == pytest.approx(2.0, abs=0.01)


def test_guards_that_make_no_step_are_not_replaced_for_ever(robot: tuple[Serving, Loopback]):
    served, _ = robot
    lose_silent_guard(served)
    for _ in range(MOST_SILENT):
        assert api.wb_robot_get_mode() == REMOTE
        os.kill(guard().pid, signal.SIGSTOP)
        api.wb_robot_step(STEP)
        assert served.robot.state()["left"] == 0.0
    assert api.wb_robot_get_mode() == SIMULATION
    assert served.robot.state()["left"] == 0.0


def test_a_robot_stands_if_no_other_guard_can_be_started(
    robot: tuple[Serving, Loopback], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Judge: fork(2), EAGAIN."""
    served, _ = robot

    def fail(*arguments: object) -> NoReturn:
        raise BlockingIOError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    api.wb_robot_set_mode(REMOTE, served.url)
    monkeypatch.setattr("wbridge.hal.gateway.guard.start_guard", fail)
    lose_silent_guard(served)
    assert api.wb_robot_get_mode() == SIMULATION
    assert "cannot start another process: [Errno" in capsys.readouterr().err
    assert api.wb_robot_step(STEP) == 0


def test_a_latched_robot_stays_stopped_after_its_guard_was_silent(robot: tuple[Serving, Loopback]):
    served, _ = robot
    lose_silent_guard(served, "?latch=1")
    for _ in range(STEPS):
        api.wb_robot_step(STEP)
        assert served.robot.state()["left"] == 0.0
    api.wb_robot_set_mode(REMOTE, f"{served.url}?latch=1")
    until(lambda: served.robot.state()["left"] > 0, STEP)


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TraceReceiver]:
    """Windows of the robot, without their pages."""
    path = tmp_path / "trace"
    monkeypatch.setenv("WBRIDGE_REMOTE_TRACE", str(path))
    receiver = TraceReceiver(path, None, None)
    yield receiver
    receiver.close()


def test_a_new_guard_waits_until_it_knows_who_drives(reader: TraceReceiver, robot: tuple[Serving, Loopback]):
    served, _ = robot
    lose_silent_guard(served)
    for _ in range(STEPS):
        api.wb_robot_step(STEP)
        assert served.robot.state()["left"] == 0.0
    until(lambda: reader.look() or served.robot.state()["left"] > 0, STEP)


def test_a_robot_that_a_person_has_stopped_stays_so_with_a_new_guard(
    reader: TraceReceiver, robot: tuple[Serving, Loopback]
):
    served, _ = robot
    api.wb_robot_set_mode(REMOTE, served.url)
    drive(2.0, 2.0)
    until(lambda: served.robot.state()["left"] > 0, STEP)
    reader.look()
    assert reader.request({"do": "stop"})
    until(lambda: served.robot.state()["left"] == 0, STEP)
    os.kill(guard().pid, signal.SIGSTOP)
    for _ in range(STEPS):
        api.wb_robot_step(STEP)
        reader.look()
        assert served.robot.state()["left"] == 0.0
    assert api.wb_robot_get_mode() == REMOTE
    assert reader.request({"do": "drive", "on": False})
    until(lambda: served.robot.state()["left"] > 0, STEP)


@pytest.mark.parametrize("language", SOURCES)
@pytest.mark.parametrize("way", ["remote", "run"])
def test_a_run_goes_on_after_its_guard_was_silent(language: str, way: str, tmp_path: Path):
    if language == "c":
        require_tool("cc", "controllers in C are built with it")
    with driving(Death("epuck", language, way, "guard", "STOP"), tmp_path) as drive:
        drive.die()
        wait_for(lambda: not drive.is_driving())
        wait_for(drive.is_driving)


def test_a_lost_guard_is_replaced_before_anything_is_printed(
    robot: tuple[Serving, Loopback], monkeypatch: pytest.MonkeyPatch
):
    """A pipe that nobody reads any more lets a print fail."""
    served, _ = robot
    api.wb_robot_set_mode(REMOTE, served.url)
    drive(2.0, 2.0)
    until(lambda: served.robot.state()["left"] > 0, STEP)
    output = ClosedPipe(lambda: served.robot.state()["left"])
    monkeypatch.setattr(sys, "stderr", output)
    os.kill(guard().pid, signal.SIGKILL)
    api.wb_robot_step(STEP)
    assert served.robot.state()["left"] == 0.0
    assert output.seen == [0.0]


def test_what_is_no_json_is_refused(robot: tuple[Serving, Loopback], capsys: pytest.CaptureFixture[str]):
    served, _ = robot
    api.wb_robot_set_mode(REMOTE, served.url)
    assert api.wb_remote_control_custom_function(object()) is None
    assert "wb_remote_control_custom_function() called with a object" in capsys.readouterr().err


def test_a_hanging_controller_stops_the_robot_until_its_next_step(robot: tuple[Serving, Loopback]):
    served, _ = robot
    api.wb_robot_set_mode(REMOTE, f"{served.url}?watchdog=50")
    drive(2.0, 2.0)
    until(lambda: served.robot.state()["left"] > 0, STEP)
    wait_for(lambda: served.robot.state()["left"] == 0)  # no step is made
    until(lambda: served.robot.state()["left"] > 0, STEP)


def test_requests_are_cut_where_they_end():
    packets = [write_request(8, [(1, b"abc")]), write_request(0), GOOD_BYE]
    reader = RequestReader()
    assert len(reader.feed(b"".join(packets[:2]))) == 2, "they are valid"
    cutter, cut = RequestCutter(), []
    for byte in b"".join(packets):
        cut += cutter.feed(bytes([byte]))
    assert cut == packets


def test_the_robot_continues_in_the_state_of_the_controller(robot: tuple[Serving, Loopback]):
    served, _ = robot
    drive(1.5, 0.5)
    api.wb_robot_step(STEP)
    api.wb_robot_set_mode(REMOTE, served.url)
    until(lambda: served.robot.state()["left"] > 1.0, STEP)
    assert served.robot.state()["right"] == pytest.approx(0.5, abs=0.01)
