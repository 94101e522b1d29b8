"""The answer to a robot's controller: time, the robot's own messages, and those of its devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wbridge.hal.protocol.configure import NEW_DEVICES, write_new_devices
from wbridge.wbcore.robots.parts import LATE, OUTLASTING, ranks

if TYPE_CHECKING:
    from wbridge.wbcore.devices import Device
    from wbridge.wbcore.robots.robot import Robot


class Answer:
    """What waits for the controller, and the time of the last answer."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self.own: list[tuple[int, tuple[object, ...]]] = []
        """Messages of the robot itself: code and values."""
        self.tags: set[int] = set()
        """Tags of devices with messages."""
        self.new_devices: list[Device] = []
        """Devices that were not announced to the controller yet."""
        self.sent_time = -1.0
        """The simulated time (ms) that the controller knows."""

    def connect(self) -> None:
        """Drop what waits for the previous controller."""
        self.own, self.sent_time = [], -1.0
        self.tags.clear()

    def reset(self) -> None:
        """Keep only messages that are still valid after a reset."""
        codes = self._robot.codec.message_codes
        kept = {codes[name] for name in OUTLASTING}
        self.own, self.sent_time = [message for message in self.own if message[0] in kept], -1.0
        self.tags.clear()

    def add(self, message: str, *values: object) -> None:
        """Add a message of the robot itself."""
        self.own.append((self._robot.codec.message_codes[message], values))

    def drop(self, message: str, matches: Callable[[tuple[object, ...]], bool] = lambda values: True) -> None:
        """Drop messages of a kind that still wait.

        Args:
            message: the name of the message.
            matches: chooses by the values; default: all.
        """
        if self.own:
            code = self._robot.codec.message_codes[message]
            self.own = [item for item in self.own if item[0] != code or not matches(item[1])]

    @property
    def has_messages(self) -> bool:
        """True if more than samples and time waits."""
        return bool(self.own or self.tags or self.new_devices or self._robot.pictures.waiting)

    def to_question(self, packet: bytes) -> bytes | None:
        """Return the answer to a request with a single known query, if nothing else waits."""
        robot = self._robot
        ask = robot.questions.get(packet)
        if ask is None or self.has_messages or robot.samples.waits or robot.observer is not None:
            return None
        return ask() if robot.simulation.time_ms == self.sent_time else None

    def routine_packet(self, now: float) -> bytes | None:
        """Return the whole answer for a local connection at this time (ms) if it contains only the time and
        values read by the engine; otherwise None."""
        if self.has_messages or self._robot.observer is not None:
            return None
        packet = self._robot.samples.packet(now / 1000) if now != self.sent_time else None
        if packet is not None:
            self.sent_time = now
        return packet

    def routine(self, now: float | None = None) -> bytes | None:
        """Return what `write` would append if it is only the time and values of plain sensors.

        Args:
            now: time in ms; default: the simulation's.
        """
        samples = self._robot.samples
        if not samples.waits or self.has_messages or self._robot.observer is not None:
            return None
        if now is None:
            now = self._robot.simulation.time_ms
        data = samples.write((now / 1000,) if now != self.sent_time else ())
        if data is not None:
            self.sent_time = now
        return data

    def write(self, out: bytearray) -> None:
        """Append everything that waits, in Webots' order."""
        robot = self._robot
        now, codec = robot.simulation.time_ms, robot.codec
        is_new = now != self.sent_time
        robot.samples.spread()
        if is_new:
            self.sent_time = now
            codec.write_message(out, 0, codec.message_codes["time"], (now / 1000,))
        late: list[tuple[int, tuple[object, ...]]] = []
        if self.own:
            order = ranks(codec)
            own, self.own = sorted(self.own, key=lambda message: order[message[0]]), []
            late = [message for message in own if order[message[0]] >= LATE]
            for code, values in own[: len(own) - len(late)]:
                codec.write_message(out, 0, code, values)
        if self.new_devices:
            self._write_new_devices(out)
        if self.tags:
            for tag in sorted(self.tags):
                robot.devices[tag - 1].write_outbox(out)
            self.tags.clear()
        for code, values in late:
            codec.write_message(out, 0, code, values)

    def _write_new_devices(self, out: bytearray) -> None:
        """Append the list of new devices and their constants."""
        new, self.new_devices = self.new_devices, []
        out += b"\0\0" + bytes([NEW_DEVICES])
        write_new_devices(out, tuple(self._robot.entries(new)), self._robot.dialect)
        for device in new:
            device.configure(out)
