"""Asks a robot for its device table."""

from __future__ import annotations

import time

from wbridge.hal.link.errors import ConnectionLost, LinkError, MessageError, Refused
from wbridge.hal.link.messages import REASONS, ReadTable, Refusal, TablePart, decode, encode
from wbridge.hal.link.pipe import Clock, Pipe
from wbridge.hal.table import DeviceTable, TableError

__all__ = ["read_table"]

LARGEST = 1 << 24


def read_table(pipe: Pipe, timeout: float, clock: Clock = time.monotonic) -> DeviceTable | None:
    """The table that a robot carries; None when it carries none.

    Args:
        pipe: to the robot.
        timeout: for the whole table, in s.
        clock: the clock that the pipe uses.

    Raises:
        ConnectionLost: the robot does not answer in time.
        LinkError: the received data is not a table.
    """
    end, text, total = clock() + timeout, bytearray(), -1
    while len(text) != total:
        part = _ask(pipe, len(text), end, clock)
        total = part.total
        if total == 0:
            return None
        if total > LARGEST or not part.data or len(text) + len(part.data) > total:
            raise LinkError("the robot's device table is invalid")
        text += part.data
    try:
        return DeviceTable.from_json(bytes(text))
    except TableError as error:
        raise LinkError(f"the robot: {error}") from None


def _ask(pipe: Pipe, offset: int, end: float, clock: Clock) -> TablePart:
    """Request a part until it arrives."""
    while clock() < end:
        pipe.send(encode(ReadTable(0, offset)))
        again = min(clock() + pipe.retry, end)
        while (data := pipe.receive(max(again - clock(), 0.0))) is not None:
            try:
                message = decode(data)
            except MessageError:
                continue
            if isinstance(message, Refusal):
                raise Refused(
                    f"the robot does not provide its device table: {REASONS.get(message.reason, '')}"
                )
            if isinstance(message, TablePart) and message.offset == offset:
                return message
    raise ConnectionLost("the robot does not provide its device table")
