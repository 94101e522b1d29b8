"""An Arduino Uno with the sketch StandardFirmata 2.5: pins that can be set, and pins that report."""

from __future__ import annotations

from collections.abc import Callable

from wbridge.remote_controls.emulators.base import EmulatedRobot, Setting
from wbridge.remote_controls.protocols.firmata import (
    Command,
    FirmataMessage,
    Parser,
    PinMode,
    Sysex,
    pairs,
    sysex,
    unpaired,
)

VERSION = bytes([2, 5])
NAME = "StandardFirmata.ino"
PINS = 20
FIRST_DIGITAL, FIRST_ANALOG = 2, 14
"""Pins 0 and 1 are the serial line; 14 to 19 are A0 to A5."""
PWM_PINS = (3, 5, 6, 9, 10, 11)
NO_CHANNEL = 127
PERIOD = 19
"""Default reporting interval of the analog pins, in ms."""


def capabilities(pin: int) -> dict[int, int]:
    """Return the modes of a pin, with the number of bits of each."""
    modes: dict[int, int] = {}
    if pin >= FIRST_DIGITAL:
        modes |= {PinMode.INPUT: 1, PinMode.PULLUP: 1, PinMode.OUTPUT: 1}
    if pin >= FIRST_ANALOG:
        modes[PinMode.ANALOG] = 10
    if pin in PWM_PINS:
        modes[PinMode.PWM] = 8
    if FIRST_DIGITAL <= pin < FIRST_ANALOG:
        modes[PinMode.SERVO] = 14
    if pin in (18, 19):
        modes[6] = 1
    return modes


def _settings() -> dict[str, Setting]:
    settings = {f"A{k}": Setting(0, 0, 1023) for k in range(PINS - FIRST_ANALOG)}
    return settings | {f"D{pin}": Setting(0, 0, 1) for pin in range(FIRST_DIGITAL, PINS)}


class Emulator(EmulatedRobot):
    """An Arduino Uno. Inputs read the values set: A0 to A5 from 0 to 1023, D2 to D19 0 or 1."""

    BAUD = 57600

    def __init__(self) -> None:
        super().__init__(_settings())
        self._parser = Parser(at_board=True)
        self._sampled_at = 0.0
        self.reset()

    def reset(self) -> None:
        """Reset as after power-up."""
        self.modes = {pin: self._first_mode(pin) for pin in range(FIRST_DIGITAL, PINS)}
        self.outputs = dict.fromkeys(range(PINS), 0)
        """Outputs of pins: 0 or 1, 0 to 255 for PWM, degrees or microseconds for servos."""
        self.period = PERIOD
        self._analog: set[int] = set()
        self._ports: dict[int, int | None] = {}
        """Reported ports, and the values last reported."""

    @staticmethod
    def _first_mode(pin: int) -> int:
        return PinMode.ANALOG if pin >= FIRST_ANALOG else PinMode.OUTPUT

    def greeting(self) -> bytes:
        """Return version and name, as after the reset caused by opening the port."""
        return bytes([Command.VERSION]) + VERSION + self._firmware()

    def receive(self, data: bytes) -> bytes:
        """Process bytes of any messages."""
        return b"".join(self._run(answer) for answer in self._parser.feed(data))

    def pass_time(self, seconds: float) -> bytes:
        """Report pins: digital ones on changes, analog ones every period."""
        super().pass_time(seconds)
        out = b"".join(self._told_port(port) for port in sorted(self._ports))
        if self.time < self._sampled_at + self.period / 1000:
            return out
        self._sampled_at = self.time
        return out + b"".join(
            bytes([Command.ANALOG | channel]) + pairs(self.read(f"A{channel}"))
            for channel in sorted(self._analog)
            if self.modes[FIRST_ANALOG + channel] == PinMode.ANALOG
        )

    def state(self) -> dict[str, float]:
        """Return the outputs of the pins."""
        putting = (PinMode.OUTPUT, PinMode.PWM, PinMode.SERVO)
        return {f"D{pin}": float(self.outputs[pin]) for pin, mode in self.modes.items() if mode in putting}

    def _told_port(self, port: int) -> bytes:
        bits = sum(self._sees(pin) << pin % 8 for pin in range(8 * port, 8 * port + 8))
        if bits == self._ports[port]:
            return b""
        self._ports[port] = bits
        return bytes([Command.DIGITAL | port]) + pairs(bits)

    def _sees(self, pin: int) -> int:
        reads = self.modes.get(pin) in (PinMode.INPUT, PinMode.PULLUP)
        return self.read(f"D{pin}") if reads else 0

    # Messages.

    def _run(self, message: FirmataMessage) -> bytes:
        if message.command == Command.START_SYSEX:
            act = SYSEX.get(message.number)
            return (act(self, message.data) or b"") if act is not None else b""
        do = COMMANDS.get(message.command)
        return (do(self, message.number, message.data) or b"") if do is not None else b""

    def set_mode(self, pin: int, mode: int) -> None:
        """Set the mode of a pin; unsupported modes have no effect."""
        if pin in self.modes and mode in capabilities(pin):
            self.modes[pin] = mode
            self.outputs[pin] = 0
            if mode in (PinMode.INPUT, PinMode.PULLUP):
                self._ports.update({pin // 8: None} if pin // 8 in self._ports else {})

    def write(self, pin: int, value: int) -> None:
        """Set PWM or a servo."""
        if self.modes.get(pin) in (PinMode.PWM, PinMode.SERVO):
            self.outputs[pin] = value & 0xFF if self.modes[pin] == PinMode.PWM else value

    def write_port(self, port: int, bits: int) -> None:
        """Set the pins of a port that are outputs."""
        for k in range(8):
            if self.modes.get(8 * port + k) == PinMode.OUTPUT:
                self.outputs[8 * port + k] = bits >> k & 1

    def write_pin(self, pin: int, value: int) -> None:
        """Set one pin."""
        if self.modes.get(pin) == PinMode.OUTPUT:
            self.outputs[pin] = int(value != 0)

    def report_analog(self, channel: int, on: int) -> None:
        """Start or stop reporting an analog pin."""
        if channel < PINS - FIRST_ANALOG:
            (self._analog.add if on else self._analog.discard)(channel)

    def report_port(self, port: int, on: int) -> None:
        """Report a port now and on changes, or stop."""
        if on and port <= (PINS - 1) // 8:
            self._ports[port] = None
        else:
            self._ports.pop(port, None)

    def set_period(self, ms: int) -> None:
        """Set the reporting interval of the analog pins, in ms."""
        self.period = max(ms, 1)

    def _firmware(self) -> bytes:
        return sysex(Sysex.FIRMWARE, VERSION + pairs(*NAME.encode()))

    def _capabilities(self) -> bytes:
        parts = (bytes(byte for pair in capabilities(pin).items() for byte in pair) for pin in range(PINS))
        return sysex(Sysex.CAPABILITY, b"".join(part + b"\x7f" for part in parts))

    def _mapping(self) -> bytes:
        channels = (pin - FIRST_ANALOG if pin >= FIRST_ANALOG else NO_CHANNEL for pin in range(PINS))
        return sysex(Sysex.ANALOG_MAPPING, bytes(channels))

    def _pin_state(self, data: bytes) -> bytes:
        pin = data[0] if data else NO_CHANNEL
        if pin not in self.modes:
            return sysex(Sysex.PIN_STATE, data[:1])
        state = self.outputs[pin]
        parts = [state & 0x7F] + [state >> shift & 0x7F for shift in (7, 14) if state >> shift]
        return sysex(Sysex.PIN_STATE, bytes([pin, self.modes[pin], *parts]))


def _servo(robot: Emulator, data: bytes) -> None:
    """Set the shortest and longest pulse; the pin becomes a servo pin."""
    if data:
        robot.set_mode(data[0], PinMode.SERVO)


def _extended(robot: Emulator, data: bytes) -> None:
    if len(data) >= 2:
        robot.write(data[0], sum(part << 7 * k for k, part in enumerate(data[1:4])))


def _period(robot: Emulator, data: bytes) -> None:
    for ms in unpaired(data)[:1]:
        robot.set_period(ms)


SYSEX: dict[int, Callable[[Emulator, bytes], bytes | None]] = {
    Sysex.FIRMWARE: lambda robot, _: robot._firmware(),
    Sysex.CAPABILITY_QUERY: lambda robot, _: robot._capabilities(),
    Sysex.ANALOG_MAPPING_QUERY: lambda robot, _: robot._mapping(),
    Sysex.PIN_STATE_QUERY: lambda robot, data: robot._pin_state(data),
    Sysex.EXTENDED_ANALOG: _extended,
    Sysex.SERVO_CONFIG: _servo,
    Sysex.SAMPLING: _period,
}
COMMANDS: dict[int, Callable[[Emulator, int, bytes], bytes | None]] = {
    Command.VERSION: lambda robot, _, data: bytes([Command.VERSION]) + VERSION,
    Command.RESET: lambda robot, _, data: robot.reset(),
    Command.PIN_MODE: lambda robot, _, data: robot.set_mode(*data),
    Command.DIGITAL_PIN: lambda robot, _, data: robot.write_pin(*data),
    Command.DIGITAL: lambda robot, port, data: robot.write_port(port, *unpaired(data)),
    Command.ANALOG: lambda robot, pin, data: robot.write(pin, *unpaired(data)),
    Command.REPORT_ANALOG: lambda robot, channel, data: robot.report_analog(channel, *data),
    Command.REPORT_DIGITAL: lambda robot, port, data: robot.report_port(port, *data),
}
