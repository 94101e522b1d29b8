"""Codecs: the commands and messages of one kind of device, each with its code and its layout."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hal.protocol.errors import ProtocolError
from hal.protocol.layout import Layout

__all__ = ["Codec", "Command", "Message", "by_code"]

ENABLE = 1
"""The command that sets the sampling period of a sensor, in ms; 0 turns it off."""
CONSTANTS = 0
"""The message with the constants of a device."""


class Message:
    """One kind of message: its code, its name and the values in it."""

    def __init__(self, code: int, name: str, layout: str | Layout = "") -> None:
        self.code, self.name = code, name
        self.layout = layout if isinstance(layout, Layout) else Layout(layout)

    def __repr__(self) -> str:
        return f"<{self.name} ({self.code}): {', '.join(self.layout.names)}>"


class Command(NamedTuple):
    """One message with its values."""

    code: int
    name: str
    values: tuple[Any, ...]


def by_code(messages: Iterable[Message]) -> dict[int, Message]:
    """Messages by code."""
    return {one.code: one for one in messages}


class Codec:
    """All messages of one kind of device, or of the robot."""

    def __init__(
        self, *, commands: Sequence[Message] = (), messages: Sequence[Message] = (), wide: bool = False
    ) -> None:
        """
        Args:
            commands: what the controller sends.
            messages: what the simulator sends; the constants are message 0.
            wide: commands have codes of 16 bits (motors).
        """
        self.commands: Mapping[int, Message] = by_code(commands)
        self.messages: Mapping[int, Message] = by_code(messages)
        self.head = struct.Struct("<H" if wide else "<B")
        self.command_codes = {one.name: one.code for one in commands}
        self.message_codes = {one.name: one.code for one in messages}

    def write_command(self, out: bytearray, code: int, values: Sequence[Any]) -> None:
        """Append a command.

        Raises:
            ProtocolError: there is no such command, or the values do not fit.
        """
        layout = self._layout(self.commands, code, "command")
        start = len(out)
        out += self.head.pack(code)
        try:
            layout.write(out, values)
        except ProtocolError:
            del out[start:]
            raise

    def read_commands(self, block: bytes) -> Iterator[Command]:
        """The commands of a block, in their order.

        Raises:
            ProtocolError: a code is unknown, or a command is cut off. The commands before it came out.
        """
        at, size = 0, self.head.size
        while at < len(block):
            if len(block) - at < size:
                raise ProtocolError("the code of a command is cut off")
            (code,) = self.head.unpack_from(block, at)
            layout = self._layout(self.commands, code, "command")
            values, at = layout.read(block, at + size)
            yield Command(code, self.commands[code].name, values)

    def write_message(self, out: bytearray, tag: int, code: int, values: Sequence[Any]) -> None:
        """Append a message of the device with this tag (see `write_command`)."""
        layout = self._layout(self.messages, code, "message")
        start = len(out)
        out += HEAD.pack(tag, code)
        try:
            layout.write(out, values)
        except ProtocolError:
            del out[start:]
            raise

    def read_message(self, code: int, data: bytes, at: int) -> tuple[tuple[Any, ...], int]:
        """The values of the message with this code at `at`, and the place behind it."""
        return self._layout(self.messages, code, "message").read(data, at)

    @staticmethod
    def _layout(table: Mapping[int, Message], code: int, kind: str) -> Layout:
        message = table.get(code)
        if message is None:
            known = ", ".join(f"{one.code} {one.name}" for one in table.values()) or "none"
            raise ProtocolError(f"there is no {kind} {code}; known are {known}")
        return message.layout


HEAD = struct.Struct("<HB")
"""Tag and code in front of each message of an answer."""
