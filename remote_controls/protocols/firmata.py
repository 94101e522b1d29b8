"""Firmata 2, the protocol of the Arduino sketch StandardFirmata: numbers, messages, and a parser for both
ends.

57600 baud. A byte of 0x80 or more begins a message; the following bytes have 7 bits. There is no checksum.
Source: protocol.md of the Firmata project.
"""

from __future__ import annotations

from typing import NamedTuple


class Command:
    """First bytes of messages; the lower half of some is the number of a port or an analog channel."""

    DIGITAL, ANALOG, REPORT_ANALOG, REPORT_DIGITAL = 0x90, 0xE0, 0xC0, 0xD0
    START_SYSEX, END_SYSEX, PIN_MODE, DIGITAL_PIN, VERSION, RESET = 0xF0, 0xF7, 0xF4, 0xF5, 0xF9, 0xFF


class Sysex:
    """Types of messages of variable length."""

    ANALOG_MAPPING_QUERY, ANALOG_MAPPING, CAPABILITY_QUERY, CAPABILITY = 0x69, 0x6A, 0x6B, 0x6C
    PIN_STATE_QUERY, PIN_STATE, EXTENDED_ANALOG, SERVO_CONFIG, STRING = 0x6D, 0x6E, 0x6F, 0x70, 0x71
    FIRMWARE, SAMPLING = 0x79, 0x7A


class PinMode:
    """Modes of a pin."""

    INPUT, OUTPUT, ANALOG, PWM, SERVO, PULLUP = 0, 1, 2, 3, 4, 11
    NAMES = {0: "input", 1: "output", 2: "analog", 3: "pwm", 4: "servo", 6: "i2c", 11: "pullup"}


ARGUMENTS = {
    Command.DIGITAL: 2,
    Command.ANALOG: 2,
    Command.REPORT_ANALOG: 1,
    Command.REPORT_DIGITAL: 1,
    Command.PIN_MODE: 2,
    Command.DIGITAL_PIN: 2,
    Command.VERSION: 2,
}
"""Bytes after a command. Toward the board, VERSION has none: it is a query."""
LONGEST_SYSEX = 1024


class FirmataMessage(NamedTuple):
    """One message."""

    command: int
    """A `Command`, without the number in its lower half."""
    number: int
    """Port, analog channel, or sysex type."""
    data: bytes


class Parser:
    """Finds messages in a byte stream."""

    def __init__(self, at_board: bool) -> None:
        """
        Args:
            at_board: the messages are for a board.
        """
        self._at_board, self._sizes = at_board, dict(ARGUMENTS)
        if at_board:
            del self._sizes[Command.VERSION]
        self._command: int | None = None
        self._data = bytearray()

    def feed(self, data: bytes) -> list[FirmataMessage]:
        """Return the messages that are complete now."""
        messages = (self._take(byte) for byte in data)
        return [message for message in messages if message is not None]

    def _take(self, byte: int) -> FirmataMessage | None:
        # As in the sketch, only its end byte ends a sysex at the board.
        deaf = self._at_board and self._command == Command.START_SYSEX
        if byte >= 0x80 and not (deaf and byte != Command.END_SYSEX):
            return self._begin(byte)
        if self._command is None or len(self._data) >= LONGEST_SYSEX:
            return None
        self._data.append(byte)
        if self._command == Command.START_SYSEX:
            return None
        head = _head(self._command)
        return self._end(head, self._command - head) if len(self._data) == self._sizes[head] else None

    def _begin(self, byte: int) -> FirmataMessage | None:
        """Process a byte that begins a message or ends a sysex."""
        if byte == Command.END_SYSEX:
            whole = self._command == Command.START_SYSEX and self._data
            messages = (
                FirmataMessage(Command.START_SYSEX, self._data[0], bytes(self._data[1:])) if whole else None
            )
            self._command = None
            return messages
        self._data.clear()
        head = _head(byte)
        self._command = byte if head in self._sizes or byte == Command.START_SYSEX else None
        return None if self._command is not None else FirmataMessage(head, byte - head, b"")

    def _end(self, head: int, number: int) -> FirmataMessage:
        self._command = None
        return FirmataMessage(head, number, bytes(self._data))


def _head(byte: int) -> int:
    return byte if byte >= 0xF0 else byte & 0xF0


def pairs(*values: int) -> bytes:
    """Encode 14-bit numbers as two 7-bit bytes each, the lower first."""
    return bytes(part for value in values for part in (value & 0x7F, value >> 7 & 0x7F))


def unpaired(data: bytes) -> list[int]:
    """Decode numbers encoded by `pairs`."""
    return [data[k] | data[k + 1] << 7 for k in range(0, len(data) - 1, 2)]


def sysex(kind: int, data: bytes = b"") -> bytes:
    """Return a message of variable length."""
    return bytes([Command.START_SYSEX, kind]) + data + bytes([Command.END_SYSEX])


def pin_mode(pin: int, mode: int) -> bytes:
    """Return the message that sets a pin's mode."""
    return bytes([Command.PIN_MODE, pin, mode])


def analog_write(pin: int, value: int) -> bytes:
    """Return the message for PWM or a servo: the short form for the first pins, else the long one."""
    if pin < 16:
        return bytes([Command.ANALOG | pin]) + pairs(value)
    return sysex(Sysex.EXTENDED_ANALOG, bytes([pin]) + pairs(value))


def digital_write(port: int, bits: int) -> bytes:
    """Return the message that sets the eight pins of a port."""
    return bytes([Command.DIGITAL | port]) + pairs(bits)


def sampling(ms: int) -> bytes:
    """Return the message that sets the reporting interval of analog pins, in ms."""
    return sysex(Sysex.SAMPLING, pairs(max(1, min(ms, 0x3FFF))))
