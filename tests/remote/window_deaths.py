"""Robots that a person drives by `wbridge window URL`, and what of it dies; see `tests.remote.deaths`."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from tests.windows.browser import started
from tests.windows.wire import MOTOR, Looker, WiredRobot

PROCESSES = ("command", "server")
SIGNALS = ("KILL", "STOP", "TERM")
PAGES = ("hidden", "frozen", "closed")


def names() -> list[str]:
    """All deaths that are tried: the command, its server, and the page in the browser."""
    return [
        *(f"window-{process}-{name}" for process in PROCESSES for name in SIGNALS),
        *(f"window-page-{how}" for how in PAGES),
    ]


def time_to_stop(name: str) -> float:
    """Let something die while a page drives; the time in s until the motor stands.

    Raises:
        AssertionError: the robot drives on.
    """
    _, victim, how = name.split("-")
    with WiredRobot() as robot, started("window", robot.url) as window, Looker(window.url) as page:
        page.ask("set", device=MOTOR, channel="position", value=None)
        page.ask("set", device=MOTOR, channel="velocity", value=3)
        robot.until(lambda state: state.state.get("motor.velocity") == 3.0)
        pid = window.process.pid if victim == "command" else _server_of(window.process.pid)
        start = time.monotonic()
        if victim == "page":
            _end_page(page, how)
        else:
            os.kill(pid, getattr(signal, f"SIG{how}"))
        robot.until(lambda state: not state.state.get("motor.velocity"))
        seconds = time.monotonic() - start
        if how == "STOP":
            os.kill(pid, signal.SIGCONT)
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
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    (server,) = (int(child) for child in children if b"window_server" in _command(child))
    return server


def _command(pid: str) -> bytes:
    return Path(f"/proc/{pid}/cmdline").read_bytes()
