"""Whoever may publish at a broker cannot fill the memory of those who read there.

Judge: MQTT 3.1.1, 2.2 (kind and length of a packet), 3.3 (topic, number and text of a message) and 4.3 (what
is acknowledged); the system's peak of a process's memory (`VmHWM`).
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.hal.link.broker import Broker
from tests.hal.link.serving import table_at
from wbridge.hal.link.framing import MAX_MESSAGE
from wbridge.hal.link.transports import mqtt
from wbridge.hal.link.transports._packet_limit import LONGEST_PACKET, PacketLimit
from wbridge.hal.link.transports.mqtt import MqttPipe
from wbridge.hal.link.url import parse_url

TOPIC = "robots/ann"
LIMIT = 70_000
PATIENCE = 30.0
MOST_MB = 60.0
"""Memory that a robot's process may take for messages that are too long."""


def length_of(count: int) -> bytes:
    """A length as packets state it (2.2.3)."""
    digits = []
    while True:
        count, digit = divmod(count, 128)
        digits.append(digit | (128 if count else 0))
        if not count:
            return bytes(digits)


def message(text: bytes, topic: bytes = b"a/b", quality: int = 0) -> bytes:
    """A packet that publishes (3.3)."""
    body = len(topic).to_bytes(2, "big") + topic + (b"\0\7" if quality else b"") + text
    return bytes([0x30 | quality << 1]) + length_of(len(body)) + body


class Line:
    """What a broker sends, in pieces."""

    def __init__(self, data: bytes, piece: int) -> None:
        self.left, self._piece = data, piece

    def receive(self, size: int) -> bytes:
        """The next bytes; nothing more is there after the last one."""
        if not self.left:
            raise BlockingIOError
        size = min(size, self._piece)
        data, self.left = self.left[:size], self.left[size:]
        return data


def through(data: bytes, piece: int = 1 << 20, size: int = 1000) -> bytes:
    """What comes out behind the limit."""
    line, found = Line(data, piece), b""
    limit = PacketLimit(line.receive, LIMIT)
    while True:
        try:
            found += limit(size)
        except BlockingIOError:  # also after many pieces that were dropped
            if not line.left:
                return found


@pytest.mark.parametrize("piece", [1, 3, 1 << 20])
@pytest.mark.parametrize("quality", [0, 1, 2])
def test_messages_that_are_too_long_lose_their_text_alone(piece: int, quality: int):
    longest = LIMIT - len(message(b"", quality=quality)) + 2
    kept = message(b"x" * longest, quality=quality)
    others = b"\xd0\0" + message(b"next", quality=quality)
    long = message(b"x" * (longest + 1), quality=quality)
    assert through(kept + long + others, piece) == kept + message(b"", quality=quality) + others


def test_a_long_topic_stays():
    topic = b"t" * 65_535
    assert through(message(bytes(LIMIT), topic)) == message(b"", topic)


@pytest.mark.parametrize("data", [b"\x90" + length_of(LIMIT + 1), b"\x30\xff\xff\xff\xff\x7f"])
def test_what_no_broker_sends_ends_the_connection(data: bytes):
    with pytest.raises(ConnectionError):
        through(data)


def test_a_new_connection_begins_with_a_packet():
    limit = PacketLimit(Line(message(bytes(LIMIT))[:100], 10).receive, LIMIT)
    with pytest.raises(BlockingIOError):
        while True:
            limit(1000)
    limit._receive = Line(message(b"new"), 1000).receive
    limit.reset()
    assert b"".join(limit(1000) for _ in range(2)) == message(b"new")


def test_the_longest_message_of_the_link_has_room():
    assert MAX_MESSAGE + 2 + 0xFFFF + 2 == LONGEST_PACKET


# At a broker.


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    running = Broker(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()


@pytest.mark.parametrize("tls", [False, True])
@pytest.mark.parametrize("quality", [0, 1, 2])
def test_a_reader_goes_on_after_long_messages(
    broker: Broker, monkeypatch: pytest.MonkeyPatch, quality: int, tls: bool
):
    """More of them than a broker sends without an acknowledgment (mosquitto: 20)."""
    url = broker.url(TOPIC, tls) + f"{'&' if tls else '?'}qos={quality}"
    sender = MqttPipe(parse_url(url), "", ["nowhere"], {})
    monkeypatch.setattr(mqtt, "PacketLimit", partial(PacketLimit, longest=LIMIT))
    reader = MqttPipe(parse_url(url), "", ["here"], {})
    for _ in range(25):
        sender.publish("here", bytes(LIMIT))
    sender.publish("here", b"short")
    taken: list[tuple[str, bytes]] = []
    while not taken or taken[-1] != ("here", b"short"):
        message = reader.take(PATIENCE)
        assert message is not None
        taken.append(message)
    assert reader.is_up
    assert {text for _, text in taken} == {b"", b"short"}
    sender.close()
    reader.close()


ROBOT = """
import sys
from tests.hal.link.serving import serving

def peak():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))

with serving(sys.argv[1]):
    print(peak(), flush=True)
    sys.stdin.readline()
    print(peak(), flush=True)
"""
STRANGER = """
import sys
from wbridge.hal.link.transports.mqtt import MqttPipe
from wbridge.hal.link.url import parse_url

pipe = MqttPipe(parse_url(sys.argv[1] + "?qos=1"), "", ["nowhere"], {})
text = bytes(int(sys.argv[2]))
info = pipe._broker.publish(pipe.topic + "/request/0123456789abcdef", text, 1)
pipe._broker.wait_until(info.is_published, 60.0)
assert info.is_published()
"""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not tell the peak")
def test_a_robot_does_not_keep_messages_of_256_mb(broker: Broker):
    """The largest that the protocol allows (2.2.3): 268,435,455 bytes."""
    url = broker.url(TOPIC)
    command = [sys.executable, "-c", ROBOT, url]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": CHECKOUT}
    with subprocess.Popen(command, **pipes) as robot:  # type: ignore[call-overload]
        before = int(robot.stdout.readline())
        largest = (1 << 28) - 1 - len(TOPIC) - 60
        subprocess.run(
            [sys.executable, "-c", STRANGER, url, str(largest)], check=True, timeout=240, cwd=CHECKOUT
        )
        # What comes later than the messages is answered: the robot's connection has taken them all.
        table_at(url)
        after = int(robot.communicate("\n")[0].splitlines()[0])
    print(f"before {before / 1024:.0f} MB, after a message of {largest >> 20} MB {after / 1024:.0f} MB")
    assert (after - before) / 1024 < MOST_MB
