"""A robot of a simulation: its devices, its own commands, and the answers to its controller."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.configure import CONFIGURE, Entry, RobotInfo, write_own, write_robot
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import Dialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import Request
from wbridge.hal.table import DeviceEntry
from wbridge.wbcore.devices import Device, device_class
from wbridge.wbcore.devices.message_log import MessageLog
from wbridge.wbcore.devices.picture_transfer import PictureTransfer
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.robots.answer import Answer
from wbridge.wbcore.robots.own_commands import OwnCommands
from wbridge.wbcore.robots.parts import Part, Supervision, SupervisorPart
from wbridge.wbcore.robots.routine import RoutineRequests
from wbridge.wbcore.robots.samples import Samples
from wbridge.wbcore.robots.step_calls import RobotCalls
from wbridge.wbcore.robots.window_fields import is_shown, plugin_of
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_places, device_table
from wbridge.wbcore.scene.tables.rules import Place

if TYPE_CHECKING:
    from wbridge.wbcore.devices.surroundings import Surroundings
    from wbridge.wbcore.robots.interfaces import RobotSimulation
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
        self._supervision = Supervision(partial(make_supervisor, self) if make_supervisor else None)
        self.node = node
        self.number = number
        self.commands = OwnCommands(self.warn)
        self.answer = Answer(self)
        self.pictures = PictureTransfer()
        self.observer: Callable[[int, str, tuple[object, ...]], object] | None = None
        """Called with each command to a device and each message of one: tag, name, values."""
        self.message_log: MessageLog | None = None
        """Gathers the messages of devices for observers."""
        self.warned: set[str] = set()
        self.has_power = True
        """False if the battery is empty: sensors do not measure, motors do not drive."""
        self.is_remote = False
        """True while the controller drives a real robot: sensors are not sampled."""
        self.samples = Samples(self)
        self.routine = RoutineRequests(self)
        self.step_calls = RobotCalls()
        self.removed_tags: set[int] = set()
        """Tags of devices whose nodes were removed from the world."""
        self.devices: list[Device] = []
        self.parts: list[Part] = []
        places = device_places(node)
        self.table = table = device_table(node, simulation.world, places)
        self.devices += [
            self.make_device(place, entry) for place, entry in zip(places, table.devices, strict=True)
        ]
        self.parts += [import_module(f"wbridge.wbcore.robots.{name}").make(self) for name in PARTS]
        self._supervision.set(self.is_supervisor, self.parts)
        self.use(self.dialect)
        self.update_step_calls()

    def make_device(self, place: Place, entry: DeviceEntry) -> Device:
        """Return the device at a place, with its entry of the device table."""
        return device_class(place.model_class or entry.type)(place, entry, self)

    def update_step_calls(self) -> None:
        """Collect the devices and parts that act in each step; called whenever that changes."""
        self.step_calls.collect(self.parts, self.devices)
        self.forget_routine()

    @property
    def name(self) -> str:
        """The field `name`."""
        return str(self.node.get("name"))

    @property
    def path(self) -> str:
        """The node path of the robot, for messages."""
        return node_path(self.node)

    @property
    def dialect(self) -> Dialect:
        """The dialect of the controller protocol that the controller uses."""
        return self.commands.dialect

    @property
    def codec(self) -> Codec:
        """Commands and messages of the robot itself, in this dialect."""
        return self.commands.codec

    @property
    def questions(self) -> dict[bytes, Callable[[], bytes | None]]:
        """Requests with a single query, and the function that writes the answer."""
        return self.routine.questions

    @property
    def is_supervisor(self) -> bool:
        """True if the controller may read and change the whole world."""
        return bool(self.table.robot.constants["supervisor"])

    @property
    def supervisor(self) -> SupervisorPart | None:
        """The part that answers a supervisor's requests."""
        return self._supervision.part

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
        for device in self.devices:
            device.use(dialect)
        self.commands.use(dialect)
        for part in self.parts:
            self.commands.handlers |= part.handlers(self.codec)
        self.forget_routine()

    def forget_routine(self) -> None:
        """Devices or the dialect have changed: earlier packets are no pattern any more."""
        self.routine.forget()
        self.samples.forget()

    # Commands of the controller.

    def connect(self, dialect: Dialect) -> None:
        """A controller has connected: devices are off, and it has the rights that the field `supervisor`
        says."""
        if self._supervision.has_changed:
            table = device_table(self.node, self.simulation.world)
            self.table = self.table._replace(robot=table.robot)
            self._supervision.set(self.is_supervisor, self.parts)
            self.update_step_calls()
        self.use(dialect)
        self.is_remote = False
        self.pictures.waiting = []
        self.answer.connect()
        self.samples.clear()
        for part in self.parts:
            part.connect()
        for device in self.devices:
            device.connect()
        self.answer.tags.clear()

    def take(self, request: Request) -> None:
        """Carry out the commands of a request, in their order; what cannot be decoded is skipped with
        a warning."""
        for tag, block in request.blocks:
            try:
                if tag == 0:
                    self.commands.take(block)
                elif tag <= len(self.devices):
                    if tag not in self.removed_tags:
                        self.devices[tag - 1].take(block)
                else:
                    raise ProtocolError(f"received a command for device {tag}; there are {len(self.devices)}")
            except ProtocolError as problem:
                self.warn(f"the controller sent data that cannot be decoded: {problem}")

    # Messages to the controller.

    def send(self, message: str, *values: object) -> None:
        """Send a message of the robot itself with the next answer."""
        self.answer.add(message, *values)

    def send_newest(self, message: str, *values: object) -> None:
        """Send a message, replacing one of the same kind that still waits."""
        self.answer.drop(message)
        self.answer.add(message, *values)

    def drop(self, message: str, matches: Callable[[tuple[object, ...]], bool]) -> None:
        """Drop messages of a kind that still wait, if their values match."""
        self.answer.drop(message, matches)

    def note_messages(self, tag: int) -> None:
        """Note that a device has messages for the next answer."""
        self.answer.tags.add(tag)

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

    @property
    def is_plain(self) -> bool:
        """True if the controller gets nothing but samples when a step ends, and there is no observer."""
        if self.answer.has_messages or self.step_calls.samplers:
            return False
        return not (self.observer or self.message_log or self.is_remote) and self.has_power

    def write_answer(self, out: bytearray) -> None:
        """Append everything for the controller: time, the robot's own messages, those of the devices."""
        self.answer.write(out)

    # The phases of a simulation.

    def listen(self, sensor: Sensor, on: bool) -> None:
        """Note that a sensor was enabled or disabled."""
        self.samples.listen(sensor, on)

    def sample(self, now: float | None = None) -> None:
        """Sample the sensors that are due, in the order of tags; `now` is in ms (default: simulated time)."""
        if now is None:
            now = self.simulation.time_ms
        for sample in self.step_calls.samplers:
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
            self._supervision.has_changed = True
            self.send_newest("supervisor", bool(self.node.get(name)))
        for part in self.parts:
            part.field_changed(name)
        for device in self.devices:
            if device.node is self.node:
                device.field_changed(name)

    def reset(self) -> None:
        """The simulation was reset."""
        self.answer.reset()
        self.samples.drop()
        for part in self.parts:
            part.reset()
        for device in self.devices:
            device.reset()
