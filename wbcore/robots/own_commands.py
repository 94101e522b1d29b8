"""The commands to a robot itself, in the dialect of its controller."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.supervisor import robot_codec


class OwnCommands:
    """Passes each command to the part of the robot that handles it."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        """
        Args:
            warn: reports commands that were ignored.
        """
        self._warn = warn
        self.dialect: Dialect = R2025A
        self.codec: Codec = robot_codec(R2025A)
        self.handlers: dict[int, Callable[..., None]] = {}
        """Handlers by command code."""

    def use(self, dialect: Dialect) -> None:
        """Use a dialect of the controller protocol; its handlers are added by the robot."""
        self.dialect = dialect
        self.codec = robot_codec(dialect)
        self.handlers = {}

    def take(self, block: bytes) -> None:
        """Carry out the commands of a block, in their order; warn about those that cannot be.

        Raises:
            ProtocolError: the rest of the block cannot be decoded; the commands before it are done.
        """
        for command in self.codec.read_commands(block):
            handler = self.handlers.get(command.code)
            if handler is None:
                self._warn(f'the command "{command.name}" is not supported and was ignored')
                continue
            try:
                handler(*command.values)
            except ValueError as problem:
                self._warn(f"{command.name}: {problem}")
