"""Attacks by whoever can reach a robot's TCP port. Some once drove the motors or locked the controller out.

Judge: docs/robot-link.md, sections "A session", "Frames" and "Who can do what".
"""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from tests.hal.link.broker import make_certificates
from tests.hal.link.conftest import ROVER
from tests.hal.link.serving import serving, table_at, url_with
from wbridge.hal.link import messages as m
from wbridge.hal.link.controller_connection import ControllerConnection
from wbridge.hal.link.errors import ConnectionLost, LinkError, Refused, RobotBusy
from wbridge.hal.link.framing import frame_length
from wbridge.hal.link.guesses import GUESSES_PER_SECOND, GuessLimit
from wbridge.hal.link.master import Master
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import FramedPipe, Pipe
from wbridge.hal.link.recording_robot import RecordingRobot
from wbridge.hal.link.server import IDLE, MAX_PIPES, Server
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.transports import connect, listen, tcp
from wbridge.hal.link.url import parse_url

NUMBERING = Numbering(ROVER)
VELOCITY = NUMBERING.channel(1, "velocity")
PATIENCE = 30.0
ESCAPES = "\x1b[2J\x1b]0;owned\x07\r\u202e\u2066\x9b1m\n"
assert VELOCITY


class Clock:
    """Is set by the test."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


class Yard:
    """A robot at TCP, served by hand in the thread of the test, and its rightful controller at work."""

    def __init__(self, table: Any = ROVER, options: SlaveOptions | None = None) -> None:
        self.robot, self.clock = RecordingRobot(), Clock()
        self.slave = Slave(table, self.robot, options)
        self.server = Server(listen("tcp://127.0.0.1", table), self.slave, self.clock)
        self.url = self.server.listener.url
        self.joined: list[Pipe] = []
        self.rightful = self.join()
        assert isinstance(self.ask(self.rightful, self.hello(77, 4711)), m.Welcome)
        self.sequence = 0
        self.drive(1.0)

    def join(self) -> Pipe:
        self.joined.append(connect(self.url))
        return self.joined[-1]

    def close(self) -> None:
        for pipe in self.joined:
            pipe.close()
        self.server.close()

    def hello(self, session: int, client: int, watchdog: int = 500) -> m.Hello:
        return m.Hello(m.VERSION, session, client, watchdog, self.slave.numbering.hash, "someone")

    def send(self, pipe: Pipe, message: m.Message) -> None:
        pipe.send(m.encode(message))

    def ask(self, pipe: Pipe, message: m.Message) -> Any:
        """The answer; None when there is none."""
        self.send(pipe, message)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.server.poll(0.01)
            if (data := pipe.receive(0.0)) is not None:
                return m.decode(data)
        return None

    def drive(self, velocity: float) -> None:
        """A step of the rightful controller; it must be answered."""
        assert VELOCITY
        self.sequence += 1
        entry = m.encode_sample(VELOCITY, velocity, 8)
        reply = self.ask(self.rightful, m.Request(m.ENABLE, 77, self.sequence, 8, 500, entry))
        assert isinstance(reply, m.Reply) and reply.sequence == self.sequence
        assert self.robot.state["left motor.velocity"] == velocity

    def settle(self) -> None:
        """Serve all that has come."""
        for _ in range(3):
            self.server.poll(0.01)


@pytest.fixture
def yard() -> Iterator[Yard]:
    one = Yard()
    yield one
    one.close()


def take_over(velocity: float, sequence: int, session: int = 77, watchdog: int = 60_000) -> m.Request:
    assert VELOCITY
    entry = m.encode_sample(VELOCITY, velocity, 8)
    return m.Request(m.ENABLE, session, sequence, 8, watchdog, entry)


# Take-over.


def test_who_knows_session_and_sequence_drives_nothing_over_another_connection(yard: Yard):
    answer = yard.ask(yard.join(), take_over(99.0, yard.sequence + 1))
    assert isinstance(answer, m.Refusal) and answer.reason == m.REFUSED_SESSION
    assert ("left motor.velocity", 99.0) not in yard.robot.commands
    assert yard.slave.watchdog == 500 and yard.slave.driven
    yard.drive(2.0)


def test_a_stranger_cannot_end_the_session(yard: Yard):
    yard.ask(yard.join(), m.Request(m.LEAVE, 77, yard.sequence + 1, 0, 500))
    assert yard.robot.stops == 0
    yard.drive(2.0)


def test_the_same_greeting_over_another_connection_takes_nothing_over(yard: Yard):
    answer = yard.ask(yard.join(), yard.hello(77, 4711))
    assert isinstance(answer, m.Refusal) and answer.reason == m.REFUSED_SESSION
    yard.drive(2.0)


def test_a_robot_tells_nobody_else_the_number_of_its_controller(yard: Yard):
    answer = yard.ask(yard.join(), yard.hello(78, 1))
    assert answer.reason == m.REFUSED_BUSY
    assert (answer.session, answer.client) == (78, 1)


def test_guessing_the_controllers_number_costs_a_connection_each_few_times(yard: Yard):
    pipe = yard.join()
    with pytest.raises(ConnectionLost):
        for client in range(1000):
            assert yard.ask(pipe, yard.hello(78, client)).reason == m.REFUSED_BUSY
    assert client < 32
    yard.drive(2.0)


def test_numbers_come_from_the_systems_random_source(monkeypatch: pytest.MonkeyPatch):
    drawn: list[int] = []
    monkeypatch.setattr(
        "wbridge.hal.link.master.os.urandom", lambda size: drawn.append(size) or bytes(range(size))
    )
    assert Master(ROVER, lambda: connect("loop://none")).client == 0x03020100
    assert sorted(drawn) == [2, 4]


def test_the_controller_itself_comes_back_over_a_new_connection(yard: Yard):
    """Its old connection may hang half-open, for example behind a router that was switched off."""
    pipe = yard.join()
    assert isinstance(yard.ask(pipe, yard.hello(78, 4711)), m.Welcome)
    assert yard.robot.stops == 1
    assert isinstance(yard.ask(pipe, take_over(3.0, 1, session=78)), m.Reply)
    old = yard.ask(yard.rightful, take_over(4.0, yard.sequence + 1))
    assert isinstance(old, m.Refusal) and old.reason == m.REFUSED_SESSION


@pytest.mark.parametrize("first", [500, 60_000])
def test_no_watchdog_time_is_longer_than_allowed(yard: Yard, first: int):
    yard.ask(yard.rightful, yard.hello(78, 4711, first))
    yard.ask(yard.rightful, take_over(3.0, 1, session=78))
    assert yard.slave.watchdog == m.LONGEST_WATCHDOG
    yard.clock.now = m.LONGEST_WATCHDOG / 1000 + 0.1
    yard.server.poll(0.0)
    assert not yard.slave.driven


# Replay.


def test_a_recorded_session_replayed_over_another_connection_does_nothing(yard: Yard):
    pipe = yard.join()
    recorded = [yard.hello(77, 4711), *(take_over(9.0, k) for k in range(1, 6))]
    for message in recorded:
        assert isinstance(yard.ask(pipe, message), m.Refusal)
    assert ("left motor.velocity", 9.0) not in yard.robot.commands
    yard.drive(2.0)


# Lock-out.


def test_idle_connections_lock_nobody_out(yard: Yard):
    idle = [socket.create_connection(("127.0.0.1", port_of(yard))) for _ in range(3 * MAX_PIPES)]
    for _ in idle:
        yard.server.poll(0.0)
    other = yard.join()
    assert yard.ask(other, yard.hello(5, 5)).reason == m.REFUSED_BUSY, "it is heard"
    assert len(yard.server.pipes) <= MAX_PIPES
    yard.drive(2.0)
    for one in idle:
        one.close()


def test_who_never_greets_is_sent_away(yard: Yard):
    with socket.create_connection(("127.0.0.1", port_of(yard))) as idle:
        yard.settle()
        assert len(yard.server.pipes) == 2
        idle.sendall(struct.pack("<I", 1000))
        for _ in range(30):  # half of a message is no greeting
            idle.sendall(b"x")
            yard.clock.now += 0.35
            yard.drive(2.0)
        assert yard.clock.now > IDLE and len(yard.server.pipes) == 1
        idle.settimeout(PATIENCE)
        assert idle.recv(1) == b""


def test_who_does_not_read_its_answers_does_not_hold_the_robot_up():
    yard = Yard()
    greedy = socket.create_connection(("127.0.0.1", port_of(yard)))
    greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    greedy.settimeout(0.01)
    question = frame_length(m.encode(m.ReadTable(0, 0))) * 500
    for _ in range(200):
        try:
            greedy.sendall(question)
        except OSError:
            break
        yard.server.poll(0.0)  # waiting until they are read would never end
        if len(yard.server.pipes) == 1:
            break
    assert len(yard.server.pipes) == 1, "it is sent away"
    yard.drive(2.0)
    greedy.close()
    yard.close()


# Flood.


def test_a_flood_leaves_the_one_that_drives_its_turn(yard: Yard):
    flood = [yard.join() for _ in range(4)]
    for pipe in flood:
        pipe.send(m.encode(m.ReadTable(0, 0)))
    for k in range(20):
        for pipe in [*flood]:
            try:
                for _ in range(100):
                    yard.send(pipe, m.ReadTable(0, 0))
                while pipe.receive(0.0) is not None:
                    pass
            except ConnectionLost:
                flood.remove(pipe)
        yard.drive(float(k))


def test_messages_behind_a_fair_share_are_served_without_new_bytes(yard: Yard):
    """All 200 come with one read; nothing makes the socket readable after that."""
    pipe = yard.join()
    assert isinstance(pipe, FramedPipe)
    pipe.pipe.send(b"".join(frame_length(m.encode(m.ReadTable(k, 0))) for k in range(200)))
    yard.settle()
    seen = set()
    for _ in range(10):
        yard.server.poll(0.0)
        while (data := pipe.receive(0.01)) is not None:
            seen.add(m.decode(data).session)
    assert seen == set(range(200))


def test_a_size_that_is_too_large_ends_only_that_connection(yard: Yard):
    with socket.create_connection(("127.0.0.1", port_of(yard))) as liar:
        liar.sendall(struct.pack("<I", 0xFFFFFFFF))
        liar.settimeout(PATIENCE)
        yard.settle()
        assert liar.recv(1) == b""
    yard.drive(2.0)


def port_of(yard: Yard) -> int:
    return int(yard.url.rpartition(":")[2])


# Escapes.


def test_the_name_of_a_build_cannot_speak_to_the_terminal(yard: Yard):
    hello = m.Hello(m.VERSION, 5, 5, 500, bytes(8), ESCAPES)
    yard.ask(yard.join(), hello)
    assert yard.slave.sent_away is not None
    name, _ = yard.slave.sent_away
    assert name.isprintable() and name.startswith("\\x1b[2J")


# The token, and TLS.


def test_only_who_has_the_token_drives():
    with serving("tcp://:s3cret@127.0.0.1") as robot:
        assert "s3cret" not in robot.url
        for url in (robot.url, url_with(robot.url, "wrong"), url_with(robot.url, "s3cre")):
            with pytest.raises(Refused, match="requires a token.*tcps://:TOKEN@HOST:PORT"):
                Master(ROVER, lambda url=url: connect(url)).connect(PATIENCE)  # type: ignore[misc]
            with pytest.raises(LinkError, match="requires a token"):
                table_at(url)
        right = Master(ROVER, lambda: connect(url_with(robot.url, "s3cret")), watchdog=5000)
        right.connect(PATIENCE)
        assert right.step(8, PATIENCE)
        assert table_at(url_with(robot.url, "s3cret")) == ROVER
        assert right.leave(PATIENCE)
    assert robot.slave.sessions == 1


def test_a_token_is_ignored_by_a_robot_that_requires_none():
    with serving("tcp://127.0.0.1") as robot:
        master = Master(ROVER, lambda: connect(url_with(robot.url, "any")), watchdog=5000)
        master.connect(PATIENCE)
        assert master.leave(PATIENCE)


def test_tokens_are_compared_in_constant_time(monkeypatch: pytest.MonkeyPatch):
    compared: list[tuple[bytes, bytes]] = []
    monkeypatch.setattr(
        "wbridge.hal.link.controller_connection.hmac.compare_digest",
        lambda a, b: compared.append((a, b)) or a == b,
    )
    with serving("tcp://:s3cret@127.0.0.1") as robot, pytest.raises(Refused):
        Master(ROVER, lambda: connect(url_with(robot.url, "wrong"))).connect(PATIENCE)
    assert compared == [(b"wrong", b"s3cret")]


def test_a_connection_may_guess_once():
    """Judge: the first answer; a further token is refused like any other message."""
    with serving("tcp://:s3cret@127.0.0.1") as robot, closing(connect(robot.url)) as pipe:
        pipe.send(m.encode(m.Token(b"wrong")))
        pipe.send(m.encode(m.Token(b"s3cret")))
        pipe.send(m.encode(m.ReadTable(0, 0)))
        with pytest.raises(LinkError):
            while True:
                answer = pipe.receive(PATIENCE)
                assert answer is None or isinstance(m.decode(answer), m.Refusal)


def test_an_address_guesses_ten_times_per_second():
    clock = Ticking()
    limit = GuessLimit(lambda: clock.now)
    for _ in range(GUESSES_PER_SECOND):
        assert limit.allows("10.0.0.1")
        limit.note_wrong("10.0.0.1")
    assert not limit.allows("10.0.0.1")
    assert limit.allows("10.0.0.2"), "others may"
    clock.now += 1.0
    assert limit.allows("10.0.0.1")


def test_connections_of_an_address_that_guesses_are_closed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tcp, "GuessLimit", lambda: GuessLimit(lambda: 0.0))
    with serving("tcp://:s3cret@127.0.0.1") as robot:
        for k in range(GUESSES_PER_SECOND):
            with pytest.raises(LinkError):
                table_at(url_with(robot.url, f"wrong{k}"))
        with pytest.raises(LinkError):
            table_at(url_with(robot.url, "s3cret"))  # in the same second


def test_connections_that_are_open_already_share_the_limit(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tcp, "GuessLimit", lambda: GuessLimit(lambda: 0.0))
    listener = tcp.TcpListener("127.0.0.1", 0, raw=False, token="s3cret")
    url = parse_url(listener.url)
    clients = [socket.create_connection((url.host, url.port or 0)) for _ in range(GUESSES_PER_SECOND + 1)]
    pipes = [pipe for _ in clients if (pipe := listener.accept()) is not None]
    assert len(pipes) == len(clients)
    # All wrong guesses first, on connections of their own, then the right token on the last one.
    for client, pipe in zip(clients, pipes, strict=True):
        token = b"s3cret" if client is clients[-1] else b"wrong"
        message = m.encode(m.Token(token))
        client.sendall(struct.pack("<I", len(message)) + message)
        assert pipe.receive(PATIENCE if client is clients[0] else 0.1) is None
    assert not pipes[-1]._admitted  # type: ignore[attr-defined]
    for each in (*pipes, *clients, listener):
        each.close()


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("2001:db8::1", "2001:db8::ffff:1", True),
        ("2001:db8::1", "2001:db8:0:1::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("", "10.0.0.2", False),
    ],
)
def test_addresses_of_the_same_computer_share_the_limit(first: str, second: str, is_same: bool):
    limit = GuessLimit(lambda: 0.0)
    for _ in range(GUESSES_PER_SECOND):
        limit.note_wrong(first)
    assert limit.allows(second) != is_same


class Ticking:
    """Time that a test sets."""

    now = 0.0


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("certificates")
    make_certificates(folder)
    return folder


def test_tls(certificates: Any):
    where = f"tcps://:s3cret@127.0.0.1?cert={certificates}/server.crt&key={certificates}/server.key"
    with serving(where) as robot:
        assert robot.url.startswith("tcps://127.0.0.1:")
        url = url_with(robot.url, "s3cret", f"?ca={certificates}/ca.crt")
        silent = socket.create_connection(("127.0.0.1", int(robot.url.rpartition(":")[2])))
        master = Master(ROVER, lambda: connect(url), watchdog=5000)
        master.connect(PATIENCE)
        for _ in range(20):
            assert master.step(8, PATIENCE)
        assert table_at(url) == ROVER
        with pytest.raises(ConnectionLost, match="(?i)certificate"):
            connect(robot.url)
        with pytest.raises(Refused, match="token"):
            Master(ROVER, lambda: connect(f"{robot.url}?ca={certificates}/ca.crt")).connect(PATIENCE)
        assert master.leave(PATIENCE)
        silent.close()


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("tcps://127.0.0.1", "cert=FILE&key=FILE"),
        ("tcps://127.0.0.1?cert=/none&key=/none", "certificate /none"),
        ("tcp://127.0.0.1?cert=/none&key=/none", "are for TLS: tcps://"),
    ],
)
def test_wrong_certificates_are_errors_that_help(url: str, words: str):
    with pytest.raises(LinkError, match=words):
        listen(url, ROVER)


def test_a_busy_robot_says_so_to_the_second_controller():
    with serving("tcp://127.0.0.1") as robot:
        first = Master(ROVER, lambda: connect(robot.url), watchdog=5000)
        first.connect(PATIENCE)
        with pytest.raises(RobotBusy, match="another controller drives it"):
            Master(ROVER, lambda: connect(robot.url)).connect(PATIENCE)
        assert first.leave(PATIENCE)


def test_every_connection_over_tcp_is_a_guest(yard: Yard):
    assert all(isinstance(one, ControllerConnection) for one in yard.server.pipes)
    assert tcp.TLS
