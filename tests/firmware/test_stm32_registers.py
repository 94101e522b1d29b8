"""What boards with an STM32 write to registers that QEMU does not model: clocks, flash, timers, ADC, pins.

The judges are formulas, tables and limits of the reference manuals (RM0008: F103, RM0041: F100, RM0090: F405,
RM0368: F401, RM0383: F411, RM0390: F446) and of the data sheets, over a memory dump of a host's program.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from tests.firmware.mutants.catalogue import Fault
from tests.tools import folder_for_tests
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

MODEL = Path(__file__).with_name("stm32_registers.c")
SOURCES = ("board.c", "chip.c", "pins.c", "timers.c", "usart.c", "wire.c", "serial.c")
ASM = re.compile(r"__asm volatile\([^;]*\);")
MHZ = 1_000_000
HSI_READY, HSE_READY = 1 << 1, 1 << 17
"""RCC_CR: what oscillators run."""


class Chip(NamedTuple):
    """Limits of a chip at 3.3 V, in MHz, and its interrupts."""

    interrupts: int
    """After those of the processor: the last one's number and 1, by the manual's table of vectors."""
    family: int
    bus1: int
    bus2: int
    adc: int
    waits: tuple[int, ...] = ()
    """The highest frequencies for 0, 1, ... wait states of the flash; none: it needs none."""
    scales: tuple[int, ...] = ()
    """The highest frequency for each value of VOS in PWR_CR."""
    vco: tuple[int, int] = (0, 0)
    factors: tuple[int, int] = (0, 0)
    """PLLN in RCC_PLLCFGR: RCC_PLLN_MIN_VALUE and RCC_PLLN_MAX_VALUE of ST's device headers."""


NO_SCALE = (0, 0, 0, 0)
CHIPS = {
    "stm32vldiscovery": Chip(56, 1, 24, 24, 12),
    "bluepill": Chip(43, 1, 36, 72, 14, (24, 48, 72)),
    "stm32f405": Chip(82, 4, 42, 84, 36, (30, 60, 90, 120, 150, 168), NO_SCALE, (100, 432), (50, 432)),
    "nucleo-f401re": Chip(85, 4, 42, 84, 36, (30, 60, 84), (0, 60, 84, 0), (192, 432), (192, 432)),
    "nucleo-f411re": Chip(86, 4, 50, 100, 36, (30, 64, 90, 100), (0, 64, 84, 100), (100, 432), (50, 432)),
    "nucleo-f446re": Chip(
        97, 4, 45, 90, 36, (30, 60, 90, 120, 150, 180), (0, 120, 144, 168), (100, 432), (50, 432)
    ),
}
CASES = [
    ("stm32vldiscovery", False, 24),
    ("bluepill", True, 72),
    ("bluepill", False, 64),
    ("stm32f405", False, 168),
    *[
        (f"nucleo-f{name}re", ready, mhz)
        for name, mhz in ((401, 84), (411, 100), (446, 168))
        for ready in (False, True)
    ],
]
TICKS = 10_000
"""Per second, of a program with stepper motors."""
QUICK = "bluepill", "nucleo-f446re"
PARAMS = [
    pytest.param(
        *one, marks=() if one[0] in QUICK else pytest.mark.boards, id=f"{one[0]}-{'HSE' if one[1] else 'HSI'}"
    )
    for one in CASES
]
FIELDS = {1: (0x40021000, 8, 11, 0x40022000), 4: (0x40023800, 10, 13, 0x40023C00)}
"""Address of RCC, first bits of PPRE1 and PPRE2 in RCC_CFGR, and address of FLASH_ACR, by family."""


@cache
def program(board: str, ticks: int, fault: Fault | None = None) -> Path:
    """The board's code on registers in memory, with ticks per second for stepper motors, and with a fault."""
    require_tool("cc", "compiles the model")
    folder = Path(folder_for_tests(f"wbridge-{board}-"))
    (folder / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), board))
    project = folder / "firmware"
    generate(load_hardware(folder / "hardware.toml", two_wheels()), project)
    for name in ("cortex_m.h", "timers.c", "systick.c"):
        (project / name).write_text(ASM.sub(";", (project / name).read_text()))
    if fault is not None:
        before = (project / fault.file).read_text()
        assert fault.text in before
        (project / fault.file).write_text(fault.wrong.join(before.rsplit(fault.text, 1)))
    steps = [f"-DBOARD_TICKS={ticks}", "-DBOARD_TICK_TIMER"] if ticks else []
    plain = ["cc", "-O1", "-w", "-ffunction-sections", *steps, f"-I{project}"]
    systick, made = folder / "systick.o", folder / "model"
    # Its time stands still here.
    other = ["-Dboard_micros=other_micros", "-Dboard_millis=other_millis", "-Dbench_now=other_now"]
    subprocess.run([*plain, *other, "-c", project / "systick.c", "-o", systick], check=True)
    files = [project / one for one in SOURCES]
    subprocess.run([*plain, "-Wl,--gc-sections", MODEL, *files, systick, "-o", made], check=True)
    return made


@cache
def registers(board: str, is_hse_ready: bool, ticks: int = 0, fault: Fault | None = None) -> dict[int, int]:
    """What the registers hold after the start, by address; missing ones hold 0."""
    control = HSI_READY | (HSE_READY if is_hse_ready else 0)
    done = subprocess.run(
        [program(board, ticks, fault), hex(control)], capture_output=True, text=True, check=True, timeout=60
    )
    return {int(place, 16): int(value, 16) for place, value in map(str.split, done.stdout.splitlines())}


class Clocks(NamedTuple):
    """Hz."""

    core: float
    bus1: float
    bus2: float

    @property
    def timers(self) -> float:
        """The clock of timers 2 to 4: twice that of a divided bus (RM0090, 7.2; RM0008, 7.2)."""
        return self.bus1 if self.bus1 == self.core else 2 * self.bus1


def divided(bits: int) -> int:
    """The divider of a bus for the three bits PPRE."""
    return {4: 2, 5: 4, 6: 8, 7: 16}.get(bits & 7, 1)


def clocks(board: str, is_hse_ready: bool) -> Clocks:
    """What the registers of the clock tree say, which must be within the limits of the PLL."""
    chip, found = CHIPS[board], registers(board, is_hse_ready)
    rcc, ppre1, ppre2, _ = FIELDS[chip.family]
    control, config = found[rcc], found[rcc + (4 if chip.family == 1 else 8)]
    assert config & 3 == 2, "the PLL is the clock of the system"
    assert control >> 24 & 1, "the PLL is on"
    assert config >> 4 & 0xF == 0, "the core has the clock of the system"
    if chip.family == 1:
        is_external = bool(config >> 16 & 1)
        source = 8 * MHZ if is_external else 4 * MHZ
        system = source * min((config >> 18 & 0xF) + 2, 16)
    else:
        pll = found[rcc + 4]
        is_external = bool(pll >> 22 & 1)
        enters = (8 if is_external else 16) * MHZ / (pll & 0x3F)
        factor = pll >> 6 & 0x1FF
        vco = enters * factor
        system = vco / (2 * ((pll >> 16 & 3) + 1))
        assert 1 * MHZ <= enters <= 2 * MHZ
        assert chip.factors[0] <= factor <= chip.factors[1]
        assert chip.vco[0] * MHZ <= vco <= chip.vco[1] * MHZ
        assert vco / (pll >> 24 & 0xF) <= 48 * MHZ
        assert pll >> 28 & 7 in (0, 2), "R is reserved, or at least 2"
        assert is_external <= (control >> 18 & 1), "a signal, no crystal"
    assert is_external == bool(control >> 16 & 1) == is_hse_ready
    return Clocks(system, system / divided(config >> ppre1), system / divided(config >> ppre2))


@pytest.mark.parametrize(("board", "is_hse_ready", "mhz"), PARAMS)
def test_the_clock_tree_keeps_the_limits_of_the_chip(board: str, is_hse_ready: bool, mhz: int):
    chip, found = CHIPS[board], registers(board, is_hse_ready)
    has = clocks(board, is_hse_ready)
    assert has.core == mhz * MHZ
    if not board.startswith("bluepill") or is_hse_ready:
        assert load_board(board).clock == has.core
    assert has.bus1 <= chip.bus1 * MHZ
    assert has.bus2 <= chip.bus2 * MHZ
    waits = found.get(FIELDS[chip.family][3], 0) & 0xF
    needed = next((k for k, limit in enumerate(chip.waits) if has.core <= limit * MHZ), 0)
    assert waits == needed
    if any(chip.scales):
        assert has.core <= chip.scales[found[0x40007000] >> 14 & 3] * MHZ
    if chip.family == 1:
        adc = has.bus2 / (2 * ((found[0x40021004] >> 14 & 3) + 1))
    else:
        adc = has.bus2 / (2 * ((found[0x40012304] >> 16 & 3) + 1))
    assert 0.6 * MHZ <= adc <= chip.adc * MHZ
    assert found[0xE000E014] + 1 == has.core / 1000, "SysTick ticks each millisecond"
    assert found[0xE000E010] & 7 == 7


@pytest.mark.parametrize(("board", "is_hse_ready", "mhz"), PARAMS)
def test_serial_ports_have_their_baud_rates(board: str, is_hse_ready: bool, mhz: int):
    """BRR is the clock of the port's bus over the baud rate, with 16 samples per bit (RM0008, 27.3.4)."""
    found, has = registers(board, is_hse_ready), clocks(board, is_hse_ready)
    usart1 = 0x40013800 if CHIPS[board].family == 1 else 0x40011000
    wire, second = (0x40004400, usart1) if board.startswith("nucleo") else (usart1, 0x40004400)
    for place, baud in ((wire, 115200), (second, 9600)):
        clock = has.bus2 if place == usart1 else has.bus1
        assert clock / found[place + 8] == pytest.approx(baud, rel=0.005)
        assert found[place + 0xC] == 1 << 13 | 1 << 5 | 1 << 3 | 1 << 2  # UE, RXNEIE, TE, RE


@pytest.mark.parametrize(("board", "is_hse_ready", "mhz"), PARAMS)
def test_timers_make_pwm_and_servo_pulses(board: str, is_hse_ready: bool, mhz: int):
    found, has = registers(board, is_hse_ready), clocks(board, is_hse_ready)
    outputs = re.findall(
        r"\{PIN_P([ABC])(\d+), (\d), (\d)\}",
        (program(board, 0).parent / "firmware" / "timer_outputs.h").read_text(),
    )
    assert len(outputs) >= 11
    for port, bit, number, channel in outputs:
        timer, k = 0x40000000 + 0x400 * (int(number) - 2), int(channel)
        tick = has.timers / (found.get(timer + 0x28, 0) + 1)
        period = (found[timer + 0x2C] + 1) / tick
        high = found[timer + 0x34 + 4 * k] / tick
        if number == "4":
            assert (period, high) == (pytest.approx(20e-3, rel=0.005), pytest.approx(1.5e-3, rel=0.005))
        else:
            hertz, step = (20_000, 1e-3) if number == "3" else (1000, 1e-6)
            assert 1 / period == pytest.approx(hertz, rel=0.01)
            assert high / period == pytest.approx(128 / 255, abs=step)
        mode = found[timer + 0x18 + 4 * (k // 2)] >> 8 * (k % 2) & 0xFF
        assert mode == 6 << 4 | 1 << 3, "PWM mode 1, preloaded output"
        assert found[timer + 0x20] >> 4 * k & 3 == 1, "enabled, active high"
        assert found[timer] & 0x81 == 0x81, "running, with a preloaded top"
        assert function_of(board, found, port, int(bit)) == ("timer", int(number))


@pytest.mark.parametrize(("board", "is_hse_ready", "mhz"), PARAMS)
def test_systick_makes_the_ticks_of_stepper_motors(board: str, is_hse_ready: bool, mhz: int):
    """An exception every (RELOAD + 1) cycles of the processor (ARMv7-M manual, B3.3)."""
    found = registers(board, is_hse_ready, TICKS)
    assert mhz * MHZ / (found[0xE000E014] + 1) == TICKS
    assert found[0xE000E010] & 7 == 7, "it runs by the processor's clock, and its end is an exception"


@pytest.mark.parametrize(("board", "is_hse_ready", "mhz"), PARAMS)
def test_the_watchdog_resets_a_hanging_board_after_half_a_second(board: str, is_hse_ready: bool, mhz: int):
    """4 * 2^PR * (RL + 1) periods of the low-speed clock: about 40 kHz on an F1 and 32 kHz on an F4 (RM0008,
    19.3 and 19.4; RM0090, 21.3 and 21.4)."""
    found, hertz = registers(board, is_hse_ready), 40_000 if CHIPS[board].family == 1 else 32_000
    steps = found[0x40003008] + 1
    assert 4 * 2 ** found.get(0x40003004, 0) * steps / hertz == pytest.approx(0.5, rel=0.01)
    assert found[0x40003000] == 0x5555, "the key that lets both change"


def function_of(board: str, found: dict[int, int], port: str, bit: int) -> tuple[str, int]:
    """The use of a pin by its registers, with the number of a timer or USART as the data sheets' tables say.

    On an F1 without remapping, each of these pins belongs to one peripheral (RM0008, 9.3).
    """
    if CHIPS[board].family == 1:
        base = 0x40010800 + 0x400 * "ABC".index(port)
        mode = found.get(base + 4 * (bit // 8), 0) >> 4 * (bit % 8) & 0xF
        timers = {"A": {0: 2, 1: 2, 2: 2, 3: 2, 6: 3, 7: 3}, "B": {0: 3, 1: 3, 6: 4, 7: 4, 8: 4, 9: 4}}
        uses = {0x0: "analog", 0x4: "input", 0x8: "pulled", 0x2: "output"}
        if mode & 3 and mode >> 2 == 2:  # alternate function, push-pull
            return "timer", timers[port].get(bit, 0)
        return uses[mode], 0
    base = 0x40020000 + 0x400 * "ABC".index(port)
    mode = found.get(base, 0) >> 2 * bit & 3
    if mode != 2:
        return ("input", "output", "", "analog")[mode], 0
    number = found.get(base + 0x20 + 4 * (bit // 8), 0) >> 4 * (bit % 8) & 0xF
    rows = {
        "A": {0: (2, 0), 1: (2, 0), 2: (2, 0), 3: (2, 0), 6: (0, 3), 7: (0, 3)},
        "B": {
            0: (0, 3),
            1: (0, 3),
            3: (2, 0),
            4: (0, 3),
            6: (0, 4),
            7: (0, 4),
            8: (0, 4),
            9: (0, 4),
            10: (2, 0),
        },
        "C": {7: (0, 3)},
    }  # timer at AF1 and AF2: data sheets, table "Alternate function mapping"
    if number == 7:
        return "usart", {("A", 2): 2, ("A", 3): 2, ("A", 9): 1, ("A", 10): 1}[port, bit]
    return "timer", rows[port][bit][number - 1]


@pytest.mark.parametrize(("board", "is_hse_ready", "mhz"), PARAMS)
def test_pins_have_the_functions_that_were_asked_for(board: str, is_hse_ready: bool, mhz: int):
    """Also: which port an interrupt line belongs to, and the channel of the ADC."""
    chip, found = CHIPS[board], registers(board, is_hse_ready)
    assert function_of(board, found, "C", 13) == ("output", 0)
    assert function_of(board, found, "C", 1) == ("analog", 0)
    if chip.family == 1:
        assert function_of(board, found, "A", 5) == ("pulled", 0)
        assert found[0x40010810] == 1 << 5, "BSRR of port A: pulled up"
        assert found[0x40010004] >> 24 & 7 == 2, "AFIO_MAPR: SWD without JTAG"
        lines, adc = 0x40010008, 0x40012400
        assert found[0x40021018] & 0x421D == 0x421D, "APB2ENR: AFIO, ports A to C, ADC1, USART1"
        assert found[0x4002101C] & 0x20007 == 0x20007, "APB1ENR: timers 2 to 4, USART2"
    else:
        assert function_of(board, found, "A", 5) == ("input", 0)
        assert found[0x4002000C] >> 10 & 3 == 1, "PUPDR: pulled up"
        for port, bit, number in (("A", 2, 2), ("A", 3, 2), ("A", 9, 1), ("A", 10, 1)):
            assert function_of(board, found, port, bit) in (("usart", number), ("timer", 2))
        lines, adc = 0x40013808, 0x40012000
        assert found[0x40023830] & 7 == 7, "AHB1ENR: ports A to C"
        assert found[0x40023840] & 0x10020007 == 0x10020007, "APB1ENR: timers 2 to 4, USART2, PWR"
        assert found[0x40023844] & 0x4110 == 0x4110, "APB2ENR: USART1, ADC1, SYSCFG"
    assert found.get(lines + 4, 0) >> 8 & 0xF == 0, "EXTI6 is PA6"
    assert found[lines + 12] & 0xF == 1, "EXTI12 is PB12"
    assert found[adc + 0x34] & 0x1F == 11, "channel of PC1"
    assert found[adc + 8] & 1, "ADON"


@pytest.mark.parametrize("board", CHIPS)
def test_the_table_of_vectors_has_the_interrupts_of_the_chip(board: str):
    """Where a table is longer, the flash is used for nothing; where it is shorter, by the program's code."""
    header = next(one for one in load_board(board).files if one.name == "chip.h").read_text()
    assert f"#define CHIP_VECTORS {CHIPS[board].interrupts}\n" in header


def test_boards_of_a_family_are_like_one_of_them():
    """They differ in title, sizes, clock and drive; pins and the rest are the same."""
    base = load_board("nucleo-f401re")
    for name in ("nucleo-f411re", "nucleo-f446re"):
        board = load_board(name)
        assert board.project.like == base.name
        assert (board.pins, board.circuit.names, board.timing.encoders) == (
            base.pins,
            base.circuit.names,
            base.timing.encoders,
        )
        assert [one.tool for one in board.flashing] == [one.tool for one in base.flashing]
        assert board.flashing[-1].drive == f"NODE_{name[7:].upper()}"
