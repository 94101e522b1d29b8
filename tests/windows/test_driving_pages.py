"""Who drives by hand, and that motors stop when nobody does."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.windows.browser import Run, started
from tests.windows.wire import MOTOR, Looker, WiredRobot
from wbridge.wbcore.windows.driving_pages import HOLD_S, NO_PAGE, DrivingPages


class Clock:
    """Time that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_a_silent_page_drives_no_longer(clock: Clock):
    driving = DrivingPages(clock)
    driving.take(3, page=1)
    clock.now = HOLD_S
    assert driving.expired() == []
    driving.hold(3, page=1)
    clock.now = 2 * HOLD_S
    assert driving.expired() == []
    driving.hold(3, page=2)  # of no effect: it does not drive
    clock.now = 2 * HOLD_S + 0.001
    assert driving.expired() == [3]
    assert driving.expired() == [], "once"


def test_only_one_page_drives_a_robot(clock: Clock):
    driving = DrivingPages(clock)
    driving.take(0, page=1)
    with pytest.raises(ValueError, match="another page drives this robot; take control first"):
        driving.take(0, page=2)
    driving.take(1, page=2)
    assert driving.is_driven_by_another(0, page=2)
    assert driving.leave(1) == [0]
    driving.take(0, page=2)


def test_this_program_needs_no_signs_of_life(clock: Clock):
    driving = DrivingPages(clock)
    driving.take(0, NO_PAGE)
    clock.now = 1e6
    assert driving.expired() == []


@pytest.fixture
def wired() -> Iterator[WiredRobot]:
    with WiredRobot() as robot:
        yield robot


@pytest.fixture
def window(wired: WiredRobot) -> Iterator[Run]:
    with started("window", wired.url) as on:
        yield on


def drive(page: Looker, wired: WiredRobot) -> None:
    """Turn the motor."""
    page.ask("set", device=MOTOR, channel="position", value=None)
    page.ask("set", device=MOTOR, channel="velocity", value=3)
    wired.until(lambda robot: robot.state.get("motor.velocity") == 3.0)


def stands(wired: WiredRobot) -> None:
    """Wait until the motor stands."""
    wired.until(lambda robot: not robot.state.get("motor.velocity"))


def test_a_hidden_or_frozen_page_stops_the_robot(window: Run, wired: WiredRobot):
    with Looker(window.url) as page:
        drive(page, wired)
        page.is_active = False
        stands(wired)
        page.heard("all motors stopped: its page is not active")


def test_a_page_that_says_that_it_is_hidden_stops_the_robot(window: Run, wired: WiredRobot):
    with Looker(window.url) as page:
        drive(page, wired)
        page.tell("let")
        stands(wired)


def test_a_closed_page_stops_the_robot_though_another_one_looks(window: Run, wired: WiredRobot):
    with Looker(window.url) as viewer:
        with Looker(window.url) as page:
            drive(page, wired)
            viewer.ask("set", device=MOTOR, channel="velocity", value=1)
            viewer.heard("another page drives this robot")
        stands(wired)
        drive(viewer, wired)


@pytest.mark.parametrize("name", ["SIGSTOP", "SIGKILL"])
def test_a_stopped_or_killed_server_stops_the_robot(name: str, window: Run, wired: WiredRobot):
    with Looker(window.url) as page:
        drive(page, wired)
        server = _server_of(window.process.pid)
        os.kill(server, signal.Signals[name])
        stands(wired)
        if name == "SIGSTOP":
            os.kill(server, signal.SIGCONT)


@pytest.mark.parametrize("name", ["SIGSTOP", "SIGKILL"])
def test_a_stopped_or_killed_command_stops_the_robot(name: str, window: Run, wired: WiredRobot):
    with Looker(window.url) as page:
        drive(page, wired)
        os.kill(window.process.pid, signal.Signals[name])
        stands(wired)  # the robot's own watchdog
        if name == "SIGSTOP":
            os.kill(window.process.pid, signal.SIGCONT)


def _server_of(pid: int) -> int:
    """The process of the window server."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (server,) = (int(child) for child in children if b"window_server" in _command(child))
    return server


def _command(pid: str) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
