"""Nonsense at either end: emulated robots and plugins take any bytes, and never hold up a step."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.remote import test_create2, test_epuck, test_firmata
from tests.remote.emulated import REMOTE, controlled, serving, until
from wbridge.hal import api
from wbridge.hal.client import session
from wbridge.hal.link.errors import LinkError
from wbridge.remote_controls.common.byte_stream_plugin import ByteStreamPlugin
from wbridge.remote_controls.common.sampling import SamplingSchedule, WrappingCounter
from wbridge.remote_controls.common.wire import BackOff, address
from wbridge.remote_controls.emulators import emulator, emulators
from wbridge.remote_controls.emulators.base import EmulatedRobot
from wbridge.remote_controls.emulators.drive import Drive

STEP = 16
PEERS = {"create2": test_create2.peers, "epuck": test_epuck.peers, "firmata": test_firmata.peers}


class Babbler(EmulatedRobot):
    """Says anything, all the time, once it is told to."""

    def __init__(self, robot: EmulatedRobot) -> None:
        super().__init__({})
        self.robot, self.babbles = robot, False
        self._random = random.Random(7)

    def receive(self, data: bytes) -> bytes:
        """Answer as the robot."""
        return b"" if self.babbles else self.robot.receive(data)

    def pass_time(self, seconds: float) -> bytes:
        """Speak as the robot, or nonsense."""
        return self._random.randbytes(300) if self.babbles else self.robot.pass_time(seconds)


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A world with the file that says how devices are wired."""
    (tmp_path / "rover.pins.toml").write_text(test_firmata.PINS)
    return tmp_path / "rover.wbt"


def test_all_emulators_are_known_here():
    assert emulators() == sorted(PEERS)


SEARCH_S = 20.0
"""Less than the search for a silent robot takes, and more than what does not wait for it."""
GUARD_S = 30.0
"""At least 20 times what a test takes in which the robot talks all the time (s)."""


@pytest.mark.parametrize("name", emulators())
@pytest.mark.parametrize("seed", range(5))
def test_an_emulator_bears_any_bytes(name: str, seed: int):
    robot, source = emulator(name), random.Random(seed)
    for _ in range(300):
        heard = source.randbytes(source.randrange(1, 100))
        assert isinstance(robot.receive(heard), bytes)
        assert isinstance(robot.pass_time(0.02), bytes)
    assert all(abs(value) < 1e6 for value in robot.state().values())


@pytest.mark.parametrize("name", sorted(PEERS))
def test_a_robot_that_babbles_is_given_up_in_time(name: str, world: Path):
    babbler = Babbler(emulator(name))
    with serving(babbler) as robot, controlled(PEERS[name](), name, world):
        api.wb_robot_set_mode(REMOTE, f"{robot.url}?patience=0.4")
        assert api.wb_robot_get_mode() == REMOTE
        babbler.babbles = True
        before = time.monotonic()
        for _ in range(60):  # reading as long as the robot talks would never end
            api.wb_robot_step(STEP)
        assert time.monotonic() - before < GUARD_S
        assert api.wb_robot_get_mode() == 0


@pytest.mark.parametrize("name", sorted(PEERS))
def test_a_robot_that_babbles_from_the_start_is_none(name: str, world: Path, monkeypatch: pytest.MonkeyPatch):
    babbler = Babbler(emulator(name))
    babbler.babbles = True
    monkeypatch.setattr(ByteStreamPlugin, "GREETING", 0.3)
    monkeypatch.setattr("wbridge.remote_controls.firmata.Plugin.GREETING", 0.3)
    with serving(babbler) as robot, controlled(PEERS[name](), name, world):
        before = time.monotonic()
        api.wb_robot_set_mode(REMOTE, robot.url)  # waiting as long as it talks would never end
        assert api.wb_robot_get_mode() == 0
        assert time.monotonic() - before < GUARD_S


@pytest.mark.parametrize("name", sorted(PEERS))
def test_steps_keep_their_time_while_a_lost_robot_is_looked_for(
    name: str, world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    link = tmp_path / "tty"
    monkeypatch.setattr(ByteStreamPlugin, "GREETING", 2 * SEARCH_S)
    monkeypatch.setattr("wbridge.remote_controls.firmata.Plugin.GREETING", 2 * SEARCH_S)
    with controlled(PEERS[name](), name, world):
        with serving(emulator(name), f"pty://{link}"):
            api.wb_robot_set_mode(REMOTE, str(link))
            assert api.wb_robot_get_mode() == REMOTE
        silent = Babbler(emulator(name))
        silent.receive = lambda data: b""  # type: ignore[method-assign]
        silent.pass_time = lambda seconds: b""  # type: ignore[method-assign]
        with serving(silent, f"pty://{link}") as robot:
            until(lambda: robot.heard, STEP)  # it is greeted, and does not answer
            before = time.monotonic()
            for _ in range(10):
                api.wb_robot_step(STEP)
            assert 0.1 < time.monotonic() - before < SEARCH_S
            assert api.wb_robot_get_mode() == REMOTE
            before = time.monotonic()
            session.cleanup()  # does not wait for the search to end
            assert time.monotonic() - before < SEARCH_S


# Small parts.


def test_sensors_are_due_when_their_period_is_over():
    schedule = SamplingSchedule()
    schedule.sample(1, 32)
    schedule.sample(2, 10)
    schedule.sample(3, 16)
    schedule.sample(3, 0)
    assert [schedule.pass_time(16) for _ in range(4)] == [{2}, {1, 2}, {2}, {1, 2}]
    assert (1 in schedule, 3 in schedule, schedule.shortest()) == (True, False, 10)


def test_counters_go_on_when_they_wrap_around():
    counter = WrappingCounter()

    def total(count: int, most: float = 32768) -> int:
        counter.take(count, most)
        return counter.total

    assert [total(one) for one in (65000, 65535, 10, 65530)] == [0, 535, 546, 530]
    counter.break_off()
    assert [total(one) for one in (5, 6)] == [530, 531]
    assert not counter.take(1006, 999)
    assert [total(one, 999) for one in (1007, 2006)] == [532, 1531]


def test_who_fails_waits_longer():
    wait, tried = BackOff(), []
    for tenth in range(100):
        if wait.due(tenth / 10):
            tried.append(tenth)
            wait.failed(tenth / 10)
    waits = [b - a for a, b in zip(tried, tried[1:], strict=False)]
    assert waits[:-1] == sorted(waits[:-1])
    assert waits[0] == 1
    assert 30 <= max(waits) <= 31  # of 3 s, as tenths are no round numbers
    wait.reset()
    assert wait.due(10.0)


def test_a_port_alone_is_a_serial_address():
    url = address("/dev/rfcomm0", 57600)
    assert (url.scheme, url.path, url.options) == ("serial", "/dev/rfcomm0", {"baud": "57600"})
    assert address("serial:///dev/x?baud=9600", 57600).options == {"baud": "9600"}
    assert address("tcp://robot:1", 57600).options == {}
    with pytest.raises(LinkError):
        address("", 57600)


def test_a_turn_in_place_and_an_arc():
    drive = Drive(0.1, 0.5)
    drive.speeds = [-2.5, 2.5]
    drive.pass_time(3.14159265 / 2)
    assert (drive.x, drive.y, drive.heading) == pytest.approx((0, 0, 3.14159265 / 2))
    drive.speeds = [0.0, 5.0]  # around the left wheel, for a quarter
    drive.pass_time(3.14159265 / 2)
    assert (drive.x, drive.y, drive.heading) == pytest.approx((-0.25, 0.25, 3.14159265))
