"""A board with Wi-Fi at a real broker (mosquitto): faults of the network and the broker, and other clients.

Judge: docs/robot-link.md, sections "A session", "Frames" (MQTT) and "Who can do what"; MQTT 3.1.1 (OASIS).
"""

from __future__ import annotations

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import two_wheels
from tests.firmware.wifi import Proxy, Robot, Sketch, answer, driver
from tests.hal.link.broker import Broker, free_port
from tests.waiting import PATIENCE, wait_for
from wbridge.hal.link import messages as m
from wbridge.hal.link.errors import RobotBusy
from wbridge.hal.link.master import Master
from wbridge.hal.link.transports import connect
from wbridge.hal.link.transports.mqtt import MqttPipe
from wbridge.hal.link.url import parse_url

pytestmark = pytest.mark.boards
TOPIC = "robots/ann"
SECRETS = {"BROKER_USER": "ann", "BROKER_PASSWORD": "let me in"}
KEY = "0123456789abcdef0123"


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    one = Broker(tmp_path_factory.mktemp("broker"))
    yield one
    one.stop()


class Lines:
    """The robot's line to the broker; each test has a new one at the same port."""

    target = 0


@pytest.fixture(scope="module")
def line() -> Iterator[Proxy]:
    """Between the robot and whatever it takes for a broker."""
    one = Proxy(lambda: Lines.target)
    yield one
    one.close()


@pytest.fixture(scope="module")
def sketch(tmp_path_factory: pytest.TempPathFactory, line: Proxy) -> Sketch:
    link = f'wire = "mqtt"\nbroker = "localhost"\nport = {line.port}\ntopic = "{TOPIC}"'
    return Sketch(tmp_path_factory.mktemp("mqtt"), "pico-w", link, SECRETS)


@pytest.fixture
def robot(sketch: Sketch, broker: Broker, line: Proxy) -> Iterator[Robot]:
    Lines.target = broker.port
    with sketch.running() as one:
        yield one
    line.cut()


@pytest.fixture
def url(broker: Broker) -> str:
    """For controllers."""
    return broker.url(TOPIC)


def retained(url: str, topic: str) -> bytes | None:
    """What a broker keeps at a topic below the robot's."""

    class Reader(MqttPipe):
        def _arrived(self, client: Any, data: Any, message: Any) -> None:
            message.retain = False
            super()._arrived(client, data, message)

    pipe = Reader(parse_url(url), "", [topic], {})
    taken = pipe.take(PATIENCE)
    pipe.close()
    return taken[1] if taken else None


def publish(url: str, topic: str, data: bytes, keep: bool = False) -> None:
    """Publish a message below the robot's topic."""
    pipe = MqttPipe(parse_url(url), "", ["nothing"], {})
    pipe._client.publish(f"{TOPIC}/{topic}", data, 1, retain=keep).wait_for_publish(PATIENCE)
    pipe.close()


def test_commands_state_and_table(robot: Robot, url: str):
    with driver(robot, url) as one:
        one.drive(3.0, -6.0, 0.0, 12.0)
    assert retained(url, "state") == b"online"
    assert retained(url, "table") == two_wheels().canonical().encode("ascii")


def test_the_state_is_offline_when_the_robot_is_gone(robot: Robot, url: str, line: Proxy):
    with driver(robot, url) as one:
        one.drive(1.0)
    Lines.target = free_port()  # it cannot come back
    line.cut()
    wait_for(lambda: retained(url, "state") == b"offline")


def test_another_controller_is_refused_and_the_first_goes_on(robot: Robot, url: str):
    with driver(robot, url) as one:
        one.drive(2.0)
        other = Master(two_wheels(), lambda: connect(url))
        with pytest.raises(RobotBusy):
            other.connect(5.0)
        other.close()
        one.drive(3.0, 4.0)
        assert one.master.sessions == 1


def test_who_knows_the_session_cannot_use_it_from_another_topic(robot: Robot, url: str):
    with driver(robot, url) as one:
        one.drive(2.0)
        stranger = connect(url)
        for flags in (m.ENABLE, m.LEAVE, m.CONTINUE, m.PART):
            for sequence in range(4):
                taken = answer(stranger, one.request(one.session, sequence, flags))
                assert taken.reason == m.REFUSED_SESSION
        assert robot.has(2.0)
        one.drive(3.0)
        assert one.master.sessions == 1
        stranger.close()


def test_a_recorded_session_is_not_executed_again(robot: Robot, url: str):
    with driver(robot, url) as one:
        one.drive(2.0, 9.0, 1.0)
        recorded = list(one.pipes[0].sent)
        for data in recorded:
            one.pipes[0].pipe.send(data)
        one.drive(4.0)
        stranger = connect(url)
        for data in recorded:
            refused = answer(stranger, data)
            assert isinstance(refused, m.Refusal) and refused.reason == m.REFUSED_SESSION
        one.drive(5.0)
        assert one.master.sessions == 1
        stranger.close()


def test_retained_requests_are_ignored(sketch: Sketch, broker: Broker, line: Proxy, url: str):
    """A hello and a request that somebody has left at the broker, before the robot is switched on."""
    Lines.target = broker.port
    with sketch.running() as robot, driver(robot, url) as one:
        one.drive(9.0)
        recorded = list(one.pipes[0].sent)
    for k, data in enumerate(recorded):
        publish(url, f"request/{KEY}{k}", data, keep=True)
    try:
        with sketch.running() as robot, driver(robot, url) as one:  # nobody has the session: it is not busy
            one.drive(1.0)
            assert one.master.sessions == 1
    finally:
        for k in range(len(recorded)):
            publish(url, f"request/{KEY}{k}", b"", keep=True)


def test_after_a_restart_of_the_broker_the_controller_goes_on(robot: Robot, broker: Broker, url: str):
    with driver(robot, url, watchdog=10_000) as one:
        one.drive(5.0)
        begin = time.monotonic()
        broker.stop()
        robot.wait_for(0.0)
        assert time.monotonic() - begin < 10, "before the watchdog"
        broker.start()
        one.drive(4.0, 3.0)
        assert one.master.sessions >= 2


def test_a_line_to_the_broker_that_dies_silently_stops_the_motor(robot: Robot, line: Proxy, url: str):
    with driver(robot, url, watchdog=500) as one:
        one.drive(5.0)
        line.freeze()
        robot.wait_for(0.0)
        one.drive(4.0)  # the robot notices that the broker is silent, and connects again


def test_a_controller_that_dies_silently_stops_the_motor(robot: Robot, broker: Broker, url: str):
    own = Proxy(lambda: broker.port)
    through = url.replace(str(broker.port), str(own.port))
    with driver(robot, through, watchdog=500) as one:
        one.drive(5.0)
        own.freeze()
        robot.wait_for(0.0)
        with driver(robot, url) as other:
            other.drive(3.0)
    own.close()


def test_messages_that_are_too_large_or_no_messages_do_nothing(robot: Robot, url: str):
    chance = random.Random(5)
    with driver(robot, url) as one:
        one.drive(2.0)
        for size in (0, 1, 3, 1024, 1025, 5000, 200_000):
            publish(url, f"request/{KEY}", chance.randbytes(size))
            publish(url, "request/short", chance.randbytes(size))
            publish(url, "request/with-a-hyphen-in-it", one.request(one.session, 3))
            publish(url, f"request/{KEY * 4}", one.request(one.session, 3))
            one.drive(3.0)  # or its watchdog would end the session on a busy computer
        assert one.master.sessions == 1


def test_an_older_controller_is_refused(robot: Robot, url: str):
    """They all used one topic."""
    with driver(robot, url) as one:
        one.drive(2.0)
        pipe = MqttPipe(parse_url(url), "", ["reply"], {})
        pipe.publish("request", one.request(one.session, 7))
        taken = pipe.take(PATIENCE)
        assert taken is not None
        refused = m.decode(taken[1])
        assert isinstance(refused, m.Refusal)
        assert (refused.reason, refused.session, refused.sequence) == (m.REFUSED_TOPIC, one.session, 7)
        pipe.close()
        one.drive(3.0)


@pytest.mark.parametrize("fault", ["corrupt", "lose", "double", "reorder"])
def test_every_step_is_executed_on_a_bad_link(robot: Robot, url: str, fault: str):
    with driver(robot, f"fault+{url}?seed=3&{fault}=0.1", watchdog=10_000) as one:
        one.drive(*(float(k % 12) for k in range(60)))


def test_the_broker_refuses_a_wrong_password(
    sketch: Sketch, tmp_path: Path, broker: Broker, line: Proxy, capfd: pytest.CaptureFixture[str]
):
    Lines.target = broker.port
    wrong = sketch.with_secrets(tmp_path / "firmware", {"BROKER_PASSWORD": "guess"})
    said = ""
    with wrong.running():

        def refused() -> bool:
            nonlocal said
            said += capfd.readouterr().err
            return "secrets.h" in said

        wait_for(refused)
    line.cut()


class FakeBroker:
    """Accepts the robot, then says what a test wants."""

    def __init__(self, says: Callable[[socket.socket], None]) -> None:
        self._says = says
        self._server = socket.create_server(("127.0.0.1", 0))
        self._server.settimeout(PATIENCE)
        self.port = int(self._server.getsockname()[1])
        self.accepted = 0
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                one, _ = self._server.accept()
            except OSError:
                return
            with one:
                one.settimeout(PATIENCE)
                self.accepted += 1
                try:
                    one.recv(4096)
                    self._says(one)
                except OSError:
                    continue

    def close(self) -> None:
        """End."""
        self._server.shutdown(socket.SHUT_RDWR)
        self._server.close()
        self._thread.join(PATIENCE)


CONNACK, SUBACK = b"\x20\x02\x00\x00", b"\x90\x04\x00\x01\x00\x00"


def packet(first: int, content: bytes) -> bytes:
    """A packet with its length, in groups of 7 bits."""
    length, left = b"", len(content)
    while True:
        left, group = left >> 7, left & 0x7F
        length += bytes([group | 0x80 if left else group])
        if not left:
            return bytes([first]) + length + content


def published(topic: str, data: bytes, flags: int = 0) -> bytes:
    """A PUBLISH packet."""
    name = topic.encode()
    return packet(0x30 | flags, len(name).to_bytes(2, "big") + name + data)


GOOD = published(f"{TOPIC}/request/{KEY}", bytes(20))
BROKEN = {
    "a truncated packet": GOOD[: len(GOOD) // 2],
    "a length without end": b"\x30\xff\xff\xff\xff\x01",
    "a topic longer than the packet": packet(0x30, b"\xff\xff" + bytes(10)),
    "a packet without topic": packet(0x30, b"\x00"),
    "an empty packet": packet(0x30, b""),
    "a QoS that was not subscribed": published(f"{TOPIC}/request/{KEY}", bytes(20), 0x04),
    "a topic only": published(f"{TOPIC}/request/", b""),
    "a key that is too long": published(f"{TOPIC}/request/{'k' * 300}", bytes(20)),
    "reserved packets": b"\x00\x00\xf0\x00\xf0\x02\x00\x00",
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_packets_end_at_most_the_connection(
    sketch: Sketch, broker: Broker, line: Proxy, url: str, data: bytes
):
    def says(one: socket.socket) -> None:
        one.sendall(CONNACK)
        one.recv(65536)
        one.sendall(SUBACK + data)
        one.shutdown(socket.SHUT_WR)
        while one.recv(65536):
            pass

    fake = FakeBroker(says)
    Lines.target = fake.port
    with sketch.running() as robot:
        wait_for(lambda: fake.accepted >= 1)
        assert robot.has(0.0)
        Lines.target = broker.port
        line.cut()
        with driver(robot, url) as one:
            one.drive(3.0)
    fake.close()


def test_random_packets_do_no_harm(sketch: Sketch, broker: Broker, line: Proxy, url: str):
    chance, done = random.Random(11), threading.Event()

    def says(one: socket.socket) -> None:
        one.sendall(CONNACK + SUBACK)
        for _ in range(2000):
            data = bytearray(
                chance.choice([GOOD, published("a/b", chance.randbytes(70), 1), chance.randbytes(9)])
            )
            if chance.random() < 0.5:
                data[chance.randrange(len(data))] = chance.randrange(256)
            one.sendall(data)
        done.set()

    fake = FakeBroker(says)
    Lines.target = fake.port
    with sketch.running() as robot:
        wait_for(lambda: fake.accepted >= 3 or done.is_set())
        assert robot.has(0.0)
        Lines.target = broker.port
        line.cut()
        with driver(robot, url) as one:
            one.drive(3.0)
    fake.close()
