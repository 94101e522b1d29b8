"""What a robot hears and tells in most steps, without the work of going through it message by message.

The requests of a controller differ mostly by the numbers in them, and so do the samples of a robot's sensors.
Both are unpacked and packed at once when they have the messages of those before (see hal.protocol.shape).
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from hal.protocol.codec import HEAD
from hal.protocol.layout import Layout
from hal.protocol.packet import Request, block_head, request_head
from hal.protocol.shape import Shape
from wbcore.devices.sensor import SLACK_MS, Sampling, Sensor

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot

__all__ = ["RoutineRequests", "Samples"]

MOST = 64
"""Shapes that are kept; who says something else in each step must not fill the memory."""
first = itemgetter(0)


class RoutineRequests:
    """Carries out requests in which each command has one number."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._shapes: dict[int, tuple[Shape, int]] = {}
        self._last: dict[int, list[tuple[int, int]]] = {}

    def take(self, packet: bytes) -> int | None:
        """Carry out a request, if its messages are those of an earlier one; its duration in ms, else None."""
        found = self._shapes.get(len(packet))
        if found is None:
            return None
        shape, duration = found
        numbers = shape.read_single(packet)
        if numbers is None:
            return None
        work = zip(shape.calls, numbers)  # noqa: B905 (as many as commands)
        try:
            for call, number in work:
                call(number)
        except ValueError as problem:
            self._go_on(call, problem, work)
        return duration

    def _go_on(self, call: Any, problem: ValueError, work: Iterator[tuple[Any, Any]]) -> None:
        """Tell what was wrong with one command, and carry out the others."""
        self._warn(call, problem)
        for call, number in work:
            try:
                call(number)
            except ValueError as another:
                self._warn(call, another)

    def _warn(self, call: Any, problem: ValueError) -> None:
        name = call.__name__.removeprefix("on_")
        self._robot.warn(f'"{call.__self__.name}": {name}: {problem}')

    def learn(self, size: int, request: Request) -> None:
        """Note the messages of a request that was gone through; `size` is that of its packet."""
        blocks = [(tag, len(data)) for tag, data in request.blocks]
        if self._last.get(size) != blocks:  # it may never come again
            if len(self._last) >= MOST:
                self._last.clear()
            self._last[size] = blocks
            return
        parts, calls = self._parts(request)
        if not parts:
            return
        if len(self._shapes) >= MOST:
            self._shapes.clear()
        parts[0] = (request_head(size, request.duration) + parts[0][0], parts[0][1])
        self._shapes[size] = Shape(parts, calls), request.duration

    def _parts(self, request: Request) -> tuple[list[tuple[bytes, Layout]], list[Callable[..., None]]]:
        """What stands in front of each command, its layout, and who carries it out; nothing if one has not
        just one number."""
        parts: list[tuple[bytes, Layout]] = []
        calls: list[Callable[..., None]] = []
        for tag, data in request.blocks:
            devices = self._robot.devices
            device = devices[tag - 1] if 0 < tag <= len(devices) and tag not in self._robot.gone else None
            if device is None or device.codec is None or not data:
                return [], []
            front, at = block_head(tag, len(data)), 0
            for command in device.codec.read_commands(data):
                layout = device.codec.commands[command.code].layout
                call = device.handlers.get(command.code)
                if call is None or layout.is_vector or len(layout.flat or "") != 1:
                    return [], []
                end = at + device.codec.head.size
                parts.append((front + data[at:end], layout))
                calls.append(call)
                front, at = b"", end + layout.least
        return parts, calls

    def forget(self) -> None:
        """Devices or the dialect have changed."""
        self._shapes.clear()
        self._last.clear()


class Samples:
    """Samples the sensors of a robot that are enabled, and writes their newest values."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._sensors: dict[int, Sensor] = {}
        self._plan: list[tuple[Sampling | None, Callable[[float], Any], int]] | None = None
        self._is_remote = False
        self._newest: dict[int, tuple[Any, ...]] = {}
        """Values of samples, by tag, that wait for the next answer."""
        self._shapes: dict[tuple[int, ...], Shape] = {}

    def listen(self, sensor: Sensor, on: bool) -> None:
        """A sensor was enabled or disabled."""
        if on:
            self._sensors[sensor.tag] = sensor
            self._sensors = dict(sorted(self._sensors.items()))
        else:
            self._sensors.pop(sensor.tag, None)
        self._plan = None

    def clear(self) -> None:
        """No sensor is enabled, and nothing waits."""
        self._sensors.clear()
        self._plan = None
        self._newest.clear()

    def drop(self) -> None:
        """Nothing waits any more."""
        self._newest.clear()

    def forget(self) -> None:
        """Devices or the dialect have changed."""
        self.spread()
        self._plan = None
        self._shapes.clear()

    def sample(self, now: float) -> None:
        """Let the sensors measure that are due at this time (ms), in the order of their tags."""
        newest, plan = self._newest, self._plan
        if plan is None or self._robot.is_remote is not self._is_remote:
            plan = self._make_plan()
        for sampling, measure, tag in plan:
            if sampling is None:
                measure(now)
                continue
            since = now - sampling.last
            if since >= sampling.period - SLACK_MS:
                sampling.last = now
                values = measure(since / 1000)
                if values is not None:
                    newest[tag] = values

    def _make_plan(self) -> list[tuple[Sampling | None, Callable[[float], Any], int]]:
        self._is_remote = self._robot.is_remote
        plan: list[tuple[Sampling | None, Callable[[float], Any], int]] = []
        for tag, sensor in self._sensors.items():
            if self._is_remote and not sensor.WORKS_REMOTELY:
                continue
            if _is_plain(sensor):
                plan.append((sensor.sampling, sensor.measure, tag))
            else:
                plan.append((None, sensor.sample, tag))
        self._plan = plan
        return plan

    def write(self, out: bytearray, time: tuple[float, ...]) -> bool:
        """Append the values that wait, behind the time (s) if given; False when that is not possible."""
        newest = self._newest
        key = (len(time), *newest)
        shape = self._shapes.get(key) or self._make_shape(key)
        try:
            if shape.is_single:
                out += shape.write_single([*time, *map(first, newest.values())])
            else:
                out += shape.write([time, *newest.values()] if time else [*newest.values()])
        except (struct.error, ValueError, TypeError):
            return False  # whoever writes them one by one says what is wrong
        newest.clear()
        return True

    def _make_shape(self, key: tuple[int, ...]) -> Shape:
        codec = self._robot.codec
        parts: list[tuple[bytes, Layout]] = []
        if key[0]:
            code = codec.message_codes["time"]
            parts.append((HEAD.pack(0, code), codec.messages[code].layout))
        for tag in key[1:]:
            sensor = self._sensors_by_tag(tag)
            assert sensor.codec is not None, "only sensors with a codec are sampled here"
            code = sensor.codec.message_codes[sensor.MESSAGE]
            parts.append((HEAD.pack(tag, code), sensor.codec.messages[code].layout))
        if len(self._shapes) >= MOST:
            self._shapes.clear()
        made = self._shapes[key] = Shape(parts)
        return made

    def _sensors_by_tag(self, tag: int) -> Sensor:
        device = self._robot.devices[tag - 1]
        assert isinstance(device, Sensor), "only sensors are sampled"
        return device

    @property
    def waits(self) -> bool:
        """True when there are values to be written."""
        return bool(self._newest)

    def spread(self) -> None:
        """Give the values that wait to their devices, to go with their other messages."""
        for tag in sorted(self._newest):
            sensor = self._sensors_by_tag(tag)
            sensor.tell_newest(sensor.MESSAGE, *self._newest[tag])
        self._newest.clear()


def _is_plain(sensor: Sensor) -> bool:
    """True for a kind that samples like most, and whose samples have a fixed size."""
    if type(sensor).sample is not Sensor.sample or sensor.codec is None:
        return False
    code = sensor.codec.message_codes.get(sensor.MESSAGE)
    return code is not None and sensor.codec.messages[code].layout.flat is not None
