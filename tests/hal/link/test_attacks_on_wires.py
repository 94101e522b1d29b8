"""Replay, flood and lock-out on wires that all share: a broker's topic, a serial line, USB.

Judge: docs/robot-link.md, sections "A session", "Frames" and "Who can do what".
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from tests.hal.link.broker import Broker
from tests.hal.link.conftest import ROVER
from tests.hal.link.serving import serving
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import ConnectionLost, RobotBusy
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.slave import Slave
from wbridge.hal.link.transports import connect, usb
from wbridge.hal.link.usb_device import UsbDevice

VELOCITY = Numbering(ROVER).channel(1, "velocity")
PATIENCE = 30.0
assert VELOCITY


class Tapped:
    """A pipe that keeps what was sent by it."""

    def __init__(self, pipe: Pipe) -> None:
        self.pipe, self.retry = pipe, pipe.retry
        self.sent: list[bytes] = []
        self.receive, self.fileno, self.close = pipe.receive, pipe.fileno, pipe.close

    def send(self, data: bytes) -> None:
        """Keep it, and send it."""
        self.sent.append(data)
        self.pipe.send(data)


class Wire:
    """A robot, and a controller that drives it by a wire at which the attacker is, too."""

    def __init__(self, url: str, robot: RecordingRobot, slave: Slave) -> None:
        self.url, self.robot, self.slave = url, robot, slave
        self.taps: list[Tapped] = []
        self.master = Master(ROVER, self.open, watchdog=5000)
        self.master.connect(PATIENCE)
        self.expected: list[tuple[str, Any]] = []

    def open(self) -> Tapped:
        self.taps.append(Tapped(connect(self.url)))
        return self.taps[-1]

    def drive(self, steps: int) -> None:
        """Each step has a new velocity; the robot must have had these commands, once each, and no other."""
        assert VELOCITY
        for _ in range(steps):
            velocity = float(len(self.expected))
            self.master.set(VELOCITY, velocity)
            assert self.master.step(8, PATIENCE)
            self.expected.append(("left motor.velocity", velocity))
        assert self.robot.commands == self.expected


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    one = Broker(tmp_path_factory.mktemp("broker"))
    yield one
    one.stop()


@pytest.fixture(params=["mqtt", "pty", "usb"])
def wire(request: pytest.FixtureRequest) -> Iterator[Wire]:
    with ExitStack() as stack:
        if request.param == "usb":
            robot = RecordingRobot()
            slave = Slave(ROVER, robot)
            usb.BACKENDS["attacked"] = UsbDevice(0x1209, 0x0001, slave)
            stack.callback(usb.BACKENDS.pop, "attacked")
            made = Wire("usb://1209:0001?backend=attacked", robot, slave)
        else:
            url = "pty://"
            if request.param == "mqtt":
                url = request.getfixturevalue("broker").url("robots/attacked")
            there = stack.enter_context(serving(url))
            made = Wire(there.url if url == "pty://" else url, there.robot, there.slave)
        stack.callback(made.master.close)
        yield made


def test_what_is_replayed_within_a_session_is_not_executed_again(wire: Wire):
    wire.drive(5)
    (tap,) = wire.taps
    for data in [*tap.sent] * 3:
        tap.pipe.send(data)
    wire.drive(5)
    assert wire.master.sessions == 1 and wire.robot.stops == 0


def test_requests_of_an_older_session_are_refused(wire: Wire):
    wire.drive(5)
    old = [one for one in wire.taps[0].sent if one[0] == m.code_of(m.Request)]
    assert wire.master.leave(PATIENCE)
    wire.master.connect(PATIENCE)
    wire.robot.commands.clear()
    wire.expected = [("left motor.velocity", 4.0)]  # all that lasts is told again
    assert wire.master.step(8, PATIENCE)
    for data in old:
        wire.taps[-1].pipe.send(data)
    wire.drive(3)


def test_noise_between_steps_does_nothing(wire: Wire):
    chance = random.Random(7)
    for _ in range(10):
        for _ in range(10):
            wire.taps[0].pipe.send(chance.randbytes(chance.randrange(1, 60)))
        wire.drive(1)
    assert wire.master.sessions == 1 and wire.robot.stops == 0


def test_a_flood_of_guessed_sessions_drives_nothing_and_locks_nobody_out(wire: Wire):
    entry = m.encode_sample(VELOCITY, 99.0, 8)  # type: ignore[arg-type]
    own = wire.slave.session
    for k in range(300):
        guess = (own + 1 + 7 * k) % 65536
        if guess != own:
            wire.taps[0].pipe.send(m.encode(m.Request(m.ENABLE, guess, 1, 8, 60_000, entry)))
        if k % 30 == 0:
            wire.drive(1)
    wire.drive(5)
    assert wire.slave.watchdog == 5000


def test_another_controller_is_refused_and_told_so(wire: Wire):
    wire.drive(2)
    if wire.url.startswith("mqtt"):
        with pytest.raises(RobotBusy, match="another controller drives it"):
            Master(ROVER, lambda: connect(wire.url)).connect(PATIENCE)
    elif wire.url.startswith("serial"):
        with pytest.raises(RobotBusy, match="another program has this port open"):
            connect(wire.url)
    else:
        hello = m.Hello(m.VERSION, 1, 1, 60_000, wire.slave.numbering.hash, "other")
        answer = wire.slave.receive(m.encode(hello), 0.0)
        assert answer and m.decode(answer).reason == m.REFUSED_BUSY
    wire.drive(2)


def test_who_has_not_the_brokers_password_reaches_no_robot(broker: Broker):
    with serving(broker.url("robots/guarded")) as robot:
        with pytest.raises(ConnectionLost):
            connect(broker.url("robots/guarded", password="guessed"))
        assert robot.slave.sessions == 0
