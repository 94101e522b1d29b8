"""Who reads and writes the connection to a broker: the caller, and a thread while nobody calls.

Judge: MQTT 3.1.1, 3.1.2.10 (a client is silent for at most the keep-alive time); the order of a topic's
messages; `select` of the system.
"""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hal.link.broker import Broker
from wbridge.hal.link.errors import ConnectionLost
from wbridge.hal.link.framing import MAX_MESSAGE
from wbridge.hal.link.transports import _broker, mqtt
from wbridge.hal.link.transports._socket_pipe import SocketPipe
from wbridge.hal.link.transports.mqtt import MqttPipe
from wbridge.hal.link.url import parse_url
from wbridge.hal.ready import readable

PATIENCE = 30.0
TOPIC = "robots/ann"


class Pipe(MqttPipe):
    """Notes which threads hand over its messages."""

    def __init__(self, url: str, *topics: str) -> None:
        self.threads: set[threading.Thread] = set()
        super().__init__(parse_url(url), "", list(topics), {})

    def _arrived(self, client: Any, data: Any, message: Any) -> None:
        self.threads.add(threading.current_thread())
        super()._arrived(client, data, message)


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    running = Broker(tmp_path_factory.mktemp("broker"))
    yield running
    running.stop()


def ends(broker: Broker, *, tls: bool = False) -> tuple[Pipe, Pipe]:
    """Two that send to each other."""
    url = broker.url(TOPIC, tls)
    return Pipe(url, "here"), Pipe(url, "there")


def take_all(pipe: Pipe, count: int) -> list[bytes]:
    """So many messages."""
    taken = [pipe.take(PATIENCE) for _ in range(count)]
    return [message[1] for message in taken if message is not None]


@pytest.mark.parametrize("tls", [False, True])
def test_who_waits_for_messages_reads_them(broker: Broker, tls: bool):
    here, there = ends(broker, tls=tls)
    there.fileno()  # somebody promises to take what comes, as servers do
    for number in range(20):
        here.publish("there", b"%d" % number)
        assert take_all(there, 1) == [b"%d" % number]
        there.publish("here", b"back")
        assert take_all(here, 1) == [b"back"]
    assert there.threads == {threading.current_thread()}
    here.close()
    there.close()


@pytest.mark.parametrize("tls", [False, True])
def test_messages_that_came_while_nobody_waited_are_all_there(broker: Broker, tls: bool):
    here, there = ends(broker, tls=tls)
    texts = [b"%d" % number for number in range(100)]
    for text in texts:
        here.publish("there", text)
    assert take_all(there, len(texts)) == texts
    assert there.take(0.0) is None
    here.close()
    there.close()


def test_a_connection_that_nobody_serves_is_kept_alive(broker: Broker, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(mqtt, "KEEP_ALIVE", 1)
    here = Pipe(broker.url(TOPIC), "here")
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    here._client.on_log = lambda client, data, level, text: lines.put(text)
    signs = 0
    while signs < 2:
        signs += "PINGRESP" in lines.get(timeout=PATIENCE)
    assert here.is_up
    here.close()


def test_a_file_descriptor_wakes_when_the_broker_is_back(tmp_path: Path):
    broker = Broker(tmp_path)
    there = Pipe(broker.url(TOPIC), "there")
    broker.stop()
    while there.is_up:
        readable([there.fileno()], PATIENCE)
        there.take(0.0)
    waiting = there.fileno()
    assert waiting >= 0
    assert not readable([waiting], 0.0)
    broker.start()
    assert readable([waiting], PATIENCE)
    while not there.is_up:
        readable([there.fileno()], PATIENCE)
        there.take(0.0)
    here = Pipe(broker.url(TOPIC), "here")
    here.publish("there", b"again")
    assert readable([there.fileno()], PATIENCE)
    assert take_all(there, 1) == [b"again"]
    there.close()
    assert there.fileno() == -1
    here.close()
    broker.stop()


def connected() -> tuple[SocketPipe, socket.socket]:
    """A pipe over TCP, and its peer."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        own = socket.create_connection(server.getsockname())
        return SocketPipe(own, PATIENCE), server.accept()[0]


def test_more_bytes_than_the_system_takes_at_once_arrive_in_order():
    pipe, peer = connected()
    data = bytes(range(256)) * 40_000
    received = bytearray()

    def read() -> None:
        while len(received) < len(data):
            received.extend(peer.recv(1 << 16))

    reader = threading.Thread(target=read)
    reader.start()
    pipe.send(data)
    reader.join(PATIENCE)
    assert received == data
    pipe.close()
    peer.close()


def test_a_peer_that_does_not_read_is_lost():
    pipe, peer = connected()
    pipe.patience = 0.05
    with pytest.raises(ConnectionLost, match="the connection was lost: timed out"):
        pipe.send(bytes(100_000_000))
    pipe.close()
    peer.close()


def test_messages_that_nobody_takes_have_a_bound_in_bytes(broker: Broker):
    """Many small ones are kept, but only few large ones; after they were taken, others are."""
    here, there = ends(broker)
    connection = here._broker
    for size, kept in ((1, _broker.MAX_WAITING), (MAX_MESSAGE - len(TOPIC), 2)):
        for _ in range(_broker.MAX_WAITING + 1 if size == 1 else 5):
            connection.put(TOPIC, bytes(size))
        assert len([taken for _ in range(5000) if (taken := connection.take(0.0))]) == kept
    here.close()
    there.close()
