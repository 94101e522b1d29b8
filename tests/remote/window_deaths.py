"""Robots that a person drives by `wbridge window URL`, and what of it dies; see `tests.remote.deaths`.

One robot has a watchdog and is at a port; the e-puck has none, and a guard of the window drives it.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.conftest import CHECKOUT
from tests.firmware.wifi import Proxy
from tests.remote.emulated import serving
from tests.waiting import wait_for
from tests.windows.browser import started
from tests.windows.wire import MOTOR, Looker, WiredRobot
from wbridge.remote_controls.emulators.epuck import Emulator
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables

PROCESSES = ("command", "server")
SIGNALS = ("KILL", "STOP", "TERM")
PAGES = ("hidden", "frozen", "closed")
GUARD = "guard"
EPUCK_WORLD = CHECKOUT / "worlds" / "epuck_arena.wbt"
EPUCK_MOTOR = "left wheel motor"


def names() -> list[str]:
    """All deaths that are tried: the command, its server, the page in the browser, and the network."""
    common = [
        *(f"{process}-{name}" for process in PROCESSES for name in SIGNALS),
        *(f"page-{how}" for how in PAGES),
    ]
    return [
        *(f"window-{death}" for death in common),
        "window-wire-silent",
        *(f"epuck-window-{death}" for death in common),
        *(f"epuck-window-{GUARD}-{name}" for name in SIGNALS),
    ]


class Driven:
    """A robot, the window's process, and the page that drives."""

    def __init__(self, pid: int, page: Looker, until_still: Callable[[], None]) -> None:
        self.pid, self.page, self.until_still = pid, page, until_still


def time_to_stop(name: str) -> float:
    """Let something die while a page drives; the time in s until the motor stands.

    Raises:
        AssertionError: the robot drives on.
    """
    *_, victim, how = name.split("-")
    if victim == "wire":
        return _silent_wire()
    with _epuck() if name.startswith("epuck") else _wired() as driven:
        pids = {"command": driven.pid}
        if victim != "command":
            pids["server"] = _server_of(driven.pid)
        if victim == GUARD:
            pids[GUARD] = _guard_of(driven.pid)
        start = time.monotonic()
        if victim == "page":
            _end_page(driven.page, how)
        else:
            os.kill(pids[victim], getattr(signal, f"SIG{how}"))
        driven.until_still()
        seconds = time.monotonic() - start
        if how == "STOP" and victim != GUARD:
            os.kill(pids[victim], signal.SIGCONT)
        return seconds


def _drive(page: Looker, motor: int) -> None:
    page.ask("set", device=motor, channel="position", value=None)
    page.ask("set", device=motor, channel="velocity", value=3)


@contextmanager
def _wired(between: Callable[[str], str] = str) -> Iterator[Driven]:
    """A robot with a watchdog of its own; `between` returns the URL under which the window finds it."""
    with (
        WiredRobot() as robot,
        started("window", between(robot.url)) as window,
        Looker(window.url) as page,
    ):
        _drive(page, MOTOR)
        robot.until(lambda state: state.state.get("motor.velocity") == 3.0)
        yield Driven(
            window.process.pid, page, lambda: robot.until(lambda state: not state.state.get("motor.velocity"))
        )


@contextmanager
def _epuck() -> Iterator[Driven]:
    """A robot without a watchdog."""
    (table,) = device_tables(load_world(EPUCK_WORLD))
    motor = table.find(EPUCK_MOTOR)
    assert motor is not None
    words = "--plugin", "epuck", "--world", str(EPUCK_WORLD)
    with (
        serving(Emulator()) as robot,
        started("window", robot.url, *words) as window,
        Looker(window.url) as page,
    ):
        _drive(page, motor.tag)
        wait_for(lambda: robot.robot.state()["left"])
        yield Driven(window.process.pid, page, lambda: wait_for(lambda: not robot.robot.state()["left"]))


def _silent_wire() -> float:
    """The network between the window and the robot passes nothing any more."""
    proxies: list[Proxy] = []

    def between(url: str) -> str:
        port = int(url.rpartition(":")[2])
        proxies.append(Proxy(lambda: port))
        return f"tcp://127.0.0.1:{proxies[0].port}"

    with _wired(between) as driven:
        start = time.monotonic()
        proxies[0].freeze()
        driven.until_still()
        seconds = time.monotonic() - start
    proxies[0].close()
    return seconds


def _end_page(page: Looker, how: str) -> None:
    """What a page does when its tab is hidden or closed; a frozen one does nothing any more."""
    page.is_active = False
    if how == "hidden":
        page.tell("let")
    elif how == "closed":
        page.disconnect()


def _server_of(pid: int) -> int:
    """The process of the window server."""
    return _child(pid, b"window_server")


def _guard_of(pid: int) -> int:
    """The process that drives the robot."""
    return _child(pid, b"manual_guard")


def _child(pid: int, word: bytes) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (found,) = (int(child) for child in children if word in _command(child))
    return found


def _command(pid: str) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
