"""A simulator without physics, in the same process, to test controllers without a simulation.

It uses the real protocol: the device codecs decode the controller's commands and encode the answers. A test
provides the sensor values and inspects the commands.

    world = Loopback([Peer("DistanceSensor", "ds", {"max_value": 1000.0}), Peer("LED", "led")])
    robot = wbridge.hal.client.native.attach(world)
    world["ds"].send("value", 42.0)
    ... run the controller ...
    world["led"].last("set")
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from wbridge.hal.protocol.codec import CONSTANTS, HEAD, Command
from wbridge.hal.protocol.configure import CONFIGURE, Entry, RobotInfo, SelfNode, write_own, write_robot
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import CountedList, Layout, Numbers, SizedBytes, Text, Vector
from wbridge.hal.protocol.packet import (
    GOOD_BYE,
    Answer,
    AnswerReader,
    AnswerWriter,
    Image,
    Request,
    RequestReader,
)
from wbridge.hal.protocol.supervisor import robot_codec

__all__ = ["Loopback", "Peer"]

TIME, QUIT = 4, 2


def zeros(layout: Layout) -> dict[str, Any]:
    """Default values of the fields of a layout."""
    values: list[object] = []
    for part in layout.parts:
        if isinstance(part, Numbers):
            values += part.struct.unpack(bytes(part.least))
        elif isinstance(part, Vector):
            values.append(part.struct.unpack(bytes(part.least)))
        elif isinstance(part, (Text, SizedBytes)):
            values.append("" if isinstance(part, Text) or part.text else b"")
        elif isinstance(part, CountedList):
            values.append([])
    return dict(zip(layout.names, values, strict=True))


def _last(commands: Sequence[Command], name: str) -> tuple[Any, ...] | None:
    """The values of the last command with a name, or None."""
    return next((command.values for command in reversed(commands) if command.name == name), None)


class Peer:
    """The simulator's side of a device."""

    def __init__(
        self, node_type: str, name: str, constants: dict[str, object] | None = None, model: str = ""
    ) -> None:
        """
        Args:
            node_type: for example "DistanceSensor".
            name: name of the device.
            constants: by name, as in the codec; the others are zero or empty.
            model: the field `model`.

        Raises:
            ProtocolError: the node type has no codec, or the constant is unknown.
        """
        self.entry = Entry(node_type, name, model)
        self.constants = constants or {}
        self.commands: list[Command] = []
        self.waiting: list[tuple[str, tuple[Any, ...]]] = []
        self.tag = 0
        self.use(R2025A)

    def use(self, dialect: Dialect) -> None:
        """Set the dialect."""
        codec = codec_of(self.entry.node_type, dialect)
        if codec is None:
            raise ProtocolError(f'"{self.entry.name}" is of type {self.entry.node_type}, which has no codec')
        self.codec = codec

    def send(self, message: str, *values: object) -> None:
        """Add a message to the next answer, for example `send("value", 0.5)`."""
        if message not in self.codec.message_codes:
            known = ", ".join(self.codec.message_codes)
            raise ProtocolError(f'"{self.entry.name}" has no message "{message}"; it has {known}')
        self.waiting.append((message, values))

    def last(self, command: str) -> tuple[Any, ...] | None:
        """The values of the last command with a name, or None."""
        return _last(self.commands, command)

    def configure(self, out: bytearray) -> None:
        """Append the constants, if the device has any."""
        if CONSTANTS not in self.codec.messages:
            return
        layout = self.codec.messages[CONSTANTS].layout
        values = zeros(layout)
        unknown = self.constants.keys() - values.keys()
        if unknown:
            known = ", ".join(values)
            raise ProtocolError(f'"{self.entry.name}" has no constants {sorted(unknown)}; it has {known}')
        values |= self.constants
        self.codec.write_message(out, self.tag, CONSTANTS, tuple(values.values()))

    def answer(self, out: bytearray) -> None:
        """Append the pending messages."""
        waiting, self.waiting = self.waiting, []
        for message, values in waiting:
            self.codec.write_message(out, self.tag, self.codec.message_codes[message], values)


class Loopback:
    """A simulator without physics, and the channel to it."""

    def __init__(
        self,
        peers: Iterable[Peer] = (),
        *,
        name: str = "robot",
        supervisor: bool = False,
        time_step: float = 32.0,
        dialect: Dialect = R2025A,
        tcp: bool = False,
    ) -> None:
        """
        Args:
            peers: the devices, in the order of their tags.
            name: name of the robot.
            supervisor: the robot is one; `on` says what its questions are answered.
            time_step: the basic time step in ms.
            dialect: of the simulator.
            tcp: frame answers as over TCP.
        """
        self.peers = list(peers)
        self.dialect, self.tcp = dialect, tcp
        entries = tuple(peer.entry for peer in self.peers)
        version = dialect.name if dialect.name_first else ""
        self.info = RobotInfo(name, version, supervisor, devices=entries, basic_time_step=time_step)
        self.own = SelfNode(1, 0, False, False, "Robot", "ROBOT")
        self.time = 0.0
        self.commands: list[Command] = []
        self.requests: list[Request] = []
        self.on: dict[str, Callable[..., list[tuple[str, tuple[Any, ...]]]]] = {}
        """Handlers of the robot's commands by name: each gets the values of the command, and
        returns messages with their values."""
        self.before_answer: Callable[[Loopback], object] | None = None
        """Called after the time has advanced, before the sensors answer."""
        self.quit_at: float | None = None
        """The time in s at which the simulation ends."""
        self.images: list[Image] = []
        self.closed = self.configured = False
        self._reader, self._answers = RequestReader(), AnswerReader(tcp)
        self._ready: deque[bytes] = deque()
        self._messages: list[tuple[str, tuple[Any, ...]]] = []
        for tag, peer in enumerate(self.peers, 1):
            peer.tag = tag
            peer.use(dialect)

    def __getitem__(self, name: str) -> Peer:
        """The first device with a name."""
        return next(peer for peer in self.peers if peer.entry.name == name)

    def tell(self, message: str, *values: object) -> None:
        """Add a message of the robot to the next answer, for example `tell("keys", [65])`."""
        self._messages.append((message, values))

    # The channel.

    def send(self, packet: bytes) -> None:
        """Handle a request of the controller."""
        for request in self._reader.feed(packet):
            self.requests.append(request)
            self._ready.append(self._answer(request))
        if packet == GOOD_BYE:
            self.closed = True

    def answer(self) -> Answer:
        """Return the next answer to the controller, decoded."""
        (answer,) = self._answers.feed(self.receive())
        return answer

    def receive(self) -> bytes:
        """Return the next answer to the controller.

        Raises:
            ProtocolError: there is none.
        """
        if not self._ready:
            raise ProtocolError("the controller waits for an answer without a request")
        return self._ready.popleft()

    def close(self) -> None:
        """Close the connection."""
        self.closed = True

    # The simulator.

    def _answer(self, request: Request) -> bytes:
        self._take(request)
        writer = AnswerWriter()
        if not self.configured:
            self.configured = True
            self._configure(writer.out)
        else:
            self._pass(request.duration, writer.out)
            for image in self.images:
                writer.image(*image)
            self.images = []
        return writer.tcp() if self.tcp else writer.local()

    def _take(self, request: Request) -> None:
        codec = robot_codec(self.dialect)
        for tag, data in request.blocks:
            if tag:
                self.peers[tag - 1].commands += self.peers[tag - 1].codec.read_commands(data)
                continue
            for command in codec.read_commands(data):
                self.commands.append(command)
                if command.name in self.on:
                    self._messages += self.on[command.name](*command.values)

    def _configure(self, out: bytearray) -> None:
        out += HEAD.pack(0, CONFIGURE)
        write_robot(out, self.info, self.dialect)
        if self.info.supervisor:
            out += HEAD.pack(0, CONFIGURE)
            write_own(out, self.own)
        for peer in self.peers:
            peer.configure(out)

    def _pass(self, duration: int, out: bytearray) -> None:
        codec = robot_codec(self.dialect)
        if duration:
            self.time = round(1000 * self.time + duration) / 1000  # in whole ms, as simulations count
            codec.write_message(out, 0, TIME, (self.time,))
            if self.before_answer is not None:
                self.before_answer(self)
        messages, self._messages = self._messages, []
        for name, values in messages:
            codec.write_message(out, 0, codec.message_codes[name], values)
        for peer in self.peers:
            peer.answer(out)
        if self.quit_at is not None and self.time >= self.quit_at:
            codec.write_message(out, 0, QUIT, ())

    def last(self, command: str) -> tuple[Any, ...] | None:
        """The values of the robot's last command with a name, or None."""
        return _last(self.commands, command)
