"""A board with Wi-Fi over TCP: faults of the network, and other clients.

Judge: docs/robot-link.md, sections "A session", "Frames" and "Who can do what"; the motor's pins show what
the board does. The sketch runs on this computer, compiled with sanitizers.
"""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

from tests.firmware.conftest import two_wheels
from tests.firmware.wifi import NUMBERING, Driver, Proxy, Robot, Sketch, answer, driver
from tests.waiting import wait_for
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import LinkError, Refused, RobotBusy
from wbridge.hal.link.master import Master
from wbridge.hal.link.transports import connect
from wbridge.hal.link.url import parse_url

pytestmark = pytest.mark.boards
IDLE = 12.0
"""Seconds after which a silent connection is closed, with a reserve."""


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory) -> Sketch:
    return Sketch(tmp_path_factory.mktemp("tcp"), "esp32", 'wire = "tcp"')


@pytest.fixture
def robot(sketch: Sketch) -> Iterator[Robot]:
    with sketch.running() as one:
        yield one


@pytest.fixture
def proxy(robot: Robot) -> Iterator[Proxy]:
    port = parse_url(str(robot.url)).port
    assert port is not None
    one = Proxy(lambda: port)
    yield one
    one.close()


def address(robot: Robot) -> tuple[str, int]:
    """Of its port."""
    return "127.0.0.1", int(parse_url(str(robot.url)).port or 0)


def framed(message: bytes) -> bytes:
    """A message with its size before it."""
    return struct.pack("<I", len(message)) + message


def test_commands_and_readings(robot: Robot):
    with driver(robot) as one:
        one.drive(3.0, -6.0, 0.0, 12.0)
        front = two_wheels().find("front")
        assert front is not None
        channel = NUMBERING.channel(front.tag, "value")
        assert channel is not None and channel.slot is not None
        one.master.set_period(NUMBERING.slots[channel.slot], 8)
        step = one.master.step(8, 30.0)
        assert step is not None and [name for name, _ in step.values] == [channel]


def test_a_connection_that_closes_stops_the_motor_at_once(robot: Robot, proxy: Proxy):
    with driver(robot, f"tcp://127.0.0.1:{proxy.port}", watchdog=10_000) as one:
        one.drive(5.0)
        begin = time.monotonic()
        proxy.cut()
        robot.wait_for(0.0)
        assert time.monotonic() - begin < 10, "before the watchdog"
        one.drive(4.0)  # it connects again by itself, and tells all that is in effect
        assert one.master.sessions == 2


def test_a_link_that_dies_silently_stops_the_motor_and_locks_nobody_out(robot: Robot, proxy: Proxy):
    with driver(robot, f"tcp://127.0.0.1:{proxy.port}", watchdog=500) as one:
        one.drive(5.0)
        proxy.freeze()
        robot.wait_for(0.0)
        with driver(robot) as other:
            other.drive(-3.0, 3.0)


def test_a_controller_whose_link_died_comes_back_on_a_new_connection(robot: Robot, proxy: Proxy):
    with driver(robot, f"tcp://127.0.0.1:{proxy.port}", watchdog=10_000) as one:
        one.drive(5.0)
        proxy.freeze()
        one.pipes[-1].close()
        one.drive(6.0)  # it still has the session, which the newer one of the same controller replaces
        assert one.master.sessions == 2


@pytest.mark.parametrize("kept", range(1, 28, 3))
def test_a_message_that_ends_in_the_middle_does_nothing(robot: Robot, proxy: Proxy, kept: int):
    with driver(robot, f"tcp://127.0.0.1:{proxy.port}") as one:
        one.drive(2.0)
        frame = framed(one.request(one.session, one.master._sequence + 1))
        assert kept < len(frame) - 1
        proxy.truncate(kept)
        one.pipes[-1].pipe.pipe.send(frame)  # type: ignore[attr-defined]
        robot.wait_for(0.0)
        one.drive(3.0)


def test_another_controller_is_refused_and_the_first_goes_on(robot: Robot):
    with driver(robot) as one:
        one.drive(2.0)
        other = Master(two_wheels(), lambda: connect(str(robot.url)))
        with pytest.raises(RobotBusy):
            other.connect(5.0)
        other.close()
        one.drive(3.0, 4.0)
        assert one.master.sessions == 1


def test_who_knows_the_session_cannot_use_it_on_another_connection(robot: Robot):
    with driver(robot) as one:
        one.drive(2.0)
        other = connect(str(robot.url))
        for flags in (m.ENABLE, m.LEAVE, m.CONTINUE, m.PART):
            for sequence in range(4):
                taken = answer(other, one.request(one.session, sequence, flags))
                assert taken.reason == m.REFUSED_SESSION
        assert robot.has(2.0)
        one.drive(3.0)
        assert one.master.sessions == 1
        other.close()


def test_a_recorded_session_is_not_executed_again(robot: Robot):
    with driver(robot) as one:
        one.drive(2.0, 9.0, 1.0)
        recorded = list(one.pipes[0].sent)
        for data in recorded:
            one.pipes[0].pipe.send(data)  # on the same connection: answered from memory, or not at all
        one.drive(4.0)
        other = connect(str(robot.url))
        for data in recorded:
            refused = answer(other, data)
            assert isinstance(refused, m.Refusal) and refused.reason == m.REFUSED_SESSION
        one.drive(5.0)
        assert one.master.sessions == 1
        other.close()


def test_many_idle_connections_lock_nobody_out(robot: Robot):
    with driver(robot) as one:
        one.drive(2.0)
        crowd = [socket.create_connection(address(robot)) for _ in range(12)]
        one.drive(3.0)
        newest = connect(str(robot.url))
        assert answer(newest, one.request(one.session, 1)).reason == m.REFUSED_SESSION
        one.drive(4.0)
        assert one.master.sessions == 1
        for other in (*crowd, newest):
            other.close()


def test_idle_connections_are_closed(robot: Robot):
    with socket.create_connection(address(robot)) as idle:
        idle.settimeout(IDLE)
        assert idle.recv(1) == b""


@pytest.mark.parametrize("size", [0, 1025, 0xFFFFFFFF])
def test_an_impossible_size_ends_the_connection(robot: Robot, size: int):
    with socket.create_connection(address(robot)) as one:
        one.sendall(struct.pack("<I", size) + bytes(100))
        one.settimeout(IDLE)
        with pytest.raises((ConnectionResetError, AssertionError)):
            assert one.recv(1) != b""


def test_who_is_refused_again_and_again_is_disconnected(robot: Robot):
    with driver(robot) as one:
        one.drive(2.0)
        other = connect(str(robot.url))
        with pytest.raises(LinkError):
            for _ in range(20):
                answer(other, one.request(one.session, 1))
        one.drive(3.0)
        other.close()


def test_a_client_that_does_not_read_its_answers_cannot_block_the_robot(robot: Robot):
    with driver(robot) as one, socket.create_connection(address(robot)) as deaf:
        one.drive(2.0)
        table = framed(m.encode(m.ReadTable(1, 0)))
        deaf.setblocking(False)
        for _ in range(200):
            try:
                deaf.send(20 * table)
            except (BlockingIOError, ConnectionError):
                break
            one.drive(3.0)
        one.drive(4.0)
        assert one.master.sessions == 1


@pytest.mark.parametrize("fault", ["corrupt", "lose", "double", "reorder"])
def test_every_step_is_executed_on_a_bad_link(robot: Robot, fault: str):
    address_ = str(robot.url).removeprefix("tcp://")
    with driver(robot, f"fault+tcp://{address_}?seed=3&{fault}=0.1", watchdog=10_000) as one:
        one.drive(*(float(k % 12) for k in range(100)))
        assert one.master.repeated > 0 or fault in ("double", "reorder")


@pytest.fixture(scope="module")
def guarded(sketch: Sketch, tmp_path_factory: pytest.TempPathFactory) -> Sketch:
    """The same with a token."""
    return sketch.with_secrets(tmp_path_factory.mktemp("guarded") / "firmware", {"ROBOT_TOKEN": "secret"})


@pytest.mark.parametrize("given", ["", "wrong", "secre", "secret!"])
def test_without_the_token_nobody_drives(guarded: Sketch, given: str):
    with guarded.running() as robot:
        address_ = str(robot.url).removeprefix("tcp://")
        with driver(robot, f"tcp://:secret@{address_}") as one:
            one.drive(3.0)
        stranger = Driver(robot, f"tcp://:{given}@{address_}" if given else str(robot.url))
        with pytest.raises(Refused, match="token"):
            stranger.master.connect(5.0)
        stranger.master.close()
        robot.wait_for(0.0)


def guess(robot: Robot, source: str, over: threading.Event, guessed: threading.Event) -> None:
    """Send wrong tokens from an address of this computer, without a pause."""
    wrong = framed(m.encode(m.Token(b"wrong")))
    while not over.is_set():
        with contextlib.suppress(OSError), socket.create_connection(address(robot), 5, (source, 0)) as one:
            one.sendall(wrong + framed(m.encode(m.ReadTable(1, 0))))
            one.settimeout(0.2)
            one.recv(100)
        guessed.set()


@pytest.mark.parametrize("source", ["127.0.0.1", "127.0.0.2"], ids=["its address", "another address"])
def test_who_guesses_tokens_does_not_shut_out_the_owner(guarded: Sketch, source: str):
    over, guessed = threading.Event(), threading.Event()
    with guarded.running() as robot:
        url = f"tcp://:secret@127.0.0.1:{address(robot)[1]}"
        guesser = threading.Thread(target=guess, args=(robot, source, over, guessed))
        guesser.start()
        try:
            assert guessed.wait(IDLE)
            for _ in range(4):
                with driver(robot, url) as one:
                    one.drive(3.0)
        finally:
            over.set()
            guesser.join()


def test_a_robot_that_is_left_stops(robot: Robot):
    with driver(robot, watchdog=10_000) as one:
        one.drive(5.0)
        assert one.master.leave(30.0)
        wait_for(lambda: robot.has(0.0))
