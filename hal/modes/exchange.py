"""The exchange of packets with the simulator: commands that wait, requests, answers."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import RLock
from typing import Any, NoReturn, Protocol

from hal.modes import report
from hal.modes.channel import Channel, ConnectionLost, Lane
from hal.modes.device import Device, key_of_command
from hal.modes.device_registry import DeviceRegistry
from hal.modes.dispatcher import Dispatcher
from hal.modes.packet_shapes import RequestShapes
from hal.protocol.configure import RobotInfo
from hal.protocol.dialect import R2025A, Dialect
from hal.protocol.errors import ProtocolError
from hal.protocol.packet import GOOD_BYE, UNASKED, Answer, read_answer, write_answer, write_request
from hal.protocol.supervisor import robot_codec

__all__ = ["CommandFilter", "Exchange"]

LEAVE = 38


class CommandFilter(Protocol):
    """Takes commands that are not for the simulator."""

    active: bool

    def divert(self, device: Device) -> bool:
        """Take commands of a device; True when it had no others."""

    def divert_own(self, pending: dict[int, tuple[Any, ...]]) -> None:
        """Take commands of the robot itself."""


class Exchange:
    """Requests to the simulator, made of the commands that wait, and its answers."""

    def __init__(self, channel: Channel) -> None:
        self.channel = channel
        native = getattr(channel, "native", None)
        self.info = RobotInfo("")
        self.dialect: Dialect = R2025A
        self.devices = DeviceRegistry()
        self.device = self.devices.device
        self.messages = Dispatcher(self.devices, native)
        self._requests, self._answers = RequestShapes(self.devices, native), self.messages.shapes
        self.duration = 0
        """Of the packet that is being written, in ms."""
        self.busy: set[int] = set()
        """Tags of devices with something to say in the next packet."""
        self.numbers: dict[int, float] = {}
        """Commands of devices that have one number, by `key_of_command`, for the next packet."""
        self.pending: dict[int, tuple[Any, ...]] = {}
        self.queued: list[tuple[int, tuple[Any, ...]]] = []
        self.diversion: CommandFilter | None = None
        """The plugin of remote control, once it was loaded."""
        self.lane: Lane | None = None
        """Makes steps without packets, while the simulator allows it."""
        self.stepping = self.quitting = self.closed = False
        self.turn = RLock()
        """Threads of a controller take turns: one asks, and has its answer, before another one asks."""
        self.is_cut_off = False
        """An answer was waited for when something else happened: nothing can be asked any more."""

    # Commands of the robot itself.

    def command(self, code: int, *values: Any) -> None:
        """Send a command with the next packet; it takes the place of an earlier one with the same code."""
        self.pending[code] = values

    def queue(self, code: int, *values: Any) -> None:
        """Send a command with the next packet, behind all that are queued."""
        self.queued.append((code, values))

    # For whoever makes steps without packets (see hal.modes.channel.Lane).

    @staticmethod
    def command_key(tag: int, code: int) -> int:
        """The key of a device's command in `numbers`."""
        return key_of_command(tag, code)

    def listener(self, tag: int, code: int) -> Callable[..., None]:
        """Who takes messages with this code, of a device or (tag 0) of the robot."""
        return self.messages.listener(tag, code)

    # Requests.

    def may_ask(self, function: str) -> bool:
        """False, with a warning, while a step is under way."""
        with self.turn:
            if self.stepping:
                text = (
                    "ignored: it needs an answer at once, which is not possible between step_begin and "
                    "step_end."
                )
                report.warning(function, text, once=False)
            return not self.stepping

    def round_trip(self) -> bool:
        """Send all that waits and take the answer, no time passing; False when the simulation has ended."""
        with self.turn:
            if self.quitting or self.closed:
                return False
            self.send(0)
            self.receive()
            return not self.closed

    def send(self, duration: int) -> None:
        """Send all that waits, for a step of `duration` ms."""
        self.duration = duration
        diversion = self.diversion if self.diversion is not None and self.diversion.active else None
        if self.numbers:
            packet = None
            if not (self.busy or self.pending or self.queued or diversion):
                packet = self._requests.pack(duration, self.numbers, learn=True)
            if packet is not None:
                self.numbers.clear()
                self.send_packet(packet)
                return
            self._requests.spread(self.numbers)
        if diversion is not None:
            diversion.divert_own(self.pending)
        blocks = [(0, self._own_block())] if self.pending or self.queued else []
        if self.busy:
            blocks += self._device_blocks(diversion)
        self.send_packet(write_request(duration, blocks))

    def _own_block(self) -> bytearray:
        out, codec = bytearray(), robot_codec(self.dialect)
        pending, self.pending = self.pending, {}
        queued, self.queued = self.queued, []
        for code, values in [*sorted(pending.items()), *queued]:
            codec.write_command(out, code, values)
        return out

    def _device_blocks(self, diversion: CommandFilter | None) -> list[tuple[int, bytearray]]:
        blocks: list[tuple[int, bytearray]] = []
        for tag in sorted(self.busy):
            device = self.devices[tag]
            if device is None or (diversion is not None and diversion.divert(device)):
                continue
            out = bytearray()
            device.flush(out)
            if out:
                blocks.append((tag, out))
        self.busy = {tag for tag in self.busy if self._is_waiting(tag)}
        return blocks

    def _is_waiting(self, tag: int) -> bool:
        device = self.devices[tag]
        return device is not None and device.waiting

    def pack_numbers(self, duration: int) -> bytes | None:
        """The request for a step of `duration` ms that has nothing but commands with one number, and is known
        already; None for others."""
        return self._requests.pack(duration, self.numbers)

    def send_packet(self, packet: bytes) -> None:
        """Send a request."""
        try:
            self.channel.send(packet)
        except ConnectionLost as error:
            self.lose(error)

    # Answers.

    def receive(self) -> int:
        """Wait for the answer to a request; by how many ms the simulation was ahead."""
        while True:
            try:
                packet = self.channel.receive()
                if isinstance(packet, bytes):
                    if self._answers.take(packet):
                        return 0
                    packet = read_answer(packet)
                answer = packet
                self.take(answer)
            except (ConnectionLost, ProtocolError) as error:
                self.lose(error)
            except BaseException:  # the user's interruption, for example
                self.is_cut_off = True
                raise
            if answer.delay != UNASKED:
                return answer.delay

    def take(self, answer: Answer) -> None:
        """Give the messages of an answer to those who take them."""
        if not self._answers.take(write_answer(0, answer.data)):
            self.messages.take(answer.data)
        if answer.images:
            self.messages.take_images(answer)

    # The end.

    def lose(self, error: Exception) -> NoReturn:
        """The simulator is gone: so goes the controller, as with Webots' own library.

        Raises:
            SystemExit: always.
        """
        self.close()
        print(f"Lost the simulator: {error}", file=sys.stderr, flush=True)
        raise SystemExit(1)

    @property
    def is_over(self) -> bool:
        """Nothing can be sent any more."""
        return self.closed or self.quitting or self.is_cut_off

    def leave(self) -> None:
        """Tell the simulator that the controller has done its work."""
        self.pending[LEAVE] = ()
        if self.round_trip():
            try:
                self.channel.send(GOOD_BYE)
            except ConnectionLost:
                self.closed = True

    def close(self) -> None:
        """End the connection without a word."""
        if not self.closed:
            self.closed = True
            self.channel.close()
