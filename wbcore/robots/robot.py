"""A robot of a simulation: its devices, its own commands, and the answers to its controller."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.configure import (
    CONFIGURE,
    NEW_DEVICES,
    Entry,
    RobotInfo,
    write_new_devices,
    write_own,
    write_robot,
)
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import Request
from wbridge.hal.protocol.supervisor import robot_codec
from wbridge.wbcore.devices import Device, device_class
from wbridge.wbcore.devices.message_log import MessageLog
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.robots.parts import OUTLASTING, Part, SupervisorPart, ranks
from wbridge.wbcore.robots.routine import RoutineRequests
from wbridge.wbcore.robots.samples import Samples
from wbridge.wbcore.robots.window_fields import is_shown, plugin_of
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.tables.device_tables import device_places, device_table

if TYPE_CHECKING:
    from wbridge.hal.table import DeviceEntry
    from wbridge.wbcore.devices.surroundings import Surroundings
    from wbridge.wbcore.robots.interfaces import RobotSimulation
    from wbridge.wbcore.robots.routine import QuickCommand, Target
    from wbridge.wbcore.tables.rules import Place
    from wbridge.wbcore.world.chargers import Battery

__all__ = ["Robot"]

_LOG = logging.getLogger(__name__)

PARTS = ("inputs", "power", "robot_commands", "window")
"""Modules of this package that handle the robot's own commands; supervisors have one more part."""

MOST_WARNINGS = 100
"""Different warnings about one robot: a controller that sends invalid data could cause any number."""


class Robot:
    """A robot: its devices by tag, and its exchange with its controller.

    `take` carries out a request, `sample` lets due sensors measure, `write_answer` appends what
    the controller has to know. The connection to the controller (wbridge.wbcore.controllers) calls them in
    the order of a step.
    """

    battery: Battery
    """Set by wbridge.wbcore.robots.power."""
    surroundings: Surroundings
    """The simulation that its devices measure and act in; None outside of a simulation."""

    def __init__(
        self,
        simulation: RobotSimulation,
        node: Node,
        number: int,
        surroundings: Surroundings | None = None,
        make_supervisor: Callable[[Robot], SupervisorPart] | None = None,
    ) -> None:
        """
        Args:
            simulation: the running simulation.
            node: the robot's built-in node.
            number: the robot's index, from 0.
            surroundings: the simulation in which its devices measure and act; None: they do neither.
            make_supervisor: creates the supervisor part; None: the robot cannot be a supervisor.
        """
        self.simulation = simulation
        if surroundings is not None:
            self.surroundings = surroundings
        self._make_supervisor = make_supervisor
        self.supervisor: SupervisorPart | None = None
        """The part that answers a supervisor's requests."""
        self.on_step_calls_changed: Callable[[], object] = _ignore
        """Called when the set of devices that work in each step has changed."""
        self.node = node
        self.number = number
        self.dialect: Dialect = R2025A
        self.codec: Codec = robot_codec(R2025A)
        self.with_messages: set[int] = set()
        """Tags of devices with messages for the controller."""
        self.outbox: list[tuple[int, tuple[Any, ...]]] = []
        self.sent_time = -1.0
        self.observer: Callable[[int, str, tuple[Any, ...]], object] | None = None
        """Called with each command to a device and each message of one: tag, name, values."""
        self.message_log: MessageLog | None = None
        """Gathers the messages of devices for observers."""
        self.warned: set[str] = set()
        self.has_power = True
        """False if the battery is empty: sensors do not measure, motors do not drive."""
        self.is_remote = False
        """True while the controller drives a real robot: sensors are not sampled."""
        self.picture_folder: Path | None = None
        """The folder of image files shared with the controller; None: the system's temporary folder."""
        self.takes_pictures = False
        """Whether images are sent in the answers (over TCP) instead of through files."""
        self.pictures: list[tuple[int, int, bytes]] = []
        """Images for the next answer: tag, code, pixels."""
        self.samples = Samples(self)
        self.questions: dict[bytes, Callable[[], bytes | None]] = {}
        """Requests with a single query, and the function that writes the answer; None: parse the request."""
        self._routine = RoutineRequests(self)
        self._supervisor_changed = False
        self.parts: list[Part] = []
        self.devices: list[Device] = []
        self.removed_tags: set[int] = set()
        """Tags of devices whose nodes were removed from the world."""
        self.new_devices: list[Device] = []
        """Devices that were not announced to the controller yet."""
        self._make()

    def _make(self) -> None:
        places = device_places(self.node)
        self.table = table = device_table(self.node, self.simulation.world, places)
        self.devices = [
            self.make_device(place, entry) for place, entry in zip(places, table.devices, strict=True)
        ]
        self.parts = [import_module(f"wbridge.wbcore.robots.{name}").make(self) for name in PARTS]
        if self.is_supervisor:
            self._become_supervisor()
        self.use(self.dialect)
        self.update_step_calls()

    def make_device(self, place: Place, entry: DeviceEntry) -> Device:
        """Return the device at a place, with its entry of the device table."""
        return device_class(place.model_class or entry.type)(place, entry, self)

    def update_step_calls(self) -> None:
        """Collect the devices and parts that act in each step; called whenever that changes."""
        everyone: list[Device | Part] = [*self.parts, *self.devices]
        workers = [worker for worker in everyone if worker.works]
        self.find_samplers()
        self.beginners = [part.begin_step for part in self.parts if _overrides(part, "begin_step")]
        """Calls at the start of a step, for all robots before any device acts."""
        self.before = [worker.before_step for worker in workers if _overrides(worker, "before_step")]
        """Calls before the physics step."""
        self.after = [worker.after_step for worker in workers if _overrides(worker, "after_step")]
        """Calls after the physics step."""
        self.on_step_calls_changed()
        self.forget_routine()

    def find_samplers(self) -> None:
        """Only parts with messages are called when a step ends; they report when that changes."""
        sampled = [part for part in self.parts if part.is_sampled]
        self._samplers = [part.sample for part in sampled if _overrides(part, "sample")]

    @property
    def name(self) -> str:
        """The field `name`."""
        return str(self.node.get("name"))

    @property
    def path(self) -> str:
        """The node path of the robot, for messages."""
        return node_path(self.node)

    @property
    def is_supervisor(self) -> bool:
        """True if the controller may read and change the whole world."""
        return bool(self.table.robot.constants["supervisor"])

    @property
    def controller(self) -> str:
        """The field `controller`."""
        return str(self.node.get("controller"))

    @property
    def is_synchronous(self) -> bool:
        """True if the simulation waits for the controller's steps."""
        return bool(self.node.get("synchronization"))

    def device(self, name: str) -> Device | None:
        """Return the first device with a name, as `wb_robot_get_device` does."""
        return next((device for device in self.devices if device.name == name), None)

    def part(self, name: str) -> Part | None:
        """Return a part by the name of its module."""
        return next((part for part in self.parts if part.__module__.endswith(f".{name}")), None)

    def warn(self, text: str) -> None:
        """Log a warning about the robot once; their number is limited."""
        if text in self.warned or len(self.warned) > MOST_WARNINGS:
            return
        self.warned.add(text)
        if len(self.warned) > MOST_WARNINGS:
            text = f"stopped after {MOST_WARNINGS} warnings; later ones are not shown"
        _LOG.warning('warning: robot "%s": %s', self.name, text)

    def use(self, dialect: Dialect) -> None:
        """Use a dialect of the controller protocol."""
        self.dialect = dialect
        self.codec = robot_codec(dialect)
        for device in self.devices:
            device.use(dialect)
        handlers: dict[int, Callable[..., None]] = {}
        for part in self.parts:
            handlers |= part.handlers(self.codec)
        self._handlers = handlers
        self._ranks = ranks(self.codec)
        self._time_code = self.codec.message_codes["time"]
        self.forget_routine()

    def forget_routine(self) -> None:
        """Devices or the dialect have changed: earlier packets are no pattern any more."""
        self._routine.forget()
        self.samples.forget()

    # Commands of the controller.

    def connect(self, dialect: Dialect) -> None:
        """A controller has connected: devices are off, and it has the rights that the field `supervisor`
        says."""
        if self._supervisor_changed:
            self._follow_supervisor()
        self.use(dialect)
        self.outbox, self.sent_time, self.is_remote = [], -1.0, False
        self.pictures = []
        self.with_messages.clear()
        self.samples.clear()
        for part in self.parts:
            part.connect()
        for device in self.devices:
            device.connect()
        self.with_messages.clear()

    def _follow_supervisor(self) -> None:
        """The field `supervisor` was changed: it decides the rights of the next controller."""
        self._supervisor_changed = False
        table = device_table(self.node, self.simulation.world)
        self.table = self.table._replace(robot=table.robot)
        if self.is_supervisor and self.supervisor is None:
            self._become_supervisor()
        elif self.supervisor is not None and not self.is_supervisor:
            self.supervisor.leave()
            self.parts.remove(self.supervisor)
            self.supervisor = None
        self.update_step_calls()

    def _become_supervisor(self) -> None:
        assert self._make_supervisor is not None, "there is a world to supervise"
        self.supervisor = self._make_supervisor(self)
        self.parts.append(self.supervisor)

    def take_routine(self, packet: bytes) -> int | None:
        """Carry out a request like an earlier one; its duration in ms, or None if it has to be parsed."""
        return self._routine.take(packet) if self.observer is None else None

    def learn_routine(self, size: int, request: Request) -> None:
        """Make `take_routine` recognize requests like this one, of this size in bytes."""
        self._routine.learn(size, request)

    def answer_question(self, packet: bytes) -> bytes | None:
        """The answer to a request with a single known query, if no other message waits."""
        ask = self.questions.get(packet)
        if ask is None or self.outbox or self.with_messages or self.samples.waits or self.new_devices:
            return None
        if self.pictures or self.observer is not None or self.simulation.time_ms != self.sent_time:
            return None
        return ask()

    def take(self, request: Request) -> None:
        """Carry out the commands of a request, in their order; what cannot be decoded is skipped with
        a warning."""
        for tag, block in request.blocks:
            try:
                if tag == 0:
                    self._take_own(block)
                elif tag <= len(self.devices):
                    if tag not in self.removed_tags:
                        self.devices[tag - 1].take(block)
                else:
                    raise ProtocolError(f"received a command for device {tag}; there are {len(self.devices)}")
            except ProtocolError as problem:
                self.warn(f"the controller sent data that cannot be decoded: {problem}")

    def _take_own(self, block: bytes) -> None:
        for command in self.codec.read_commands(block):
            handler = self._handlers.get(command.code)
            if handler is None:
                self.warn(f'the command "{command.name}" is not supported and was ignored')
                continue
            try:
                handler(*command.values)
            except ValueError as problem:
                self.warn(f"{command.name}: {problem}")

    # Messages to the controller.

    def send(self, message: str, *values: Any) -> None:
        """Send a message of the robot itself with the next answer."""
        self.outbox.append((self.codec.message_codes[message], values))

    def send_newest(self, message: str, *values: Any) -> None:
        """Send a message, replacing one of the same kind that still waits."""
        code = self.codec.message_codes[message]
        self.outbox = [message for message in self.outbox if message[0] != code]
        self.outbox.append((code, values))

    def write_configuration(self, out: bytearray) -> None:
        """Append the configure packet: robot, supervisor, constants of all devices."""
        out += b"\0\0" + bytes([CONFIGURE])
        write_robot(out, self._info(), self.dialect)
        if self.supervisor is not None:
            out += b"\0\0" + bytes([CONFIGURE])
            write_own(out, self.supervisor.own_node())
        for device in self.devices:
            device.configure(out)

    def _info(self) -> RobotInfo:
        simulation = self.simulation
        return RobotInfo(
            name=self.name,
            version=self.dialect.name if self.dialect.name_first else "",
            supervisor=self.is_supervisor,
            synchronization=self.is_synchronous,
            devices=tuple(self.entries(self.devices)),
            time=simulation.time_ms / 1000,
            basic_time_step=simulation.step_s * 1000,
            project_path=str(simulation.world.project),
            world_path=os.path.abspath(simulation.world.path),
            model=str(self.node.get("model")),
            window_library=plugin_of(self.node, simulation.world.project),
            remote_library=self.remote_control,
            controller=self.controller,
            custom_data=str(self.node.get("customData")),
            show_window=is_shown(self.node),
            html_window=True,
            simulation_mode=simulation.mode,
        )

    @property
    def remote_control(self) -> str:
        """The library's path or the name in the field `remoteControl`; "" if empty."""
        name = str(self.node.get("remoteControl"))
        if name in ("", "void", "<none>"):
            return ""
        folder = self.simulation.world.project / "plugins" / "remote_controls" / name
        library = folder / f"lib{name}.so"
        return str(library) if library.is_file() else name

    def entries(self, devices: list[Device]) -> list[Entry]:
        """Return list entries of devices; a type that the dialect lacks is replaced by its base type."""
        return [
            Entry(
                device.entry.type if codec_of(device.entry.type) else "Solid", device.name, device.entry.model
            )
            for device in devices
        ]

    def routine_packet(self, now: float) -> bytes | None:
        """Return the whole answer for a local connection at this time (ms) if it contains only the time and
        values read by the engine; otherwise None."""
        if (
            self.outbox
            or self.with_messages
            or self.new_devices
            or self.pictures
            or self.observer is not None
        ):
            return None
        packet = self.samples.packet(now / 1000) if now != self.sent_time else None
        if packet is not None:
            self.sent_time = now
        return packet

    @property
    def is_plain(self) -> bool:
        """True if the controller gets nothing but samples when a step ends, and there is no observer."""
        if self.outbox or self.with_messages or self.new_devices or self.pictures or self._samplers:
            return False
        return not (self.observer or self.message_log or self.is_remote) and self.has_power

    def quick_commands(self) -> list[QuickCommand]:
        """The commands with an integer that may be executed within a step; valid as long as the targets."""
        return self._routine.quick_commands()

    def plain_targets(self) -> list[Target]:
        """The commands that only set a target in the engine; the same list as long as they hold."""
        return self._routine.targets()

    def routine_answer(self, now: float | None = None) -> bytes | None:
        """Return what `write_answer` would append if it is only the time and values of plain sensors.

        Args:
            now: time in ms; default: the simulation's.
        """
        if not self.samples.waits or self.with_messages or self.outbox:
            return None
        if self.new_devices or self.pictures or self.observer is not None:
            return None
        if now is None:
            now = self.simulation.time_ms
        data = self.samples.write((now / 1000,) if now != self.sent_time else ())
        if data is not None:
            self.sent_time = now
        return data

    def write_answer(self, out: bytearray) -> None:
        """Append everything for the controller: time, the robot's own messages, those of the devices."""
        now = self.simulation.time_ms
        is_new = now != self.sent_time
        self.samples.spread()
        if is_new:
            self.sent_time = now
            self.codec.write_message(out, 0, self._time_code, (now / 1000,))
        late: list[tuple[int, tuple[Any, ...]]] = []
        if self.outbox:
            mail, self.outbox = sorted(self.outbox, key=lambda message: self._ranks[message[0]]), []
            for code, values in mail:
                if self._ranks[code] < 0.5:
                    self.codec.write_message(out, 0, code, values)
                else:
                    late.append((code, values))
        if self.new_devices:
            self._write_newcomers(out)
        if self.with_messages:
            for tag in sorted(self.with_messages):
                self.devices[tag - 1].write_outbox(out)
            self.with_messages.clear()
        for code, values in late:
            self.codec.write_message(out, 0, code, values)

    def _write_newcomers(self, out: bytearray) -> None:
        """Append the list of new devices and their constants."""
        new, self.new_devices = self.new_devices, []
        out += b"\0\0" + bytes([NEW_DEVICES])
        write_new_devices(out, tuple(self.entries(new)), self.dialect)
        for device in new:
            device.configure(out)

    # The phases of a simulation.

    def listen(self, sensor: Sensor, on: bool) -> None:
        """Note that a sensor was enabled or disabled."""
        self.samples.listen(sensor, on)

    def sample(self, now: float | None = None) -> None:
        """Sample the sensors that are due, in the order of tags; `now` is in ms (default: simulated time)."""
        if now is None:
            now = self.simulation.time_ms
        for sample in self._samplers:
            sample(now)
        if self.has_power:
            self.samples.sample(now)

    def finish_later(self, end: Callable[[], None]) -> None:
        """End a picture after the running sampling pass or, outside of one, now."""
        self.samples.finish_later(end)

    def leave(self) -> None:
        """React to the removal of the robot's node."""
        for part in self.parts:
            part.leave()
        for device in self.devices:
            device.removed()

    def field_changed(self, name: str) -> None:
        """React to a change of one of the robot node's fields during a run."""
        if name == "customData":
            self.send_newest("custom_data", str(self.node.get(name)))
        elif name == "model":
            self.send_newest("model", str(self.node.get(name)))
        elif name == "supervisor":
            self._supervisor_changed = True
            self.send_newest("supervisor", bool(self.node.get(name)))
        for part in self.parts:
            part.field_changed(name)
        for device in self.devices:
            if device.node is self.node:
                device.field_changed(name)

    def reset(self) -> None:
        """The simulation was reset."""
        kept = {self.codec.message_codes[name] for name in OUTLASTING}
        self.outbox, self.sent_time = [message for message in self.outbox if message[0] in kept], -1.0
        self.with_messages.clear()
        self.samples.drop()
        for part in self.parts:
            part.reset()
        for device in self.devices:
            device.reset()


def _ignore() -> None:
    """No host is notified."""


def _overrides(worker: Device | Part, method: str) -> bool:
    base = Device if isinstance(worker, Device) else Part
    return getattr(type(worker), method) is not getattr(base, method)
