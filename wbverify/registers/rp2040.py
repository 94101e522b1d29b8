"""Registers of the RP2040 (Raspberry Pi Pico). Sections are those of its data sheet (RP-008371-DS)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbverify.registers import Read, Rule
from wbridge.wbverify.wired_pins import pins_of, pulled_up_pins

SHEET = "data sheet of the RP2040"
UART_INTEGER, UART_FRACTION, UART_FORMAT = 0x40034024, 0x40034028, 0x4003402C
BAUD_ERROR = 0.01
EIGHT_BITS, PARITY_AND_STOP = 3 << 5, 1 << 1 | 1 << 3
BUS_HIGH, BUS_LOW, SPIKES = 0x4004401C, 0x40044020, 7
BUS_KHZ = 300, 400
BUS_HOLD, HELD, HELD_NS = 0x4004407C, 0xFFFF, (300, 900)
"""How long data stays after the clock has fallen: devices may see the edge 300 ns late (I2C bus
specification, table 10: fall time), and data must be valid after 900 ns."""
PADS = 0x4001C004
INPUT, PULL_UP, PULL_DOWN = 1 << 6, 1 << 3, 1 << 2
WATCHDOG_CONTROL, WATCHDOG_COUNTS = 0x40058000, 0xFFFFFF
TICK, TICK_CYCLES, TICK_ENABLED, CRYSTAL_MHZ = 0x4005802C, 0x1FF, 1 << 9, 12
COUNTS_PER_MS = 2000
"""The watchdog counts two per microsecond (erratum RP2040-E1)."""
WATCHDOG_MS = 400, 600
"""Half a second, less what has passed since it was fed."""
WATCHDOG_SELECTION, ALL_BUT_OSCILLATORS = 0x40010008, 0x1FFFC
PLL, CRYSTAL = 0x40028000, 12e6
"""Registers of the system's PLL, and its input in Hz."""
TIMER_ALARM, TICK_US = 0x40054010, 1000
"""Time of the clock's next tick in us (4.6.5, ALARM0), and the time between two of them."""


def rules(hardware: Hardware) -> list[Rule]:
    """See `wbridge.wbverify.registers`."""
    rules = [_clock(hardware.board.clock), *_watchdog()]
    if hardware.link.wire == "serial":
        rules += _line(hardware)
    if pins_of(hardware, "sda"):
        rules += _bus(hardware.board.clock)
    lines = sorted({*pins_of(hardware, "sda"), *pins_of(hardware, "scl")})
    for tag, pin in (*pulled_up_pins(hardware), *((0, line) for line in lines)):
        rules.append(_pull_up(tag, pin))
    return rules


def tick_phase(read: Read) -> float:
    """Return the time of the clock's ticks within a millisecond (us). It never changes."""
    return float(read(TIMER_ALARM, 4) % TICK_US)


def _line(hardware: Hardware) -> Iterator[Rule]:
    baud, clock = hardware.link.baud, hardware.board.clock

    def rate(read: Read) -> float:
        return clock * 4 / max(64 * read(UART_INTEGER, 4) + read(UART_FRACTION, 4), 1)

    def is_8n1(read: Read) -> float:
        form = read(UART_FORMAT, 4)
        return float(form & EIGHT_BITS == EIGHT_BITS and not form & PARITY_AND_STOP)

    low, high = baud * (1 - BAUD_ERROR), baud * (1 + BAUD_ERROR)
    yield Rule(0, "baud rate of the wire", rate, low, high, f"{SHEET}, 4.2.7.1")
    yield Rule(0, "eight bits without parity on the wire", is_8n1, 1, 1, f"{SHEET}, 4.2.8 (UARTLCR_H)")


def _bus(clock: int) -> Iterator[Rule]:
    def khz(read: Read) -> float:
        return clock / 1000 / (read(BUS_HIGH, 4) + SPIKES + read(BUS_LOW, 4) + 1)

    def held_ns(read: Read) -> float:
        return 1e9 * (read(BUS_HOLD, 4) & HELD) / clock

    yield Rule(0, "clock of the I2C bus in kHz", khz, *BUS_KHZ, f"{SHEET}, 4.3.14")
    yield Rule(
        0, "ns for which data of the I2C bus is held", held_ns, *HELD_NS, f"{SHEET}, 4.3.17 (IC_SDA_HOLD)"
    )


def _clock(clock: int) -> Rule:
    """The system's clock is what PWM, bus and serial port divide."""

    def hertz(read: Read) -> float:
        dividers = read(PLL + 12, 4)
        by = (read(PLL, 4) & 0x3F) * (dividers >> 16 & 7) * (dividers >> 12 & 7)
        return CRYSTAL * (read(PLL + 8, 4) & 0xFFF) / max(by, 1)

    return Rule(0, "clock of the processor in Hz", hertz, clock, clock, f"{SHEET}, 2.18.2")


def _watchdog() -> Iterator[Rule]:
    """A reset by it also stops the PWM, and with it the motors."""

    def is_on(read: Read) -> float:
        return float(read(WATCHDOG_CONTROL, 4) >> 30 & 1)

    def time_ms(read: Read) -> float:
        return (read(WATCHDOG_CONTROL, 4) & WATCHDOG_COUNTS) / COUNTS_PER_MS

    def selected(read: Read) -> float:
        return float(read(WATCHDOG_SELECTION, 4) & ALL_BUT_OSCILLATORS)

    def cycles(read: Read) -> float:
        tick = read(TICK, 4)
        return float(tick & TICK_CYCLES if tick & TICK_ENABLED else 0)

    megahertz = float(CRYSTAL_MHZ)
    source = f"{SHEET}, 4.7.6 (TICK)"
    yield Rule(0, "cycles of the crystal in a microsecond", cycles, megahertz, megahertz, source)
    yield Rule(0, "watchdog enabled", is_on, 1, 1, f"{SHEET}, 4.7.6 (CTRL)")
    yield Rule(0, "time of the watchdog in ms", time_ms, *WATCHDOG_MS, f"{SHEET}, 4.7.6 and RP2040-E1")
    everything = float(ALL_BUT_OSCILLATORS)
    source = f"{SHEET}, 2.13.5 (WDSEL)"
    yield Rule(0, "what the watchdog resets (WDSEL)", selected, everything, everything, source)


def _pull_up(tag: int, pin: str) -> Rule:
    """The line has a pull-up: encoders have open collectors or switches, and so has a bus (4.3.1.3)."""
    pad = PADS + 4 * int(pin.removeprefix("GP"))
    return Rule(tag, f"pull-up of {pin}", partial(_is_pulled_up, pad), 1, 1, f"{SHEET}, 2.19.6.3 (GPIO0)")


def _is_pulled_up(pad: int, read: Read) -> float:
    return float(read(pad, 4) & (INPUT | PULL_UP | PULL_DOWN) == INPUT | PULL_UP)
