"""Registers of AVRs: ATmega328P (Uno, Nano), ATmega2560 (Mega) and ATmega32U4 (Leonardo).

Sections are those of the data sheet of the ATmega328P (Microchip DS40002061B). The other chips have these
registers at the same addresses (ATmega2560: DS40002211A; ATmega32U4: Atmel-7766J).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wbridge.wbfirmware.boards.board import Ticks
from wbridge.wbfirmware.boards.drivers import TICK
from wbridge.wbfirmware.map.checks import steps_timer
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.registers import Read, Rule
from wbridge.wbverify.wired_pins import pins_of, pulled_up_pins

SHEET = "data sheet of the ATmega328P, DS40002061B"
MEMORY = 0x800000
"""Address of the registers in a program file."""
ADC_CONTROL, ADC_SOURCE = 0x7A, 0x7C
SLEEP, WATCHDOG = 0x53, 0x60
BUS_RATE, BUS_STATUS = 0xB8, 0xB9
UARTS = {"0": 0xC0, "1": 0xC8, "2": 0xD0, "3": 0x130}
FRAME, DIVIDER = 2, 4
"""Registers UCSRnC and UBRRn, counted from UCSRnA."""
DOUBLE_SPEED, EIGHT_BITS = 1 << 1, 0x06
BAUD_ERROR = 0.015
"""Recommended maximum error of a receiver at double speed (20.7.3); the nearest divider may be less exact."""
LARGEST_DIVIDER, ROUNDED = 4096, 1e-9
ADC_KHZ = 50, 200
"""Clock for 10 bits (24.4)."""
BUS_KHZ = 300, 400
"""Fast mode (22.9.1), at most a quarter slower."""
WATCHDOG_MS = 100, 1000
TICK_TIMERS = {
    "2": (0xB1, 0xB3, 0x70, 1, (0, 1, 8, 32, 64, 128, 256, 1024)),
    "3": (0x91, 0x98, 0x71, 2, (0, 1, 8, 64, 256, 1024, 0, 0)),
}
"""Of timers that make the steps of motors: registers TCCRnB, OCRnA and TIMSKn, bytes of OCRnA, and the
dividers of the clock by CSn."""
CLOCK_SELECT, COMPARE_INTERRUPT = 0x07, 0x02
PORTS = dict(zip("ABCDEFGHJKL", (*range(0x20, 0x33, 3), *range(0x100, 0x10A, 3)), strict=True))
"""Address of the register PINx; DDRx and PORTx follow (register summaries)."""


def rules(hardware: Hardware) -> list[Rule]:
    """See `wbridge.wbverify.registers`."""
    rules = [] if hardware.board.project.sketch else [*_watchdog(), _sleep()]
    if hardware.link.wire == "serial" and hardware.board.emulation["wire"] in UARTS:
        rules += _line(hardware, hardware.board.emulation["wire"], hardware.link.baud)
    if pins_of(hardware, "analog"):
        rules += _converter(hardware.board.clock)
    if pins_of(hardware, "sda"):
        rules += _bus(hardware.board.clock)
    steppers = [wiring.device.tag for wiring in hardware.wirings if TICK in wiring.driver.calls]
    ticks = steps_timer(hardware)
    if steppers and ticks and not hardware.board.project.sketch:
        rules.append(_ticks(hardware.board.clock, ticks, steppers[0]))
    for tag, pin in pulled_up_pins(hardware):
        rules.append(_pull_up(tag, pin, hardware.board.emulation["pins"][pin]))
    return rules


def _register(read: Read, address: int, size: int = 1) -> int:
    return read(MEMORY + address, size)


def _line(hardware: Hardware, uart: str, baud: int) -> Iterator[Rule]:
    """The serial line has its baud rate, eight bits, no parity and one stop bit."""
    clock, base = hardware.board.clock, UARTS[uart]

    def rate(read: Read) -> float:
        by = 8 if _register(read, base) & DOUBLE_SPEED else 16
        return float(clock / by / (_register(read, base + DIVIDER, 2) % LARGEST_DIVIDER + 1))

    nearest = min(abs(clock / by / n / baud - 1) for by in (8, 16) for n in range(1, LARGEST_DIVIDER))
    error = max(BAUD_ERROR, nearest * (1 + ROUNDED))
    source = f"{SHEET}, 20.3.1 and 20.7.3"
    yield Rule(0, "baud rate of the wire", rate, baud * (1 - error), baud * (1 + error), source)
    frame = float(EIGHT_BITS)
    yield Rule(
        0, "frame of the wire (UCSRnC)", lambda read: _register(read, base + FRAME), frame, frame, source
    )


def _ticks(clock: int, ticks: Ticks, tag: int) -> Rule:
    """A timer counts from 0 to its compare value, and interrupts there."""
    control_b, compare, mask, size, by_select = TICK_TIMERS[ticks.timer]

    def hertz(read: Read) -> float:
        if not _register(read, mask) & COMPARE_INTERRUPT:
            return 0.0
        by = by_select[_register(read, control_b) & CLOCK_SELECT]
        return clock / by / (_register(read, compare, size) + 1) if by else 0.0

    wanted = float(ticks.hertz)
    return Rule(tag, "ticks per second", hertz, wanted, wanted, f"{SHEET}, 16.9.2, 18.7.2 and 18.11.2")


def _converter(clock: int) -> Iterator[Rule]:
    def khz(read: Read) -> float:
        return clock / 1000 / max(2, 1 << (_register(read, ADC_CONTROL) & 7))

    yield Rule(0, "clock of the ADC in kHz", khz, *ADC_KHZ, f"{SHEET}, 24.4 and 24.9.2")
    yield Rule(
        *(0, "reference of the ADC (REFS)", lambda read: _register(read, ADC_SOURCE) >> 6, 1, 1),
        source=f"{SHEET}, table 24-3: the supply voltage",
    )


def _bus(clock: int) -> Iterator[Rule]:
    def khz(read: Read) -> float:
        scale = 1 << 2 * (_register(read, BUS_STATUS) & 3)
        return float(clock / 1000 / (16 + 2 * _register(read, BUS_RATE) * scale))

    yield Rule(0, "clock of the I2C bus in kHz", khz, *BUS_KHZ, f"{SHEET}, 22.5.2")


def _watchdog() -> Iterator[Rule]:
    """Its interrupt comes first, and notes the cause: boot loaders clear the register that tells it."""

    def time_ms(read: Read) -> float:
        control = _register(read, WATCHDOG)
        steps = (control & 7) | (control >> 2 & 8)
        return 16.0 * (1 << steps) if control & 1 << 3 else float("inf")

    yield Rule(0, "time of the watchdog in ms", time_ms, *WATCHDOG_MS, f"{SHEET}, 11.9.2 and table 11-2")

    def interrupts(read: Read) -> float:
        return float(_register(read, WATCHDOG) >> 6 & 1)

    yield Rule(0, "interrupt of the watchdog (WDIE)", interrupts, 1, 1, f"{SHEET}, 11.9.2 and table 11-1")


def _sleep() -> Rule:
    """The processor sleeps in idle mode: in each deeper one timers stop, and with them time and PWM."""
    source = f"{SHEET}, tables 10-1 and 10-2: idle"
    return Rule(0, "sleep mode (SM)", lambda read: _register(read, SLEEP) >> 1 & 7, 0, 0, source)


def _pull_up(tag: int, pin: str, place: str) -> Rule:
    """The input has a pull-up: encoders have open collectors or switches."""
    port, bit = PORTS[place[0]], int(place[1])
    return Rule(tag, f"pull-up of {pin}", partial(_is_pulled_up, port, bit), 1, 1, f"{SHEET}, table 14-1")


def _is_pulled_up(port: int, bit: int, read: Read) -> float:
    direction, level = _register(read, port + 1), _register(read, port + 2)
    return float(not direction >> bit & 1 and level >> bit & 1)
