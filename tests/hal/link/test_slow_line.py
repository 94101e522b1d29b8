"""A line on which an answer takes longer than a step: the robot is found all the same."""

from __future__ import annotations

from collections import deque
from types import SimpleNamespace

import pytest

from tests.hal.link.conftest import Bench
from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.pipe import Pipe, VirtualClock
from wbridge.hal.link.transports._socket_pipe import SocketPipe
from wbridge.hal.link.transports.mqtt import MqttPipe
from wbridge.hal.link.transports.pty import PtyPipe
from wbridge.hal.link.transports.serial import SerialPipe
from wbridge.hal.link.transports.usb import UsbPipe
from wbridge.hal.link.values import Packet

STEP = 0.016


class SlowPipe:
    """Delivers each message so many seconds after it was sent by the robot."""

    def __init__(self, pipe: Pipe, clock: VirtualClock, delay: float) -> None:
        self._pipe, self._clock, self._delay = pipe, clock, delay
        self.retry = pipe.retry
        self.sent = 0
        self._coming: deque[tuple[float, bytes]] = deque()

    def send(self, data: bytes) -> None:
        self.sent += 1
        self._pipe.send(data)

    def receive(self, timeout: float) -> bytes | None:
        while (data := self._pipe.receive(0.0)) is not None:
            self._coming.append((self._clock.now + self._delay, data))
        end = self._clock.now + timeout
        if self._coming and self._coming[0][0] <= end:
            due, data = self._coming.popleft()
            self._clock.now = max(self._clock.now, due)
            return data
        self._clock.now = end
        return None

    def fileno(self) -> int:
        return -1

    def close(self) -> None:
        self._pipe.close()


def make(delay: float) -> tuple[Bench, list[SlowPipe]]:
    made: list[SlowPipe] = []
    bench = Bench()
    bench.wire = lambda pipe: made.append(SlowPipe(pipe, bench.clock, delay)) or made[-1]  # type: ignore[func-returns-value]
    return bench, made


def test_a_robot_is_found_over_several_steps():
    bench, pipes = make(0.2)
    for _ in range(60):
        bench.master.step(16, STEP)
    assert bench.master.sessions == len(pipes) == 1
    assert bench.robot.now >= 3 * 16


def test_hello_is_repeated_no_more_often_than_it_is_worth():
    bench, pipes = make(1e9)
    for _ in range(60):
        assert bench.master.step(16, STEP) is None
    assert bench.clock.now == pytest.approx(60 * STEP, rel=0.1)
    assert pipes[0].sent == pytest.approx(60 * STEP / pipes[0].retry, abs=1)


def test_a_line_that_stays_silent_is_opened_anew():
    bench, pipes = make(1e9)
    for _ in range(1000):
        bench.master.step(16, STEP)
    assert len(pipes) == 2


def test_silence_is_told():
    bench, _ = make(1e9)
    with pytest.raises(ConnectionLost, match="no robot answered within 2 s: it is silent"):
        bench.master.connect(2.0)


@pytest.mark.parametrize("delay", [0.7, 1.1, 1.5, 2.5, 12.5])
def test_values_come_late_and_nothing_is_lost(delay: float):
    """Answers take so many steps; what is sent by them is all sent, once, in its order."""
    bench, _ = make(delay * STEP)
    radio = bench.channel("radio", "packets")
    bench.robot.read = lambda channel: float(bench.robot.now)
    bench.master.set_period(bench.slot("ds"), 16)
    bench.master.connect(10.0)
    steps, came = 200, []
    for k in range(steps):
        bench.master.set(radio, [Packet(0, b"%d" % k)])
        came.append(bench.master.step(16, STEP))
    while bench.master.behind:
        came.append(bench.master.step(0, STEP))
    assert bench.robot.now == 16 * steps
    packets = [one.data for label, value in bench.robot.commands for one in value]
    assert packets == [b"%d" % k for k in range(steps)]
    times = [value for step in came if step is not None for _, value in step.values]
    assert times == sorted(set(times))
    assert times[-1] == 16 * steps
    assert len(times) >= steps / (delay + 1) - 1
    behind = {step.behind for step in came[20:steps] if step is not None}
    assert behind == {0} if delay < 1 else min(behind) >= 16
    assert max(behind) <= 16 * (2 * delay + 2)


def test_a_slow_line_is_not_crowded_with_repetitions():
    bench, pipes = make(0.12)  # a loop repeats after 0.05 s
    for _ in range(1000):
        bench.master.step(16, STEP)
    assert bench.master.repeated < 20
    assert pipes[0].sent == pytest.approx(1000 * STEP / 0.12, rel=0.1)


@pytest.mark.parametrize("scheme", ["mqtt", "tcp", "usb", "pty", "serial"])
def test_two_messages_lost_in_a_row_stop_no_robot(scheme: str):
    """A message is sent several times within the watchdog time, on every transport (robot-link.md)."""
    pipes = {
        "mqtt": lambda: MqttPipe.retry,
        "tcp": lambda: SocketPipe.retry,
        "usb": lambda: UsbPipe.retry,
        "pty": lambda: PtyPipe.retry,
        "serial": lambda: SerialPipe(SimpleNamespace(baudrate=9600)).retry,  # type: ignore[arg-type]
    }
    retry = pipes[scheme]()
    bench = Bench()
    made: list[LosingPipe] = []
    bench.wire = lambda pipe: made.append(LosingPipe(pipe, retry)) or made[-1]  # type: ignore[func-returns-value]
    bench.master.connect(1.0)
    for _ in range(10):
        made[0].losing = 2
        assert bench.master.step(16, 1.0)
    assert bench.robot.stops == 0 and bench.master.sessions == 1


class LosingPipe:
    """Loses the next messages that are sent."""

    def __init__(self, pipe: Pipe, retry: float) -> None:
        self._pipe, self.retry, self.losing = pipe, retry, 0
        self.receive, self.fileno, self.close = pipe.receive, pipe.fileno, pipe.close

    def send(self, data: bytes) -> None:
        """Send, or lose."""
        self.losing -= 1
        if self.losing < 0:
            self._pipe.send(data)
