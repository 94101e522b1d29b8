"""A simulated robot as the robot's end of the link: applies commands, returns samples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from wbridge.hal.link.numbering import LinkChannel, Numbering, Slot
from wbridge.hal.protocol.dialect import R2025A
from wbridge.hal.table import DeviceTable
from wbridge.wbcore.bridge.channel_commands import commands_of, function_name, picture_values, sample_values
from wbridge.wbcore.bridge.sent_pictures import RAW, SentPictures
from wbridge.wbcore.devices import Device
from wbridge.wbcore.devices.image_device import ImageDevice
from wbridge.wbcore.devices.motor import Motor
from wbridge.wbcore.devices.sensor import SLACK_MS
from wbridge.wbcore.robots.robot import Robot


class SimulatedRobot:
    """A `wbridge.hal.link.slave.RobotSide` around a robot of a running simulation.

    The simulation decides when its sensors measure, by the rule that controllers know (see
    `wbridge.wbcore.devices.sensor.Sampling`); samples since the last reply are sent with the next one.
    """

    def __init__(self, robot: Robot, waits: bool, sent: SentPictures = RAW) -> None:
        """
        Args:
            robot: the robot, which must have no controller.
            waits: answer a step of the controller when the simulation has made it; False: answer at once,
                like a robot whose time passes by itself.
            sent: how pictures travel.
        """
        self._sent = sent
        self.robot, self.waits = robot, waits
        self.numbering = Numbering(robot.table)
        self.due: float | None = None
        """Simulated time (ms) at which the step ends that a controller waits for."""
        self._led: dict[int, Motor] = {}
        """The motors that the controller has commanded, by tag."""
        robot.connect(R2025A)
        robot.pictures.is_in_answers = True

    @property
    def table(self) -> DeviceTable:
        """The device table of the robot."""
        return self.robot.table

    # Requests of the controller.

    def set(self, channel: LinkChannel, value: Any) -> None:
        """Execute a command; warn once about one that the simulated device does not support."""
        device = self._device(channel.tag)
        commands = [] if device is None else commands_of(device, channel.name, value)
        if not commands:
            self.robot.warn(f"{channel.label} cannot be set over the robot link")
        for name, values in commands:
            carry_out(self.robot, device, name, values)
        if isinstance(device, Motor):
            self._led |= {motor.tag: motor for motor in device.group}

    def set_period(self, slot: Slot, period: int) -> None:
        """Sample sensors every `period` ms; 0 disables them."""
        name, device = function_name(slot.function), self._device(slot.tag)
        if device is not None:
            if isinstance(device, ImageDevice):
                period = self._sent.period(period)
            carry_out(self.robot, device, name, (period,))
            return
        handler = getattr(self.robot.part("power"), f"on_{name}", None) if slot.tag == 0 else None
        if handler is not None:
            handler(period)

    def step(self, elapsed: int) -> bool:
        """Begin a step."""
        if not self.waits:
            self._stay_awake()
        if not self.waits or elapsed == 0:
            return True
        self.due = self.robot.simulation.time_ms + elapsed
        return False

    def stop(self) -> None:
        """Make all motors hold their positions, as before the first command."""
        self.due = None
        self._led.clear()
        for device in self.robot.devices:
            if isinstance(device, Motor) and device.tag not in self.robot.removed_tags:
                _hold(device)

    def _stay_awake(self) -> None:
        """Wake the bodies that the controller moves.

        In simulation each command wakes them, even one without effect, and most controllers send commands in
        each step. If time passes only in steps, the link transmits all of these commands; otherwise, as for a
        real robot, only changes. A real robot does not fall asleep while its controller steps, so neither
        does this one.
        """
        for tag, motor in self._led.items():
            if tag not in self.robot.removed_tags:
                motor.engine.set_acceleration(
                    motor.engine.acceleration
                )  # wakes the bodies, as every command does

    # Messages to the controller.

    def is_due(self, now: float) -> bool:
        """Return True if the step that a controller waits for has ended at this time (ms)."""
        return self.due is not None and now >= self.due - SLACK_MS

    def read(self, channel: LinkChannel) -> None:
        """Do nothing: samples are sent as events, when the simulation measures them."""

    def events(self) -> Iterable[tuple[LinkChannel, object]]:
        """Return what devices have measured since the last call, in the order of their tags."""
        robot, numbering = self.robot, self.numbering
        robot.samples.spread()
        found: list[tuple[LinkChannel | None, Any]] = []
        for code, values in robot.answer.own:
            if robot.codec.messages[code].name == "battery":
                found.append((numbering.channel(0, "battery"), values[0]))
        robot.answer.own = []
        for tag in sorted(robot.answer.tags):
            found += self._said(robot.devices[tag - 1])
        robot.answer.tags.clear()
        for tag, _, pixels in robot.pictures.take():
            pairs = picture_values(robot.devices[tag - 1], pixels, self._sent)
            found += [(numbering.channel(tag, name), value) for name, value in pairs]
        return [(channel, value) for channel, value in found if channel is not None]

    def _said(self, device: Device) -> list[tuple[LinkChannel | None, object]]:
        mail, device.outbox = device.outbox, []
        found: list[tuple[LinkChannel | None, Any]] = []
        for code, values in mail if device.codec is not None else ():
            message = device.codec.messages[code].name  # type: ignore[union-attr]
            if self.robot.observer is not None:
                self.robot.observer(device.tag, message, values)
            for name, value in sample_values(device, message, values):
                found.append((self.numbering.channel(device.tag, name), value))
        return found

    def time(self) -> int:
        """Simulated time in ms."""
        return round(self.robot.simulation.time_ms)

    def _device(self, tag: int) -> Device | None:
        gone = tag in self.robot.removed_tags
        return self.robot.devices[tag - 1] if 0 < tag <= len(self.robot.devices) and not gone else None


def carry_out(robot: Robot, device: Device | None, name: str, values: tuple[object, ...]) -> None:
    """Execute a controller's command on a simulated device; warn once if it is refused."""
    handler = getattr(device, f"on_{name}", None)
    if device is None or handler is None:
        return
    if robot.observer is not None:
        robot.observer(device.tag, name, values)
    try:
        handler(*values)
    except ValueError as problem:
        robot.warn(f'"{device.name}": {name}: {problem}')


def _hold(motor: Motor) -> None:
    """Hold the current position, with gains and limits as in the world."""
    engine, constants = motor.engine, motor.entry.constants
    engine.reset(engine.position if motor.is_attached else motor.idle_position)
    engine.set_pid(*(abs(gain) for gain in constants["controlPID"]))
    engine.set_acceleration(constants["acceleration"] if constants["acceleration"] >= 0 else -1.0)
