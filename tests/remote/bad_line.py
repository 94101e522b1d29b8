"""Emulated robots on a line with faults, in virtual time, and what their wheels did meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.remote import test_create2, test_epuck, test_firmata
from tests.remote.emulated import REMOTE, controlled
from wbridge.hal import api
from wbridge.hal.link.transports.fault import Chances, FaultPipe
from wbridge.remote_controls.common import byte_stream_plugin, wire
from wbridge.remote_controls.common.wire import Wire
from wbridge.remote_controls.emulators import emulator
from wbridge.remote_controls.emulators.base import EmulatedRobot

TICK = 0.004
PEERS = {"create2": test_create2.peers, "epuck": test_epuck.peers, "firmata": test_firmata.peers}
LEFT = {"create2": "left wheel motor", "epuck": "left wheel motor", "firmata": "left motor"}
RIGHT = {name: left.replace("left", "right") for name, left in LEFT.items()}


class Time:
    """Time that goes on when somebody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += max(seconds, 0.0)


class RobotPipe:
    """The line to an emulated robot, whose time passes with that of the line."""

    retry = 0.1

    def __init__(self, line: Line) -> None:
        self._line, self._last = line, line.time.now
        self._coming = line.robot.greeting()

    def _pass(self) -> None:
        now = self._line.time.now
        self._line.watch(now)
        self._coming += self._line.robot.pass_time(now - self._last)
        self._last = now

    def send(self, data: bytes) -> None:
        self._pass()
        self._coming += self._line.robot.receive(data)
        self._line.watch(self._line.time.now)

    def receive(self, timeout: float) -> bytes | None:
        end = self._line.time.now + timeout
        self._pass()
        while not self._coming and self._line.time.now < end:
            self._line.time.now = min(self._line.time.now + TICK, end)
            self._pass()
        data, self._coming = self._coming, b""
        return data or None

    def fileno(self) -> int:
        return -1

    def close(self) -> None: ...


class Line:
    """What a plugin opens instead of a wire."""

    def __init__(self, name: str, unit: str) -> None:
        self.time, self.name, self.unit = Time(), name, unit
        self.robot: EmulatedRobot = emulator(name)
        self.chances = Chances()
        self.opened = 0
        self.history: list[tuple[float, tuple[float, ...]]] = []
        """Since when (s) the motors did what, newest last."""

    def open(self, url: object) -> Wire:
        self.opened += 1
        self.pipe = FaultPipe(RobotPipe(self), self.chances, self.opened, self.unit)
        return Wire(self.pipe, self.time.monotonic)

    def become(self, chances: Chances) -> None:
        """The line gets better or worse."""
        self.chances = self.pipe._chances = chances

    def motion(self) -> tuple[float, ...]:
        """What the motors do, in units of the robot."""
        state = self.robot.state()
        if self.name == "firmata":
            return tuple(state.get(f"D{pin}", 0.0) for pin in (5, 4, 7, 9))
        return round(state["left"], 6), round(state["right"], 6)

    def watch(self, now: float) -> None:
        """Note what the motors do."""
        motion = self.motion()
        if not self.history or self.history[-1][1] != motion:
            self.history.append((now, motion))

    def longest_other(self, wanted: tuple[float, ...], start: float) -> float:
        """The longest time without a break, in s, in which the motors did not do `wanted`, from `start`."""
        longest, since = 0.0, None
        for at, motion in [*self.history, (self.time.now, wanted)]:
            if motion == wanted:
                longest = max(longest, 0.0 if since is None else at - max(since, start))
                since = None
            elif since is None:
                since = at
        return longest


@contextmanager
def driven_line(name: str, unit: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> Iterator[Line]:
    """A plugin that drives an emulated robot over a line, in remote mode."""
    line = Line(name, unit)
    monkeypatch.setattr(byte_stream_plugin, "time", line.time)
    idle = SimpleNamespace(feed=lambda seconds: None, disarm=lambda: None, close=lambda: None)
    monkeypatch.setattr(wire, "Watchdog", lambda act: idle)  # the controller never hangs
    monkeypatch.setattr(Wire, "to", line.open)
    attempt = byte_stream_plugin.ConnectionAttempt
    monkeypatch.setattr(attempt, "start", attempt.run)
    (folder / "rover.pins.toml").write_text(test_firmata.PINS)
    with controlled(PEERS[name](), name, folder / "rover.wbt"):
        api.wb_robot_set_mode(REMOTE, "serial:///dev/null")
        assert api.wb_robot_get_mode() == REMOTE
        yield line
