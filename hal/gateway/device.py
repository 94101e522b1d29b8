"""What a gateway knows of a robot's devices: their entries, the newest messages, and the lasting commands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from wbridge.hal.catalogue import kind
from wbridge.hal.gateway.calls import CALLS
from wbridge.hal.gateway.host import KEPT
from wbridge.hal.protocol.codec import Codec, Command
from wbridge.hal.protocol.configure import Entry
from wbridge.hal.protocol.devices import codec_of
from wbridge.hal.protocol.dialect import Dialect

DISPLAY, BRAKE = "Display", "Brake"
MOMENTARY = ("set_position", "set_force")
"""Commands of a motor that replace each other; a simulation that goes on without them keeps its own."""
DAMPING, SIBLING, BOTH = 2, 4, 6
"""Commands of a brake: the third combines the others."""
Values = tuple[object, ...]


class GatewayDevice:
    """A device; fields of its messages are attributes, so are messages with one field (`RemoteDevice`)."""

    def __init__(self, tag: int, entry: Entry, codec: Codec) -> None:
        """
        Args:
            tag: its tag.
            entry: node type, name and model.
            codec: of the node type.
        """
        self.tag, self.codec = tag, codec
        self.node_type, self.name, self.model = entry
        self.newest: dict[str, Values] = {}
        """The newest values of each message, by its name in the codec."""
        self.kept: dict[int, Values] = {}
        """The commands of the controller that a robot needs to continue, by code."""
        self.calls = CALLS.get(entry.node_type, {})
        """The commands that plugins carry out, by name."""
        self.is_drawn = entry.node_type == DISPLAY

    def __getattr__(self, name: str) -> object:
        """The newest value with a name.

        Raises:
            AttributeError: none has arrived.
        """
        for message, values in reversed(self.newest.items()):
            names = self.codec.messages[self.codec.message_codes[message]].layout.names
            if name in names:
                return values[names.index(name)]
            if name == message and len(values) == 1:
                return values[0]
        raise AttributeError(f"the {self.node_type} {self.name!r} has received no {name!r}")

    def completed(self, message: str, values: Values) -> Values:
        """The values of a message with the former ones in place of `KEPT`, NaN before the first message."""
        if KEPT not in values:
            return values
        layout = self.codec.messages[self.codec.message_codes[message]].layout
        former = self.newest.get(message)
        if former is None:
            former, _ = layout.read(b"\xff" * layout.least)  # all bits set are NaN
        return tuple(old if new is KEPT else new for new, old in zip(values, former, strict=True))

    def keep(self, command: Command) -> None:
        """Keep a command that sets a state, in place of those that it replaces."""
        if command.name in self.calls:
            for code in _replaced(self.node_type, self.codec, command.name):
                self.kept.pop(code, None)
            self.kept[command.code] = command.values

    def repeated(self, is_lasting: bool) -> list[Command]:
        """The commands to repeat, in the order of their codes; `is_lasting`: without momentary ones."""
        names = {code: self.codec.commands[code].name for code in self.kept}
        commands = [Command(code, names[code], self.kept[code]) for code in sorted(self.kept)]
        return [command for command in commands if not (is_lasting and command.name in MOMENTARY)]


class GatewayDevices(list["GatewayDevice | None"]):
    """Devices by tag, starting at 1. Tag 0 and devices of unknown node types are None."""

    def __init__(self) -> None:
        super().__init__([None])

    def reset(self) -> None:
        """Remove all devices."""
        self[:] = [None]

    def add(self, entries: tuple[Entry, ...], dialect: Dialect) -> None:
        """Append devices."""
        for entry in entries:
            codec = codec_of(entry.node_type, dialect)
            self.append(None if codec is None else GatewayDevice(len(self), entry, codec))

    def device(self, tag: int) -> GatewayDevice | None:
        """The device with a tag, or None."""
        return self[tag] if 0 < tag < len(self) else None

    def known(self) -> list[GatewayDevice]:
        """All devices of known node types."""
        return [device for device in self if device is not None]


@cache
def _replaced(node_type: str, codec: Codec, command: str) -> tuple[int, ...]:
    """Codes of the commands that a command replaces: the other position of a switch, the other target."""
    known = kind(node_type)
    groups = [channel.command for channel in known.channels] if known is not None else []
    others = {name for group in (*groups, MOMENTARY) if command in group for name in group}
    return tuple(codec.command_codes[name] for name in others - {command} if name in codec.command_codes)


def parts_of(node_type: str, commands: Iterable[Command]) -> list[Command]:
    """Commands, with the two in place of the one that combines them."""
    if node_type != BRAKE:
        return [*commands]
    parts: list[Command] = []
    for command in commands:
        if command.code == BOTH:
            parts.append(Command(DAMPING, "set_damping_constant", command.values[:1]))
            parts.append(Command(SIBLING, "get_sibling", command.values[1:]))
        else:
            parts.append(command)
    return parts
