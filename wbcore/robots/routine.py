"""What a robot hears in most steps, without the work of going through it command by command.

The requests of a controller differ mostly by the numbers in them. One that has the commands of an earlier one
is unpacked at once (see hal.protocol.shape).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from hal.protocol.layout import Layout
from hal.protocol.packet import Request, block_head, request_head
from hal.protocol.shape import Shape

if TYPE_CHECKING:
    from typing import TypeAlias

    from wbcore.robots.robot import Robot

    Call: TypeAlias = tuple[Callable[[float], Any], Callable[[float], Any] | None]
    """Who carries out a command, and who has to do it again when the result is true."""

__all__ = ["RoutineRequests"]

MOST = 64
"""Shapes that are kept; who says something else in each step must not fill the memory."""


class RoutineRequests:
    """Carries out requests in which each command has one number."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._physics = robot.simulation.physics
        self._structure = -1
        self._shapes: dict[int, tuple[Shape, int]] = {}
        self._last: dict[int, list[tuple[int, int]]] = {}

    def take(self, packet: bytes) -> int | None:
        """Carry out a request, if its messages are those of an earlier one; its duration in ms, else None."""
        found = self._shapes.get(len(packet))
        if found is None:
            return None
        if self._structure != self._physics.structure:
            self.forget()
            return None
        shape, duration = found
        numbers = shape.read_single(packet)
        if numbers is None:
            return None
        work = zip(shape.calls, numbers)  # noqa: B905 (as many as commands)
        for (call, handler), number in work:
            try:
                if call(number) and handler is not None:
                    handler(number)
            except ValueError as problem:
                self._warn(handler or call, problem)
        return duration

    def _warn(self, handler: Any, problem: ValueError) -> None:
        name = handler.__name__.removeprefix("on_")
        self._robot.warn(f'"{handler.__self__.name}": {name}: {problem}')

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
        self._structure = self._physics.structure
        self._shapes[size] = Shape(parts, calls), request.duration

    def _parts(self, request: Request) -> tuple[list[tuple[bytes, Layout]], list[Call]]:
        """What stands in front of each command, its layout, and who carries it out; nothing if one has not
        just one number."""
        parts: list[tuple[bytes, Layout]] = []
        calls: list[Call] = []
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
                short = device.shortcut(command.name) if device.held is None else None
                calls.append((call, None) if short is None else (short, call))
                front, at = b"", end + layout.least
        return parts, calls

    def forget(self) -> None:
        """Devices or the dialect have changed."""
        self._shapes.clear()
        self._last.clear()
