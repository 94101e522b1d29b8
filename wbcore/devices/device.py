"""The base of all simulated devices: commands in, messages out, and hooks for each step."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from wbridge.hal import table
from wbridge.hal.protocol.codec import CONSTANTS, Codec
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import R2025A
from wbridge.hal.protocol.dialect import Dialect as LinkDialect
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.table_constants import camel, wire_constants
from wbridge.wbcore.devices.message_log import MessageLog
from wbridge.wbcore.devices.picture_transfer import PictureTransfer
from wbridge.wbcore.physics.tree import node_path
from wbridge.wbcore.scene.dialect import Dialect
from wbridge.wbcore.scene.dialect import dialect as scene_dialect
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import device_entry
from wbridge.wbcore.scene.tables.rules import Place
from wbridge.wbcore.scene.version import NEWEST

if TYPE_CHECKING:
    from wbridge.wbcore.devices.surroundings import Surroundings
    from wbridge.wbcore.engine import _engine

HARMLESS = ("get_", "enable", "disable")
"""Prefixes of commands that move nothing."""


class DeviceRobot(Protocol):
    """What a device needs from its robot."""

    node: Node

    @property
    def surroundings(self) -> Surroundings:
        """The simulation in which its devices measure and act."""

    @property
    def number(self) -> int:
        """The robot's index, from 0."""

    @property
    def name(self) -> str:
        """The field `name`."""

    @property
    def controller(self) -> str:
        """The field `controller`."""

    @property
    def devices(self) -> Sequence[Device]:
        """All its devices, ordered by tag."""

    @property
    def removed_tags(self) -> set[int]:
        """Tags of devices whose nodes were removed from the world."""

    @property
    def dialect(self) -> LinkDialect:
        """The dialect of the controller protocol that the controller uses."""

    @property
    def has_power(self) -> bool:
        """False if the battery is empty."""

    @property
    def observer(self) -> Callable[[int, str, tuple[object, ...]], object] | None:
        """Called with each command to a device and each message of one: tag, name, values."""

    @property
    def message_log(self) -> MessageLog | None:
        """Gathers messages of devices for observers."""

    @property
    def pictures(self) -> PictureTransfer:
        """The way of images to the controller."""

    def note_messages(self, tag: int) -> None:
        """Note that a device has messages for the next answer."""

    def finish_later(self, end: Callable[[], None]) -> None:
        """End a picture after the running sampling pass or, outside of one, now."""

    def warn(self, text: str) -> None:
        """Issue a warning, once per text."""

    def listen(self, sensor: Any, on: bool) -> None:
        """Note that a sensor was enabled or disabled."""

    def update_step_calls(self) -> None:
        """The set of devices that work in each step has changed."""

    def forget_routine(self) -> None:
        """The same requests may have another meaning now."""


class Device:
    """A simulated device.

    A kind of device handles the command `x` of its codec in a method `on_x(*values)`, which raises a
    ValueError that says what is wrong with the values; `send` sends a message with the next answer. A kind
    that works in each step overrides `before_step` (with the poses before the physics step) or
    `after_step`, and one that needs to follow changes of its node overrides `field_changed`.
    """

    works = True
    """Whether to call `before_step` and `after_step`, in kinds that override them."""
    KEPT: ClassVar[tuple[str, ...]] = ()
    """Names of attributes with plain values that belong to the simulation's state, besides inherited ones."""
    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ()
    """Fields of the node that the device itself changes; fields missing in a release are skipped."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        """
        Args:
            place: the device's position in the tree.
            entry: its row in the robot's device table: name, constants, channels.
            robot: the robot that the device belongs to.
        """
        self.place = place
        self.node = place.node
        self.tag = entry.tag
        self.name = entry.name
        self.entry = entry
        self.robot = robot
        self.codec: Codec | None = None
        self.handlers: dict[int, Callable[..., None]] = {}
        self.held: dict[str, tuple[object, ...]] | None = None
        """While the device is driven by hand: the controller's last commands, by name."""
        self.outbox: list[tuple[int, tuple[object, ...]]] = []
        """Messages for the next answer: code and values."""
        self.use(R2025A)

    def load_ahead(self) -> None:
        """Load modules that the device may need; called at most once, while controllers start slowly."""

    @property
    def simulation(self) -> Surroundings:
        """The simulation that contains the robot."""
        return self.robot.surroundings

    @property
    def path(self) -> str:
        """The node path of the device, for messages."""
        return node_path(self.node)

    def use(self, dialect: LinkDialect) -> None:
        """Use a dialect of the controller protocol."""
        self.codec = codec_of(self.entry.type, dialect)
        commands = self.codec.commands.values() if self.codec is not None else ()
        self.handlers = {
            command.code: handler
            for command in commands
            if (handler := getattr(self, f"on_{command.name}", None)) is not None
        }
        if self.held is not None:
            for command in commands:
                if not command.name.startswith(HARMLESS):
                    self.handlers[command.code] = partial(self._remember, command.name)

    # Driven by hand.

    def hold(self, state: Mapping[str, tuple[object, ...]]) -> None:
        """Store the controller's commands until `release` instead of executing them; queries still work.

        Args:
            state: commands that restore the current state of the device.
        """
        if self.held is None:
            self.held = dict(state)
            self.use(self.robot.dialect)
            self.robot.forget_routine()

    def release(self) -> None:
        """Carry out the controller's last commands, and accept new ones again."""
        if self.held is None:
            return
        held, self.held = self.held, None
        self.use(self.robot.dialect)
        self.robot.forget_routine()
        for name, values in held.items():
            getattr(self, f"on_{name}")(*values)

    def _remember(self, name: str, *values: object) -> None:
        assert self.held is not None, "only held devices store commands"
        self.held.pop(name, None)  # keep the order of arrival
        self.held[name] = values

    # Commands of the controller.

    def take(self, block: bytes) -> None:
        """Execute the commands of a block in order.

        Raises:
            ProtocolError: the rest of the block cannot be decoded; the commands before it are done.
        """
        if self.codec is None:
            raise ProtocolError(f"a command for a device of type {self.entry.type}, which accepts none")
        for command in self.codec.read_commands(block):
            if self.robot.observer is not None:
                self.robot.observer(self.tag, command.name, command.values)
            handler = self.handlers.get(command.code)
            if handler is None:
                continue
            try:
                handler(*command.values)
            except ValueError as problem:
                self.robot.warn(f'"{self.name}": {command.name}: {problem}')

    def engine_target(self, command: str) -> tuple[_engine.Motor, bool] | None:
        """Return the engine's motor if the command only sets its target, and whether that is a velocity.

        The engine then sets targets without calling the handler, which is faster. If it clips a target to a
        limit, the handler has to execute the command as well. The result is valid until `physics.structure`
        changes or `robot.forget_routine` is called.
        """
        return None

    def quick_handler(self, command: str) -> Callable[[int], None] | None:
        """Return the handler of a command with an integer if it may be executed within a step.

        It must have the same effect when it is repeated, and neither send messages nor change bodies.
        """
        return None

    # Messages to the controller.

    def send(self, message: str, *values: object) -> None:
        """Send a message of the codec with the next answer."""
        if self.codec is not None:
            self.outbox.append((self.codec.message_codes[message], values))
            self.robot.note_messages(self.tag)

    def send_newest(self, message: str, *values: object) -> None:
        """Send a message, replacing one of the same kind that still waits."""
        if self.codec is not None:
            code = self.codec.message_codes[message]
            self.outbox = [message for message in self.outbox if message[0] != code]
            self.send(message, *values)

    def write_outbox(self, out: bytearray) -> None:
        """Append the pending messages."""
        outbox, self.outbox = self.outbox, []
        if self.codec is not None:
            for code, values in outbox:
                self.codec.write_message(out, self.tag, code, values)
                if self.robot.observer is not None:
                    self.robot.observer(self.tag, self.codec.messages[code].name, values)
                if self.robot.message_log is not None:
                    self.robot.message_log.messages.append((self.tag, self.codec.messages[code].name, values))

    def constants(self) -> dict[str, object]:
        """Constants by codec name that differ from those of the device table."""
        return {}

    def configure(self, out: bytearray) -> None:
        """Append the constants, if any, to the configure packet."""
        values = self._constant_values()
        if self.codec is not None and values is not None:
            self.codec.write_message(out, self.tag, CONSTANTS, values)

    def _constant_values(self) -> tuple[object, ...] | None:
        if self.codec is None or CONSTANTS not in self.codec.messages:
            return None
        own = wire_constants(self.entry.type, self.entry.constants) | self.constants()
        names = self.codec.messages[CONSTANTS].layout.names
        return tuple(own[name] if name in own else self.entry.constants[camel(name)] for name in names)

    def send_constants(self) -> None:
        """Send the constants again with the next answer because some have changed."""
        values = self._constant_values()
        if values is not None:
            self.outbox = [
                (CONSTANTS, values),
                *(message for message in self.outbox if message[0] != CONSTANTS),
            ]
            self.robot.note_messages(self.tag)

    def update_entry(self) -> None:
        """Take the constants of the device table from the current fields."""
        self.entry = device_entry(self.place, self.simulation.world)

    def set_active(self, on: bool) -> None:
        """Set whether the device acts in each step."""
        if self.works != on:
            self.works = on
            self.robot.update_step_calls()

    def set_own_field(self, name: str, value: object) -> None:
        """Write a field that the controller has set, without notifications."""
        if self.node.get(name) != value:
            self.simulation.world.set(self.node, name, value)

    @property
    def conventions(self) -> Dialect:
        """The conventions of the file's release, for example its axes."""
        return self.node.source.dialect if self.node.source is not None else scene_dialect(NEWEST)

    def shown_picture(self, largest: int) -> tuple[int, int, bytes] | None:
        """Return the picture that windows show of the device.

        Args:
            largest: maximum number of columns and rows.

        Returns:
            columns, rows, and rows from the top of 4 bytes per pixel: blue, green, red, unused; None if there
            is none now.
        """
        return None

    # Energy.

    def measure_power(self) -> None:
        """Start measuring what `consumption` needs, because the robot has a battery."""

    def consumption(self) -> float:
        """Return the power used in the last step (W)."""
        return 0.0

    def set_power(self, on: bool) -> None:
        """React to an empty battery (False) or to restored energy (True)."""

    # The state of a simulation.

    def kept_fields(self) -> list[str]:
        """Return the names of the fields that the device itself changes."""
        return [name for name in self.KEPT_FIELDS if name in self.node.spec.fields]

    def save_more(self) -> object:
        """Return state besides `KEPT` and `KEPT_FIELDS`, as a plain value."""
        return None

    def load_more(self, state: Any) -> None:
        """Restore what the kind's own `save_more` returned; physics and fields are restored before."""

    # The phases of a simulation.

    def connect(self) -> None:
        """A controller has connected: drop the requests of the previous one."""
        self.outbox = []

    def before_step(self) -> None:
        """Act on the world before a physics step."""

    def after_step(self) -> None:
        """Observe the world after a physics step, before sensors are sampled."""

    def reset(self) -> None:
        """The simulation was reset: time is 0 again."""

    def field_changed(self, name: str) -> None:
        """React to a change of one of the node's fields during a run."""

    def renewed(self) -> None:
        """Continue with another node after `removed`, because a PROTO instance has a new body."""

    def removed(self) -> None:
        """The device's node has left the world, or the engine was rebuilt."""
