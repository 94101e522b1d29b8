"""MQTT: `mqtt[s]://[USER:PASSWORD@]BROKER[:PORT]/TOPIC`. One message of the link is one message of the
broker.

Below the topic: `request/KEY` (to the robot), `reply/KEY` (from it), `state` ("online", and as the last will
"offline"; retained) and `table` (the device table as JSON; retained). Each connection of a controller draws
a KEY that nobody can guess, and no other topic can use its session. Steps have QoS 0 unless the URL asks
for more: the link itself repeats what is lost and executes nothing twice.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from wbridge.hal.installation import package_command
from wbridge.hal.link.controller_connection import refusal_of
from wbridge.hal.link.errors import AddressError, ConnectionLost
from wbridge.hal.link.messages import REFUSED_TOPIC
from wbridge.hal.link.pipe import Listener, Pipe, Sender
from wbridge.hal.link.single_listener import SingleListener
from wbridge.hal.link.transports._broker import BrokerConnection
from wbridge.hal.link.transports._packet_limit import PacketLimit
from wbridge.hal.link.url import Url
from wbridge.hal.table import DeviceTable

if TYPE_CHECKING:
    from paho.mqtt import client as paho
    from paho.mqtt import reasoncodes

FORM = "mqtt[s]://[USER:PASSWORD@]BROKER[:PORT]/TOPIC?qos=0&ca=FILE"
TLS = True
PORT, TLS_PORT = 1883, 8883
PATIENCE = 5.0
"""Seconds to wait for the broker."""
KEEP_ALIVE = 10
RETAINED_QOS = 1
KEY_BYTES = 11
"""22 hexadecimal digits: 23 characters are what each broker takes as the name of a client."""
MAX_TURNED_AWAY = 64
"""Messages of older controllers that are refused at once, before others have their turn."""
MAX_STATE = 16
"""Bytes of the state that are looked at."""
KEY = re.compile(r"[0-9A-Za-z]{16,64}")
"""What a robot takes as a key."""


def quality(text: str) -> int:
    """A quality of service, 0 to 2.

    Raises:
        ValueError: it is none.
    """
    if text not in ("0", "1", "2"):
        raise ValueError("expected 0, 1 or 2")
    return int(text)


OPTIONS: dict[str, Callable[[str], object]] = {"qos": quality, "ca": str}


class MqttPipe:
    """Messages over topics of a broker."""

    retry = 0.1

    def __init__(self, url: Url, name: str, receive_from: list[str], announce: dict[str, bytes]) -> None:
        """
        Args:
            url: of the broker and the topic.
            name: of this client at the broker; "": the broker chooses one.
            receive_from: topics below it where messages come from; only the first must be readable.
            announce: retained messages by topic; `state` becomes "offline" when this side is gone.

        Raises:
            AddressError: an option is wrong, or paho-mqtt is missing.
            ConnectionLost: the broker is not there or wants another name or password.
        """
        options = url.read_options(OPTIONS)
        check(url)
        self.topic = url.path.strip("/")
        self._url, self._qos = url, options.get("qos", 0)
        self._name, self._receive_from = name, [f"{self.topic}/{topic}" for topic in receive_from]
        self._announced = announce
        self._is_answered, self._problem, self._closed = False, "the broker does not answer", False
        self._up = False
        self._client = self._make_client(options)
        self._broker = BrokerConnection(self._client, is_watched="state" in announce)
        self._start()

    def _make_client(self, options: dict[str, Any]) -> paho.Client:
        try:
            import paho.mqtt.client as paho  # start-up: an optional package
        except ImportError:
            raise AddressError(
                f"{self._url.text}: MQTT needs the package paho-mqtt: {package_command('paho-mqtt')}"
            ) from None
        version = paho.CallbackAPIVersion.VERSION2  # type: ignore[attr-defined, unused-ignore]
        client = paho.Client(version, self._name)
        if self._url.user:
            client.username_pw_set(self._url.user, self._url.password)
        if self._url.scheme == "mqtts":
            try:
                client.tls_set(ca_certs=options.get("ca"))
            except (OSError, ValueError) as error:
                file = options.get("ca", "of the system")
                raise AddressError(f"{self._url.text}: the certificate {file}: {error}") from None
        if "state" in self._announced:
            client.will_set(f"{self.topic}/state", b"offline", RETAINED_QOS, retain=True)
        # No name that paho promises, but all that it receives comes through it.
        self._limit = PacketLimit(client._sock_recv)
        client._sock_recv = self._limit  # type: ignore[method-assign,assignment]
        client.on_socket_open = self._opened
        client.on_connect, client.on_disconnect = self._connected, self._disconnected
        client.on_subscribe, client.on_message = self._subscribed, self._arrived
        if self._qos:  # without, paho would describe each sent message, which takes longer than sending it
            client.on_publish = self._acknowledged
        return client

    def _start(self) -> None:
        port = self._url.port or (TLS_PORT if self._url.scheme == "mqtts" else PORT)
        try:
            self._broker.open(self._url.host, port, KEEP_ALIVE)
        except (OSError, ValueError) as error:
            self.close()
            is_down = isinstance(error, ConnectionRefusedError)
            why = "no broker answers there; is it started?" if is_down else str(error)
            raise ConnectionLost(f"{self._url.text}: {why}") from None
        self._broker.wait_until(lambda: self._is_answered, PATIENCE)
        if not self._up:
            self.close()
            raise ConnectionLost(f"{self._url.text}: {self._problem}")

    # What paho calls.

    def _opened(self, client: object, data: object, connection: object) -> None:
        self._limit.reset()
        if isinstance(connection, socket.socket):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _acknowledged(
        self, client: paho.Client, data: object, mid: int, reason: object, properties: object
    ) -> None:
        """The broker has a message with a QoS above 0: tell the system to say so at once.

        Many brokers leave Nagle's algorithm on: their next message would wait for this, 40 ms on Linux.
        """
        connection = client.socket()
        if isinstance(connection, socket.socket) and hasattr(socket, "TCP_QUICKACK"):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def _connected(
        self,
        client: paho.Client,
        data: object,
        flags: object,
        reason: reasoncodes.ReasonCode,
        properties: object,
    ) -> None:
        if reason.is_failure:
            self._problem, self._is_answered = f"the broker refuses: {reason}", True
            return
        client.subscribe([(topic, self._qos) for topic in self._receive_from])
        for topic, content in self._announced.items():
            client.publish(f"{self.topic}/{topic}", content, RETAINED_QOS, retain=True)

    def _subscribed(
        self,
        client: object,
        data: object,
        mid: int,
        reasons: list[reasoncodes.ReasonCode],
        properties: object,
    ) -> None:
        self._up = not reasons[0].is_failure
        if self._up:
            self._broker.accepted()
        else:
            self._problem = f'the broker does not let this user read "{self._receive_from[0]}"'
        self._is_answered = True

    def _disconnected(
        self, client: object, data: object, flags: object, reason: object, properties: object
    ) -> None:
        self._up = False
        self._broker.lost()

    def _arrived(self, client: object, data: object, message: paho.MQTTMessage) -> None:
        if message.retain:
            return  # an old one that somebody has left there
        self._broker.put(message.topic[len(self.topic) + 1 :], bytes(message.payload))

    # The pipe.

    @property
    def is_up(self) -> bool:
        """The broker is there."""
        return self._up

    def publish(self, topic: str, data: bytes) -> None:
        """Publish one message. While the broker is away, it is lost; the link sends it again.

        Args:
            topic: below that of the robot.
            data: the message.

        Raises:
            ConnectionLost: the pipe is closed.
        """
        if self._closed:
            raise ConnectionLost(f"{self._url.text}: closed")
        if self._up:
            self._broker.publish(f"{self.topic}/{topic}", data, self._qos)

    def take(self, timeout: float) -> tuple[str, bytes] | None:
        """The next message and its topic below that of the robot; None when nothing came in time (s)."""
        return self._broker.take(timeout)

    def fileno(self) -> int:
        """Readable when a message may have come."""
        return self._broker.fileno()

    def close(self) -> None:
        """Leave the broker."""
        if self._closed:
            return
        self._closed = True
        if self._up and "state" in self._announced:
            info = self._broker.publish(f"{self.topic}/state", b"offline", RETAINED_QOS, keep=True)
            self._broker.wait_until(info.is_published, 1.0)
        self._broker.close()


class ControllerPipe(MqttPipe):
    """A controller's end: two topics of its own."""

    def __init__(self, url: Url) -> None:
        """Arguments and errors are those of `MqttPipe`."""
        self.key = os.urandom(KEY_BYTES).hex()
        self._state, self._has_answered = "", False
        super().__init__(url, self.key, [f"reply/{self.key}", "state"], {})

    def _arrived(self, client: object, data: object, message: paho.MQTTMessage) -> None:
        if message.topic == f"{self.topic}/state":
            self._state = message.payload[:MAX_STATE].decode("ascii", "replace")
        else:
            super()._arrived(client, data, message)

    @property
    def why_silent(self) -> str:
        """What the broker knows of a robot that does not answer; "": nothing."""
        if self._has_answered:
            return ""
        if self._state == "online":
            return (
                f"it is online, but does not answer at {self.topic}/reply/KEY. If its program is older than "
                "this one, update it there; else see whether the broker's "
                f"rules allow {self.topic}/request/+ and {self.topic}/reply/+"
            )
        return f"the broker says that it is {self._state}" if self._state == "offline" else ""

    def send(self, data: bytes) -> None:
        """Publish one message."""
        self.publish(f"request/{self.key}", data)

    def receive(self, timeout: float) -> bytes | None:
        """The next message."""
        taken = self.take(timeout)
        if taken is None:
            return None
        self._has_answered = True
        return taken[1] or None


class RobotPipe(MqttPipe):
    """A robot's end, for all controllers: each has topics of its own, which cost the robot nothing."""

    def __init__(self, url: Url, announce: dict[str, bytes]) -> None:
        """Arguments and errors are those of `MqttPipe`."""
        self.sender = Sender(self, "")
        super().__init__(url, "", ["request/+", "request"], announce)

    def send(self, data: bytes) -> None:
        """Answer the sender."""
        self.publish(f"reply/{self.sender.key}", data)

    def receive(self, timeout: float) -> bytes | None:
        """The next message of a controller with a topic of its own."""
        for turn in range(MAX_TURNED_AWAY):
            taken = self.take(0.0 if turn else timeout)
            if taken is None:
                break
            topic, data = taken
            key = topic.removeprefix("request").removeprefix("/")
            if KEY.fullmatch(key):
                self.sender = Sender(self, key)
                return data or None
            # Older controllers share the topic `request`, where anybody could guess a session.
            self.publish(topic.replace("request", "reply", 1), refusal_of(data, REFUSED_TOPIC))
        return None


def check(url: Url) -> None:
    """Check that the URL contains a broker and a topic, without connecting.

    Raises:
        AddressError: it does not.
    """
    topic = url.path.strip("/")
    if not url.host or not topic or any(mark in topic for mark in "+#"):
        raise AddressError(f"{url.text}: expected {FORM}, for example mqtt://broker/robots/ann")


def connect(url: Url) -> Pipe:
    """A pipe to the robot that serves a topic."""
    return ControllerPipe(url)


def listen(url: Url, table: DeviceTable) -> Listener:
    """Be the robot that serves a topic."""
    announce = {"table": table.canonical().encode("ascii"), "state": b"online"}
    return SingleListener(url.text, RobotPipe(url, announce))
