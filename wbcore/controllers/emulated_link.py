"""The link between a controller and its robot as a real one would be: late, unsteady, losing messages.

Time is simulated time, so that the same seed gives the same run. The controller sends a message with its
commands when it requests a step; they act from the first basic step that begins after it has arrived. The
robot sends its readings at the end of each basic step. No message overtakes another. As on the robot link,
what a lost message contains is not lost: it travels with the next message.
"""

from __future__ import annotations

from collections import deque
from random import Random
from typing import Any, NamedTuple

from wbridge.hal.catalogue import kinds
from wbridge.hal.protocol.packet import Request
from wbridge.wbcore.controllers.link_quality import LinkQuality
from wbridge.wbcore.devices import Device
from wbridge.wbcore.devices.image_device import ImageDevice
from wbridge.wbcore.devices.sensor import SLACK_MS, Sensor
from wbridge.wbcore.robots.robot import Robot

_REMOTE = frozenset(name for name, kind in kinds().items() if kind.remote)
"""Kinds of devices that a real robot has; the others stay with the simulator."""


class _Message(NamedTuple):
    arrival_ms: float
    contents: list[object]


class _Direction:
    """Messages one way."""

    def __init__(self, quality: LinkQuality, random: Random) -> None:
        self._quality, self._random = quality, random
        self._unsent: list[object] = []
        self._under_way: deque[_Message] = deque()

    def add(self, content: object) -> None:
        """Add to the next message."""
        self._unsent.append(content)

    def send(self, now_ms: float) -> None:
        """Send the message; if it is lost, its contents stay for the next one."""
        quality, random = self._quality, self._random
        is_lost = random.random() < quality.loss
        delay_ms = 1000 * (quality.latency_s + quality.jitter_s * random.random())
        if is_lost or not self._unsent:
            return
        last = self._under_way[-1].arrival_ms if self._under_way else now_ms
        self._under_way.append(_Message(max(last, now_ms + delay_ms), self._unsent))
        self._unsent = []

    def arrived(self, now_ms: float) -> list[Any]:
        """Return the contents that have arrived, in the order in which they were sent."""
        contents: list[object] = []
        while self._under_way and self._under_way[0].arrival_ms <= now_ms + SLACK_MS:
            contents += self._under_way.popleft().contents
        return contents

    def clear(self) -> None:
        """Drop all messages."""
        self._unsent = []
        self._under_way.clear()


class EmulatedLink:
    """The link of one controller."""

    def __init__(self, robot: Robot, quality: LinkQuality, seed: int) -> None:
        """
        Args:
            robot: the robot that the controller drives.
            quality: of the link.
            seed: the same gives the same delays and losses.
        """
        self._robot = robot
        random = Random(f"{seed} {robot.name}")
        self._commands = _Direction(quality, Random(random.random()))
        self._readings = _Direction(quality, Random(random.random()))

    def take(self, request: Request) -> None:
        """Send the commands of a request over the link; carry out those that stay with the simulator."""
        own = []
        for block in request.blocks:
            if self._is_sent(block[0]):
                self._commands.add(block)
            else:
                own.append(block)
        self._robot.take(request._replace(blocks=own))
        if request.duration:
            self._commands.send(self._robot.simulation.time_ms)

    def _is_sent(self, tag: int) -> bool:
        """True if commands for a device go over the link."""
        if not 0 < tag <= len(self._robot.devices):
            return False
        device = self._robot.devices[tag - 1]
        if isinstance(device, ImageDevice):
            places = "link.latency, link.jitter and link.loss"
            self._robot.warn(f'{places} do not affect the pictures of "{device.name}"')
        return _is_remote(device)

    def deliver(self) -> None:
        """Carry out the commands that have arrived, before a basic step."""
        blocks = self._commands.arrived(self._robot.simulation.time_ms)
        if blocks:
            self._robot.take(Request(0, blocks))

    def collect(self, now_ms: float) -> None:
        """Send what the sensors have measured, at the end of a basic step."""
        robot = self._robot
        robot.samples.spread()
        for tag in sorted(robot.answer.tags):
            device = robot.devices[tag - 1]
            if isinstance(device, Sensor) and _is_remote(device):
                data = bytearray()
                device.write_outbox(data)
                self._readings.add(bytes(data))
                robot.answer.tags.discard(tag)
        self._readings.send(now_ms)

    def readings(self, now_ms: float) -> bytes:
        """Return the messages of sensors that have arrived since the last call."""
        return b"".join(self._readings.arrived(now_ms))

    def clear(self) -> None:
        """Drop what is under way, after simulated time has jumped."""
        self._commands.clear()
        self._readings.clear()


def _is_remote(device: Device) -> bool:
    """True if a real robot would have the device."""
    return device.entry.type in _REMOTE
