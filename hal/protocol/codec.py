"""Codecs: the commands and messages of one device type, each with its code and layout."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.layout import Layout

__all__ = ["Codec", "Command", "Message", "by_code", "read_head", "unknown_device"]

ENABLE = 1
"""The command that sets the sampling period of a sensor, in ms; 0 disables it."""
CONSTANTS = 0
"""The message with the constants of a device."""


class Message:
    """A type of message: its code, its name and the layout of its values."""

    def __init__(self, code: int, name: str, layout: str | Layout = "") -> None:
        self.code, self.name = code, name
        self.layout = layout if isinstance(layout, Layout) else Layout(layout)

    def __repr__(self) -> str:
        return f"<{self.name} ({self.code}): {', '.join(self.layout.names)}>"


class Command(NamedTuple):
    """A message with its values."""

    code: int
    name: str
    values: tuple[Any, ...]


def by_code(messages: Iterable[Message]) -> dict[int, Message]:
    """Messages by code."""
    return {message.code: message for message in messages}


class Codec:
    """All messages of one device type, or of the robot."""

    def __init__(
        self, *, commands: Sequence[Message] = (), messages: Sequence[Message] = (), wide: bool = False
    ) -> None:
        """
        Args:
            commands: messages from the controller.
            messages: messages from the simulator; message 0 contains the constants.
            wide: commands have codes of 16 bits (motors).
        """
        self.commands: Mapping[int, Message] = by_code(commands)
        self.messages: Mapping[int, Message] = by_code(messages)
        self.head = struct.Struct("<H" if wide else "<B")
        self.command_codes = {command.name: command.code for command in commands}
        self.message_codes = {message.name: message.code for message in messages}

    def write_command(self, out: bytearray, code: int, values: Sequence[object]) -> None:
        """Append a command.

        Raises:
            ProtocolError: the command is unknown, or the values do not fit.
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
        """Decode the commands of a block, in their order.

        Raises:
            ProtocolError: a code is unknown, or a command is truncated; earlier commands were yielded.
        """
        at, size = 0, self.head.size
        while at < len(block):
            if len(block) - at < size:
                raise ProtocolError("the code of a command is truncated")
            (code,) = self.head.unpack_from(block, at)
            layout = self._layout(self.commands, code, "command")
            values, at = layout.read(block, at + size)
            yield Command(code, self.commands[code].name, values)

    def write_message(self, out: bytearray, tag: int, code: int, values: Sequence[object]) -> None:
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
        """Decode the values of the message with this code at `at`; also return the offset after it."""
        return self._layout(self.messages, code, "message").read(data, at)

    @staticmethod
    def _layout(table: Mapping[int, Message], code: int, kind: str) -> Layout:
        message = table.get(code)
        if message is None:
            known = ", ".join(f"{message.code} {message.name}" for message in table.values()) or "none"
            raise ProtocolError(f"unknown {kind} {code}; allowed: {known}")
        return message.layout


HEAD = struct.Struct("<HB")
"""Tag and code before each message of an answer."""


def read_head(data: bytes, at: int) -> tuple[int, int, int]:
    """Decode the tag and the code of a message at `at`; also return the offset after them.

    Raises:
        ProtocolError: the data is truncated.
    """
    if len(data) - at < HEAD.size:
        raise ProtocolError("a message header is truncated")
    return (*HEAD.unpack_from(data, at), at + HEAD.size)


def unknown_device(tag: int, code: int) -> ProtocolError:
    """The error of a message for a device that does not exist."""
    return ProtocolError(f"message {code} for device {tag}, which does not exist")
