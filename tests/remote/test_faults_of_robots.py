"""Own protocols of robots over a bad line, for 10,000 steps in virtual time.

The e-puck, the Create and Firmata check nothing that they are told, so a wrong byte may do something wrong.
What is promised: no error and no hang, every step in its time, the connection kept, and within a second of a
good line the robot does what it was told last. It stands when the controller stops it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hal import api
from hal.link.transports.fault import Chances, FaultPipe
from remote_controls.common import byte_stream_plugin as frame
from remote_controls.common.wire import Wire
from remote_controls.emulators import emulator
from remote_controls.emulators.base import EmulatedRobot
from tests.remote import test_create2, test_epuck, test_firmata
from tests.remote.emulated import REMOTE, controlled, tags

STEPS, STEP = 10_000, 16
TICK = 0.004
BAD = {"message": Chances(*[0.03] * 4), "byte": Chances(*[0.0075] * 4)}
"""3 % of what is sent at once for each fault; or 3 % of the bytes, so that most long answers are damaged."""
PEERS = {"create2": test_create2.peers, "epuck": test_epuck.peers, "firmata": test_firmata.peers}
LEFT = {"create2": "left wheel motor", "epuck": "left wheel motor", "firmata": "left motor"}
SENSORS = {"create2": "cliff_left", "epuck": "ps0", "firmata": "ds"}
LATE = 1.0
"""In s: what the line may lead to is over."""


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

    def __init__(self, robot: EmulatedRobot, time: Time) -> None:
        self._robot, self._time, self._last = robot, time, time.now
        self._coming = robot.greeting()

    def _pass(self) -> None:
        self._coming += self._robot.pass_time(self._time.now - self._last)
        self._last = self._time.now

    def send(self, data: bytes) -> None:
        self._pass()
        self._coming += self._robot.receive(data)

    def receive(self, timeout: float) -> bytes | None:
        end = self._time.now + timeout
        self._pass()
        while not self._coming and self._time.now < end:
            self._time.now = min(self._time.now + TICK, end)
            self._pass()
        data, self._coming = self._coming, b""
        return data or None

    def fileno(self) -> int:
        return -1

    def close(self) -> None: ...


class Line:
    """What a plugin opens instead of a wire."""

    def __init__(self, robot: EmulatedRobot, unit: str) -> None:
        self.time, self.robot, self.unit = Time(), robot, unit
        self.chances = Chances()
        self.opened = 0

    def open(self, url: object) -> Wire:
        self.opened += 1
        pipe = FaultPipe(RobotPipe(self.robot, self.time), self.chances, self.opened, self.unit)
        self.pipe = pipe
        return Wire(pipe, self.time.monotonic)

    def become(self, chances: Chances) -> None:
        """The line gets better or worse."""
        self.chances = self.pipe._chances = chances


@pytest.fixture
def line(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Iterator[tuple[str, Line]]:
    """A plugin that drives its robot, and the line between them."""
    name, unit = request.param
    made = Line(emulator(name), unit)
    monkeypatch.setattr(frame, "time", made.time)
    monkeypatch.setattr(
        frame, "Watchdog", lambda act: SimpleNamespace(feed=len_of, disarm=nothing, close=nothing)
    )
    monkeypatch.setattr(frame.Wire, "to", made.open)
    monkeypatch.setattr(frame.ConnectionAttempt, "start", frame.ConnectionAttempt.run)
    (tmp_path / "rover.pins.toml").write_text(test_firmata.PINS)
    with controlled(PEERS[name](), name, tmp_path / "rover.wbt"):
        api.wb_robot_set_mode(REMOTE, "serial:///dev/null")
        assert api.wb_robot_get_mode() == REMOTE
        yield name, made


def nothing() -> None:
    """The controller of this test never hangs."""


def len_of(seconds: float) -> None:
    """See `nothing`."""


def speed_of(robot: Any, name: str) -> float:
    """What the robot's left wheel does, in its own unit; 0: it stands."""
    state: Callable[[], dict[str, float]] = robot.state
    return state()["D5" if name == "firmata" else "left"]


@pytest.mark.parametrize(
    "line", [(name, unit) for name in sorted(PEERS) for unit in ("message", "byte")], indirect=True, ids=str
)
def test_a_bad_line(line: tuple[str, Line], capsys: pytest.CaptureFixture[str]):
    name, wire = line
    chance = random.Random(name)
    motor, sensor = tags()[LEFT[name]], tags()[SENSORS[name]]
    api.wb_motor_set_position(motor, float("inf"))
    api.wb_distance_sensor_enable(sensor, STEP)
    wire.become(BAD[wire.unit])
    longest = 0.0
    for k in range(STEPS):
        if k % 10 == 0:
            api.wb_motor_set_velocity(motor, chance.choice([0.0, 1.0, 2.0, 4.0]))
        before = wire.time.now
        api.wb_robot_step(STEP)
        longest = max(longest, wire.time.now - before)
        assert api.wb_robot_get_mode() == REMOTE, k
    assert wire.pipe.faults > STEPS / 20
    assert longest <= 0.1
    for velocity in (4.0, 0.0, 2.0):
        api.wb_motor_set_velocity(motor, velocity)
        wire.become(BAD[wire.unit])
        for _ in range(20):
            api.wb_robot_step(STEP)
        wire.become(Chances())
        end = wire.time.now + LATE
        while wire.time.now < end:
            api.wb_robot_step(STEP)
        assert (speed_of(wire.robot, name) != 0) == (velocity != 0), velocity
    api.wb_robot_set_mode(0, "")
    assert speed_of(wire.robot, name) == 0
    assert "Traceback" not in capsys.readouterr().err
