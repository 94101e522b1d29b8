"""Recognizes requests that repeat an earlier one, without decoding each command.

A controller's requests differ mostly in their numbers. A request with the same commands as an earlier one is
unpacked in one operation (see wbridge.hal.protocol.shape); the engine executes one that only sets motor
targets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from wbridge.hal.protocol.layout import Layout
from wbridge.hal.protocol.packet import Request, block_head, request_head
from wbridge.hal.protocol.shape import Shape
from wbridge.wbcore.engine import _engine

if TYPE_CHECKING:
    from wbridge.wbcore.devices.device import Device
    from wbridge.wbcore.robots.robot import Robot

MOST = 64
"""Limit of stored shapes: a controller that varies its requests must not fill the memory."""


class Step(NamedTuple):
    """One command of a request."""

    head: bytes
    """The bytes before its number."""
    layout: Layout
    device: Device
    name: str
    handler: Callable[..., None]


class Known(NamedTuple):
    """A request pattern that may repeat."""

    shape: Shape
    steps: list[Step]
    duration: int
    motors: _engine.MotorPacket | None
    """Carries it out, if it only sets targets."""


class Target(NamedTuple):
    """A command that only sets a motor's target."""

    tag: int
    code: int
    motor: _engine.Motor
    is_velocity: bool


class QuickCommand(NamedTuple):
    """A command with an integer that may be executed within a step."""

    tag: int
    code: int
    handler: Callable[[int], None]


class RoutineRequests:
    """Executes requests in which each command has one number."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        self._physics = robot.simulation.physics
        self._structure = -1
        self._known: dict[int, Known] = {}
        self._last: dict[int, list[tuple[int, int]]] = {}
        self._targets: list[Target] | None = None
        self._targets_structure = -1
        self.questions: dict[bytes, Callable[[], bytes | None]] = {}
        """Requests with a single query, and the function that writes the answer; None: parse the request."""

    def take(self, packet: bytes) -> int | None:
        """Execute a request with a known pattern; return its duration in ms, or None."""
        found = self._known.get(len(packet))
        if found is None or self._robot.observer is not None:
            return None
        if self._structure != self._physics.structure:
            self.forget()
            return None
        shape, steps, duration, motors = found
        # Clamped targets and invalid numbers take the slow path, which reports them.
        if motors is not None and motors.take(packet) == ():
            return duration
        numbers = shape.read_single(packet)
        if numbers is None:
            return None
        for step, number in zip(steps, numbers, strict=True):
            try:
                step.handler(number)
            except ValueError as problem:
                self._robot.warn(f'"{step.device.name}": {step.name}: {problem}')
        return duration

    def learn(self, size: int, request: Request) -> None:
        """Note the messages of a request that was decoded; `size` is that of its packet."""
        blocks = [(tag, len(data)) for tag, data in request.blocks]
        if self._last.get(size) != blocks:  # cache only patterns that occur twice in a row
            if len(self._last) >= MOST:
                self._last.clear()
            self._last[size] = blocks
            return
        steps = self._steps(request)
        if not steps:
            return
        if len(self._known) >= MOST:
            self._known.clear()
        steps[0] = steps[0]._replace(head=request_head(size, request.duration) + steps[0].head)
        self._structure = self._physics.structure
        shape = Shape([(step.head, step.layout) for step in steps])
        self._known[size] = Known(shape, steps, request.duration, _motor_packet(steps))

    def _steps(self, request: Request) -> list[Step]:
        """Return the commands of a request; empty if one does not have exactly one number."""
        steps: list[Step] = []
        for tag, data in request.blocks:
            devices = self._robot.devices
            device = (
                devices[tag - 1] if 0 < tag <= len(devices) and tag not in self._robot.removed_tags else None
            )
            if device is None or device.codec is None or not data:
                return []
            front, at = block_head(tag, len(data)), 0
            for command in device.codec.read_commands(data):
                layout = device.codec.commands[command.code].layout
                handler = device.handlers.get(command.code)
                if handler is None or layout.is_vector or len(layout.flat or "") != 1:
                    return []
                end = at + device.codec.head.size
                steps.append(Step(front + data[at:end], layout, device, command.name, handler))
                front, at = b"", end + layout.least
        return steps

    def forget(self) -> None:
        """Drop all patterns after a change of devices or dialect."""
        self._known.clear()
        self._last.clear()
        self._targets = None

    def targets(self) -> list[Target]:
        """The commands that only set a target in the engine, by tag and code; the same list until
        something about them changes."""
        if self._targets is None or self._targets_structure != self._physics.structure:
            self._targets_structure = self._physics.structure
            self._targets = [*self._find_targets()]
        return self._targets

    def _find_targets(self) -> Iterator[Target]:
        for device, code, name, layout in self._plain_commands():
            target = device.engine_target(name) if layout.flat == "d" else None
            if target is not None:
                yield Target(device.tag, code, *target)

    def quick_commands(self) -> list[QuickCommand]:
        """The commands with an integer that devices execute within a step, by tag and code."""
        return [
            QuickCommand(device.tag, code, handler)
            for device, code, name, layout in self._plain_commands()
            if layout.flat == "i" and (handler := device.quick_handler(name)) is not None
        ]

    def _plain_commands(self) -> Iterator[tuple[Device, int, str, Layout]]:
        """Yield device, code, name and layout of the commands of devices that their controller drives."""
        for device in self._robot.devices:
            if device.codec is None or device.held is not None or device.tag in self._robot.removed_tags:
                continue
            for code, command in sorted(device.codec.commands.items()):
                yield device, code, command.name, command.layout


def _motor_packet(steps: list[Step]) -> _engine.MotorPacket | None:
    """Return the engine's executor of these commands, or None unless all set motor targets."""
    if any(step.device.held is not None for step in steps):
        return None  # driven by hand
    targets = [step.device.engine_target(step.name) if step.layout.flat == "d" else None for step in steps]
    found = [target for target in targets if target is not None]
    if len(found) < len(steps):
        return None
    frame, places = bytearray(), []
    for step in steps:
        frame += step.head
        places.append(len(frame))
        frame += bytes(step.layout.least)
    return _engine.MotorPacket(
        bytes(frame), places, [target for target, _ in found], [target for _, target in found]
    )
