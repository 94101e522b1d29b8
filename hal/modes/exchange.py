"""The exchange of packets with the simulator: pending commands, requests, and answers."""

from __future__ import annotations

import sys
from _thread import RLock  # as in threading, which takes 0.5 ms to load
from typing import Any, NoReturn, Protocol

from wbridge.hal.connection.sockets import Connection, ConnectionLost
from wbridge.hal.modes.device import DeviceHandle
from wbridge.hal.modes.device_registry import DeviceRegistry
from wbridge.hal.modes.dispatcher import Dispatcher
from wbridge.hal.protocol.configure import RobotInfo
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import (
    GOOD_BYE,
    UNASKED,
    Answer,
    read_answer,
    request_head,
    write_request,
)
from wbridge.hal.protocol.supervisor import robot_codec
from wbridge.hal.reports import messages, report

__all__ = ["CommandFilter", "Exchange"]

LEAVE = 38
HEAD = 8
"""Bytes before the blocks of a request, and before the messages of an answer from a local connection."""


class CommandFilter(Protocol):
    """Diverts commands from the simulator, for example to a real robot."""

    @property
    def active(self) -> bool:
        """True while commands are diverted."""

    def divert(self, device: DeviceHandle) -> bool:
        """Take commands of a device; True if none remain for the simulator."""

    def divert_own(self, pending: dict[int, tuple[Any, ...]]) -> None:
        """Take commands of the robot node itself."""


class Relay(Protocol):
    """A second reader of the answers, which adds commands to the requests."""

    def commands(self) -> bytes:
        """Return blocks of commands for the next request."""

    def take(self, data: bytes) -> None:
        """Take the messages of an answer."""


class Exchange:
    """Builds requests from the pending commands, sends them, and handles the answers."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.info = RobotInfo("")
        self.dialect: Dialect = R2025A
        self.first_data = b""
        """The messages of the first answer, which describe the robot."""
        self.devices = DeviceRegistry()
        self.device = self.devices.device
        self.messages = Dispatcher(self.devices)
        self.duration = 0
        """Duration of the step in the current packet, in ms."""
        self.busy: set[int] = set()
        """Tags of devices with commands for the next packet."""
        self.pending: dict[int, tuple[Any, ...]] = {}
        self.queued: list[tuple[int, tuple[Any, ...]]] = []
        self.motions: list[Any] = []
        """Motions that play."""
        self.command_filter: CommandFilter | None = None
        """The remote-control plugin, once it is loaded."""
        self.stepping = self.quitting = self.closed = False
        self.relay: Relay | None = None
        self.lock = RLock()
        """Serializes the threads of a controller: a request and its answer are one critical section."""
        self.is_cut_off = False
        """True if an exception interrupted the wait for an answer; no more requests are possible."""

    # Commands of the robot node.

    def command(self, code: int, *values: Any) -> None:
        """Add a command to the next packet, replacing an earlier one with the same code."""
        self.pending[code] = values

    def queue(self, code: int, *values: Any) -> None:
        """Append a command to the queue for the next packet."""
        self.queued.append((code, values))

    # Requests.

    def may_ask(self, function: str) -> bool:
        """Return False, and print a warning, during a step."""
        with self.lock:
            if self.stepping:
                text = messages.no_answer_during_step()
                report.warning(function, text, once=False)
            return not self.stepping

    def round_trip(self) -> bool:
        """Send the pending commands and handle the answer, without a step; False after the end."""
        with self.lock:
            if self.quitting or self.closed:
                return False
            self.send(0)
            self.receive()
            return not self.closed

    def send(self, duration: int) -> None:
        """Send the pending commands with a request for a step of `duration` ms."""
        self.duration = duration
        command_filter = (
            self.command_filter if self.command_filter is not None and self.command_filter.active else None
        )
        if command_filter is not None:
            command_filter.divert_own(self.pending)
        blocks = [(0, self._own_block())] if self.pending or self.queued else []
        if self.busy:
            blocks += self._device_blocks(command_filter)
        self.send_packet(write_request(duration, blocks))

    def _own_block(self) -> bytearray:
        out, codec = bytearray(), robot_codec(self.dialect)
        commands = [*sorted(self.pending.items()), *self.queued]
        self.pending.clear()
        self.queued.clear()
        for code, values in commands:
            codec.write_command(out, code, values)
        return out

    def _device_blocks(self, command_filter: CommandFilter | None) -> list[tuple[int, bytearray]]:
        blocks: list[tuple[int, bytearray]] = []
        for tag in sorted(self.busy):
            device = self.devices[tag]
            if device is None or (command_filter is not None and command_filter.divert(device)):
                continue
            out = bytearray()
            device.flush(out)
            if out:
                blocks.append((tag, out))
        self.busy.intersection_update([tag for tag in self.busy if self._is_waiting(tag)])
        return blocks

    def _is_waiting(self, tag: int) -> bool:
        device = self.devices[tag]
        return device is not None and device.waiting

    def use_relay(self, relay: Relay) -> None:
        """Let a window in C take part in the exchange."""
        self.relay = relay

    def send_packet(self, packet: bytes) -> None:
        """Send a request."""
        if self.relay is not None:
            packet += self.relay.commands()
            packet = request_head(len(packet), self.duration) + packet[HEAD:]
        try:
            self.connection.send(packet)
        except ConnectionLost as error:
            self.lose(error)

    # Answers.

    def receive(self) -> int:
        """Wait for the answer to a request, and return by how many ms the simulation was ahead."""
        while True:
            try:
                packet = self.connection.receive()
                if isinstance(packet, bytes):
                    if self.relay is not None:
                        self.relay.take(packet[HEAD:])
                    packet = read_answer(packet)
                elif self.relay is not None:
                    self.relay.take(packet.data)
                answer = packet
                self.take(answer)
            except (ConnectionLost, ProtocolError) as error:
                self.lose(error)
            except BaseException:  # for example KeyboardInterrupt
                self.is_cut_off = True
                raise
            if answer.delay != UNASKED:
                return answer.delay

    def take(self, answer: Answer) -> None:
        """Pass the messages of an answer to their handlers."""
        self.first_data = self.first_data or answer.data
        self.messages.take(answer.data)
        if answer.images:
            self.messages.take_images(answer)

    # The end.

    def lose(self, error: Exception) -> NoReturn:
        """End the controller because the connection is lost, as Webots' own library does.

        Raises:
            SystemExit: always.
        """
        self.close()
        print(messages.lost_simulator(error), file=sys.stderr, flush=True)
        raise SystemExit(1)

    @property
    def is_over(self) -> bool:
        """True if no more requests can be sent."""
        return self.closed or self.quitting or self.is_cut_off

    def leave(self) -> None:
        """Notify the simulator that the controller has finished."""
        self.pending[LEAVE] = ()
        if self.round_trip():
            try:
                self.connection.send(GOOD_BYE)
            except ConnectionLost:
                self.closed = True

    def close(self) -> None:
        """Close the connection without notifying the simulator."""
        if not self.closed:
            self.closed = True
            self.connection.close()
