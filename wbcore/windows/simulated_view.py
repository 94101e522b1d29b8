"""A simulated robot for windows: device values, sampling, manual control."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import TYPE_CHECKING, Any

from wbridge.hal import table
from wbridge.hal.catalogue import actuators, kind
from wbridge.wbcore.bridge.channel_commands import commands_of, function_name, sample_values
from wbridge.wbcore.devices import Device
from wbridge.wbcore.devices.brake import Brake
from wbridge.wbcore.devices.connector import Connector
from wbridge.wbcore.devices.led import LED
from wbridge.wbcore.devices.message_log import MessageLog
from wbridge.wbcore.devices.motor import Motor
from wbridge.wbcore.devices.pen import Pen
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.devices.vacuum_gripper import VacuumGripper
from wbridge.wbcore.robots.power import Power
from wbridge.wbcore.robots.window import Window

if TYPE_CHECKING:
    from wbridge.wbcore.robots.robot import Robot

MOST_ELEMENTS = 512
"""Maximum length of the lists that are shown."""
MOST_PACKETS = 20
"""Maximum number of packets logged at once."""
PICTURES_S = 0.1
"""Pictures are read at most this often, in s of real time: they must not slow the run."""
LARGEST_PICTURE = 160
"""Maximum columns and rows of pictures."""
SELDOM = 3
"""Each update contains what moves; one in this many contains everything."""


class SimulatedView:
    """The state of a robot for windows, and the changes they make.

    A sensor that the window enables is sampled as if the controller had enabled it; sensors used by the
    controller are not changed. While the window drives, the controller's commands to actuators are only
    stored, and executed when it gets the robot back.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.is_driven = False
        """A window drives the robot."""
        self.has_controller = False
        self.is_looked_at = False
        self._values: dict[int, dict[str, object]] = {}
        self._enabled: dict[tuple[int, str], int] = {}
        """Sampling periods (ms) set by windows, by tag and function."""
        self._count = -1
        self._motors: list[Motor] = []
        self._lamps: list[LED] = []
        self._switches: list[Brake | Connector | Pen | VacuumGripper] = []
        self._sensing: list[Sensor] = []
        self._names: dict[int, str] = {}
        """Channels of sensors that have one number or vector, by tag."""
        self._resting: dict[int, Mapping[str, object]] = {}
        """States of actuators without motors, by tag."""
        self._settings: dict[str, object] = {}
        self._looks = 0
        """Updates since the last complete one."""
        self._showing: list[Device] = []
        """Devices that may have pictures."""
        self._pictures: dict[int | str, tuple[int, int, bytes]] = {}
        self._next_pictures = 0.0
        window, power = robot.part("window"), robot.part("power")
        assert isinstance(window, Window), "each robot has one window"
        self._window = window
        self._power = power if isinstance(power, Power) and power.has_battery else None

    @property
    def name(self) -> str:
        """Name of the robot."""
        return self.robot.name

    @property
    def number(self) -> int:
        """Number of the robot in its world."""
        return self.robot.number

    # State.

    def look(self, on: bool) -> None:
        """Start or stop collecting what devices send."""
        if on != self.is_looked_at:
            self.is_looked_at = on
            self._values.clear()
            self.renew()
            self.robot.message_log = MessageLog() if on else None

    def forget_values(self) -> None:
        """Discard earlier measurements after a reset."""
        self._values.clear()
        self.renew()

    @property
    def has_enabled(self) -> bool:
        """True if windows have enabled sensors."""
        return bool(self._enabled)

    @property
    def enabled(self) -> frozenset[tuple[int, str, int]]:
        """The sensors that windows have enabled: tags, functions, periods (ms)."""
        return frozenset((*key, period) for key, period in self._enabled.items())

    def sample(self) -> None:
        """Sample sensors after a step, unless a controller does."""
        if not self._enabled or self.has_controller:
            return
        robot = self.robot
        robot.sample()
        robot.samples.spread()
        log = robot.message_log
        for tag in sorted(robot.answer.tags):
            device = robot.devices[tag - 1]
            mail, device.outbox = device.outbox, []
            if log is not None and device.codec is not None:
                log.messages.extend((tag, device.codec.messages[code].name, values) for code, values in mail)
        robot.answer.tags.clear()
        robot.answer.own.clear()

    def values(self) -> dict[str, object]:
        """The complete state: readings, actuators, driver."""
        self.renew()
        return self.news()

    def news(self) -> dict[str, object]:
        """Return the state like `values`, with only readings and motors always current: the rest changes
        rarely and is refreshed now and then to keep the run fast."""
        self._take_heard()
        if self._looks >= SELDOM or self._count != len(self.robot.devices):
            self._look_closely()
        self._looks += 1
        moved = {motor.tag: _motor_state(motor) for motor in self._motors}
        return {"values": self._values, "acts": {**self._resting, **moved}, **self._settings}

    def pictures(self, now: float) -> dict[int | str, tuple[int, int, bytes]]:
        """Return the latest pictures: columns, rows, pixels (see `Device.shown_picture`).

        Those of devices have their tags as keys, those that the controller shows in windows of its own
        "shown:" and the name.

        Args:
            now: real time in s; pictures are at most `PICTURES_S` old.
        """
        if now >= self._next_pictures:
            self._next_pictures = now + PICTURES_S
            shown = {device.tag: device.shown_picture(LARGEST_PICTURE) for device in self._showing}
            self._pictures = {tag: picture for tag, picture in shown.items() if picture is not None}
            self._pictures |= self._window.shown_pictures()
        return self._pictures

    def renew(self) -> None:
        """Make the next update complete."""
        self._looks = SELDOM

    def _look_closely(self) -> None:
        self._keep_enabled()
        robot = self.robot
        if self._count != len(robot.devices):  # devices were added
            self._count = len(robot.devices)
            self._motors = [device for device in robot.devices if isinstance(device, Motor)]
            self._lamps = [device for device in robot.devices if isinstance(device, LED)]
            self._switches = [
                device
                for device in robot.devices
                if isinstance(device, (Brake, Connector, Pen, VacuumGripper))
            ]
            self._showing = [
                device for device in robot.devices if type(device).shown_picture is not Device.shown_picture
            ]
            self._sensing = [device for device in robot.devices if isinstance(device, Sensor)]
        self._looks = 0
        self._resting = {lamp.tag: {"value": lamp.value, "color": lamp.color} for lamp in self._lamps}
        self._resting |= {switch.tag: {"value": switch.setting} for switch in self._switches}
        self._settings = {
            "number": robot.number,
            "periods": {
                sensor.tag: sensor.sampling.period for sensor in self._sensing if sensor.sampling.period > 0
            },
            "own": sorted({tag for tag, _ in self._enabled}),
            "driver": "window" if self.is_driven else "controller" if self.has_controller else "nobody",
            "controller": robot.controller,
            "battery": self._power.energy if self._power is not None else None,
            "customData": str(robot.node.get("customData")),
        }

    def packets(self) -> list[str]:
        """Return packets received since the last call as text; only the newest if there are many."""
        log = self.robot.message_log
        found: list[str] = []
        for tag, name, values in [] if log is None else list(log.messages)[-MOST_PACKETS:]:
            device = self.robot.devices[tag - 1]
            for _, value in sample_values(device, name, values) if name == "packet" else ():
                found += [
                    f"{device.name} <- channel {packet.channel}: {packet_text(packet.data)}"
                    for packet in value
                ]
        return found

    def forget_messages(self) -> None:
        """Discard the messages that have been shown."""
        if self.robot.message_log is not None:
            self.robot.message_log.messages.clear()

    def _take_heard(self) -> None:
        log = self.robot.message_log
        if log is None:
            return
        newest, log.newest = log.newest, {}
        newest.update(self.robot.samples.latest())
        for tag, values in newest.items():
            name = self._names.get(tag)
            if name is not None and tag not in self.robot.removed_tags:
                self._values.setdefault(tag, {})[name] = values[0]
                continue
            device = self._device(tag)
            if isinstance(device, Sensor):
                self._note(device, device.MESSAGE, values)
                if len(values) == 1 and isinstance(values[0], (float, tuple)):
                    for name, _ in sample_values(device, device.MESSAGE, values):
                        self._names[tag] = name
        for tag, name, values in log.messages:
            device = self._device(tag)
            if device is not None and name != "packet":
                self._note(device, name, values)

    def _note(self, device: Device, name: str, values: tuple[object, ...]) -> None:
        for channel, value in sample_values(device, name, values):
            if not isinstance(value, (bytes, bytearray)) and not _is_long(value):
                self._values.setdefault(device.tag, {})[channel] = value

    # Manual control.

    def enable(self, tag: int, channel: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0 leaves it to the controller.

        Raises:
            ValueError: the sensor does not exist.
        """
        device = self._known(tag)
        row = device.entry.channel(channel)
        if row is None or not row.period:
            raise ValueError(f'"{device.name}" has no "{channel}" that can be enabled')
        key = (tag, function_name(row.period))
        set_period = self._setter(key)
        if period:
            self._enabled[key] = period
            set_period(period)
        elif self._enabled.pop(key, None) is not None:
            set_period(0)
            self._values.pop(tag, None)

    def _setter(self, key: tuple[int, str]) -> Callable[[int], None]:
        device = self._known(key[0])
        found: Callable[[int], None] | None = getattr(device, f"on_{key[1]}", None)
        if found is None:
            raise ValueError(f'"{device.name}" cannot be enabled')
        return found

    def _keep_enabled(self) -> None:
        """Enable the windows' sensors again after a controller has disabled them."""
        for key, period in self._enabled.items():
            device = self._device(key[0])
            if isinstance(device, Sensor) and device.sampling.period == 0:
                self._setter(key)(period)

    def drive(self, on: bool) -> bool:
        """Take the robot from its controller or give it back; True if that changed anything."""
        if on == self.is_driven:
            return False
        self.is_driven = on
        for device in self.robot.devices:
            if device.entry.type not in actuators():
                continue
            if on:
                device.hold(_commands(device))
            elif self.has_controller:
                device.release()
            else:
                device.held = None  # the controller sends its own values from now on
                device.use(self.robot.dialect)
        return True

    def set(self, tag: int, channel: str, value: bool | float | None) -> None:
        """Set an actuator; None means an infinite position.

        Raises:
            ValueError: the controller drives, or the actuator or value is invalid.
        """
        if self.has_controller and not self.is_driven:
            raise ValueError(f'the controller drives "{self.robot.name}"; take control first')
        device = self._known(tag)
        given = command_value(device.entry, channel, value)
        for name, values in commands_of(device, channel, given):
            getattr(device, f"on_{name}")(*values)

    def stop(self) -> None:
        """Take control and stop every motor."""
        self.drive(True)
        for device in self.robot.devices:
            if isinstance(device, Motor) and device.tag not in self.robot.removed_tags:
                device.on_set_position(float("inf"))
                device.on_set_velocity(0.0)

    def acknowledge(self) -> None:
        """Do nothing: simulated robots have no board that fails."""

    def leave(self) -> None:
        """Disable the windows' sensors and give the robot back; motors stop if it has no controller."""
        if self.is_driven:
            self.stop()
            self.drive(False)
        for key in list(self._enabled):
            if self._device(key[0]) is not None:
                self._setter(key)(0)
        self._enabled.clear()
        self.look(False)

    def set_custom_data(self, text: str) -> None:
        """Set the field `customData`."""
        self.robot.simulation.set_field(self.robot.node, "customData", text)

    # Messages between controller and window.

    def send_to_controller(self, text: str) -> None:
        """Send a message of a window.

        Raises:
            ValueError: too many messages are queued for the controller.
        """
        self._window.send(text)

    def messages_to_window(self) -> list[bytes]:
        """Messages of the controller, without the NUL that ends texts."""
        return [message.removesuffix(b"\0") for message in self._window.take_messages()]

    def _device(self, tag: int) -> Device | None:
        there = 0 < tag <= len(self.robot.devices) and tag not in self.robot.removed_tags
        return self.robot.devices[tag - 1] if there else None

    def _known(self, tag: int) -> Device:
        device = self._device(tag)
        if device is None:
            raise ValueError(f"no device {tag}; the robot has {len(self.robot.devices)}")
        return device


def command_value(entry: table.DeviceEntry, channel: str, value: bool | float | None) -> Any:
    """Convert a window's value to a command value; None means an infinite position.

    Raises:
        ValueError: the actuator or value is invalid.
    """
    row = entry.channel(channel)
    if row is None or row.direction != "act" or entry.type not in actuators():
        raise ValueError(f'"{entry.name}" has no "{channel}" that can be set')
    if value is None and channel != "position":
        raise ValueError(f"{channel}: expected a number")
    return float("inf") if value is None else int(value) if row.type == "i32" else value


def _is_long(value: object) -> bool:
    return isinstance(value, list) and len(value) > MOST_ELEMENTS


def packet_text(data: bytes) -> str:
    """Return a packet in readable form: its text or its first bytes."""
    text = data[:200].removesuffix(b"\0").decode("utf-8", "replace")
    return text if text.isprintable() else f"{len(data)} bytes {data[:16].hex(' ')}"


def _motor_state(device: Motor) -> Mapping[str, object]:
    """The state of a motor."""
    m = device.engine
    by = m.multiplier or 1.0
    position = m.target_position / by
    return {
        "position": position if isfinite(position) else None,
        "velocity": m.target_velocity / by,
        "availableForce": m.available_force,
        "force": m.wanted_force / by if m.force_control else None,
        "at": m.position if device.is_attached else device.idle_position,
    }


def _commands(device: Device) -> dict[str, tuple[object, ...]]:
    """Return the commands, in order, that restore the current state of a device."""
    if isinstance(device, LED):
        return {"set": (device.value,)}
    if not isinstance(device, Motor):
        return {}
    m = device.engine
    by = m.multiplier or 1.0
    made: dict[str, tuple[object, ...]] = {
        "set_available_force": (m.available_force,),
        "set_position": (m.target_position / by,),
        "set_velocity": (m.target_velocity / by,),
    }
    if m.force_control:
        made["set_force"] = (m.wanted_force / by,)
    return made


def table_data(of: table.DeviceTable) -> dict[str, object]:
    """Return a device table as plain data, with everything that pages need to draw devices.

    In addition to its row, a device has the kind of control ("actuator"), and a channel its label, its unit
    and its minimum and maximum ("range", null without limits), as in the catalogue.
    """
    data = of.to_data()
    for entry, device in zip(of.devices, data["devices"], strict=True):
        known = kind(entry.type)
        device["actuator"] = known.actuator if known is not None else ""
        motion = _motion(entry, of)
        for channel in device["channels"]:
            spec = known.channel(channel["name"]) if known is not None else None
            channel["unit"] = spec.unit_for(motion) if spec is not None else ""
            channel["label"] = spec.label if spec is not None else channel["name"]
            channel["range"] = _finite(spec.range_for(entry.constants)) if spec is not None else None
    return data


def _motion(device: table.DeviceEntry, of: table.DeviceTable) -> str:
    """Return the kind of motion of a device; if its table does not define it, that of its motor."""
    motor = of.device(int(device.constants.get("motor", 0)) or -1)
    for part in (device, motor):
        known = kind(part.type) if part is not None else None
        if part is not None and known is not None and (found := known.motion(part.constants)):
            return found
    return ""


def _finite(limits: tuple[float, float] | None) -> tuple[float, float] | None:
    return limits if limits is not None and all(map(isfinite, limits)) else None
