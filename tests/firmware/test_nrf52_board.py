"""The micro:bit V2's own peripherals, which no emulator has: pins, PWM units, converter, NFC pins.

Judge: Nordic's nRF52833 Product Specification, by models of the peripherals in nrf52_board.c; the pins of the
edge connector as in the schematic of the micro:bit V2.
"""

from __future__ import annotations

import subprocess
from functools import cache
from itertools import permutations
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from tests.tools import folder_for_tests
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.generate import generate
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

BOARD = "microbit-v2"
MODEL = Path(__file__).with_name("nrf52_board.c")
SOURCES = "pwm.c", "adc.c", "pins.c", "chip.c", "wire.c"
NO_ASSEMBLY = "-D__asm=", "-Dvolatile(...)="
"""Leave out what only an ARM processor understands: locks."""
SEEN = """volatile uint32_t *register_at(uint32_t address);
#define REGISTER(address) (*register_at(address))
#define REGISTERS(address) register_at(address)
"""
"""Let the model see each access to a register."""
EDGE = dict(
    pair.split("=")
    for pair in """P0=0.02 P1=0.03 P2=0.04 P3=0.31 P4=0.28 P5=0.14 P6=1.05 P7=0.11 P8=0.10 P9=0.09 P10=0.30
    P11=0.23 P12=0.12 P13=0.17 P14=0.01 P15=0.13 P16=1.02 P19=0.26 P20=1.00""".split()
)
"""Port and bit of each pin of the edge connector."""
BUS = {"I2C_INT_SDA": 16, "I2C_INT_SCL": 8}
"""Pins of port 0 to the board's own accelerometer and compass."""
ANALOG = {"P0": 0, "P1": 1, "P2": 2, "P3": 7, "P4": 4, "P10": 6}
"""Analog inputs of the chip."""
PERIOD, SERVO = 2040.0, 20000.0
"""us."""
NFC = 0xFFFFFFFF


def number(pin: str) -> int:
    """The number of a pin in the chip's registers."""
    port, bit = EDGE[pin].split(".")
    return 32 * int(port) + int(bit)


@cache
def model() -> Path:
    """The board's code with the models."""
    require_tool("cc", "compiles the model")
    folder = Path(folder_for_tests("nrf52-"))
    (folder / "hardware.toml").write_text(propose(two_wheels(), str(WORLD), BOARD))
    project = folder / "firmware"
    generate(load_hardware(folder / "hardware.toml", two_wheels()), project)
    header = project / "nrf.h"
    lines = header.read_text().splitlines(keepends=True)
    plain = [one for one in lines if not one.startswith(("#define REGISTER(", "#define REGISTERS("))]
    assert len(plain) == len(lines) - 2
    header.write_text("".join(plain).replace("#include <stdint.h>\n", f"#include <stdint.h>\n{SEEN}"))
    # Registers of 32 bits hold addresses of variables, so the program is at low addresses.
    options = ["-O1", "-w", "-no-pie", "-fno-pie", *NO_ASSEMBLY, f"-I{project}"]
    files = [str(MODEL), *(str(project / one) for one in SOURCES)]
    subprocess.run(["cc", *options, *files, "-o", str(folder / "model")], check=True, cwd=folder)
    return folder / "model"


def lines(*commands: str) -> list[str]:
    """What the model answers to commands."""
    text = "".join(f"{one}\n" for one in commands)
    done = subprocess.run([model()], input=text, capture_output=True, text=True, check=False, timeout=20)
    assert done.returncode == 0, done.stdout
    return done.stdout.splitlines()


def pulses(line: str) -> dict[int, tuple[float, float]]:
    """The period and the high time of each pin that a PWM unit drives, in us."""
    words = line.split()
    return {int(words[k]): (float(words[k + 1]), float(words[k + 2])) for k in range(0, len(words), 3)}


def test_pins_are_those_of_the_edge_connector():
    board = load_board(BOARD)
    assert board.pins_header is not None
    text = board.pins_header.read_text()
    assert list(board.pins) == [*EDGE, *(f"ROW{k}" for k in range(1, 6)), *BUS]
    for pin in EDGE:
        assert f"#define PIN_{pin} {number(pin)}\n" in text
    for pin, place in BUS.items():
        assert f"#define PIN_{pin} {place}\n" in text


@pytest.mark.parametrize("pin", [pin for pin, able in load_board(BOARD).pins.items() if "pwm" in able])
def test_duties_and_pulses_of_a_pin(pin: str):
    """A duty is a part of 255 of the period; 0 and 255 have no edges; a pulse has its length each 20 ms."""
    commands = [f"pwm {number(pin)} {duty}" for duty in (1, 128, 0, 255, 254)]
    commands += [f"servo {number(pin)} {us}" for us in (1500, 600, 0, 2400)]
    found = [pulses(one) for one in lines(*commands)]
    right = [(PERIOD, PERIOD * duty / 255) for duty in (1, 128, 0, 255, 254)]
    right += [(SERVO, us) for us in (1500.0, 600.0, 0.0, 2400.0)]
    assert found == [{number(pin): one} for one in right]


@pytest.mark.parametrize(("hertz", "tick"), [(31, 1.0), (488, 1.0), (489, 1 / 16), (62_500, 1 / 16)])
def test_a_frequency_of_the_map(hertz: int, tick: float):
    """A period is a whole number of ticks of 16 MHz or 1 MHz, at most 2^15 of them."""
    pin = number("P12")
    commands = [f"hertz {pin} {hertz}", *(f"pwm {pin} {duty}" for duty in (1, 128, 254))]
    period = round(1e6 / hertz / tick) * tick
    assert period / tick < 1 << 15 and period * hertz == pytest.approx(1e6, rel=1 / 500)
    for duty, line in zip((1, 128, 254), lines(*commands), strict=True):
        assert pulses(line)[pin] == pytest.approx((period, period * duty / 255), abs=tick / 2 + 1e-3)


def test_all_outputs_of_the_units_at_the_same_time():
    able = {pin: functions["pwm"] for pin, functions in load_board(BOARD).pins.items() if "pwm" in functions}
    commands, right = [], {}
    for k, (pin, unit) in enumerate(able.items()):
        is_servo = unit == "1"
        commands.append(f"servo {number(pin)} {600 + k}" if is_servo else f"pwm {number(pin)} {10 * k + 5}")
        right[number(pin)] = (SERVO, 600.0 + k) if is_servo else (PERIOD, 8.0 * (10 * k + 5))
    assert pulses(lines(*commands)[-1]) == right


def test_voltages_are_compared_with_the_supply():
    """RESULT = V * GAIN / REFERENCE * 2^12, and the largest result is 4095."""
    found = lines(
        *(f"volt {k} {k / 8 + 0.05}" for k in ANALOG.values()),
        *(f"adc {number(pin)}" for pin in ANALOG),
        "volt 0 -0.001", f"adc {number('P0')}", "volt 0 1.0", f"adc {number('P0')}",
    )  # fmt: skip
    assert found == [*(str(int((k / 8 + 0.05) * 4096)) for k in ANALOG.values()), "0", "4095"]
    assert list(ANALOG) == load_board(BOARD).able("analog")


def test_changes_of_pins_of_both_ports_interrupt():
    """Once for each change, also when another pin stays changed."""
    a, b, c = number("P0"), number("P16"), number("P20")
    commands = [f"watch {a}", f"watch {b}"]
    commands += [f"level {pin} {level}" for pin, level in ((a, 1), (b, 1), (b, 0), (a, 0), (c, 1), (b, 1))]
    assert [int(one) for one in lines(*commands)] == [1, 2, 3, 4, 4, 5]


@pytest.mark.parametrize("reads", range(1, 5))
def test_pins_that_change_during_an_interrupt_interrupt_again(reads: int):
    """PORT comes only when DETECT rises: a pin that keeps it high would end all interrupts.

    Another pin changes once the board has read its inputs so often in the interrupt; the model fails if the
    program does not see the levels that the pins have in the end.
    """
    pins = [number(one) for one in ("P0", "P1", "P16", "P20")]
    commands = [f"watch {pin}" for pin in pins]
    pairs = list(permutations(pins, 2))
    for pin, other in pairs:
        commands += [f"flip {other} {reads}", f"level {pin} 1", f"level {pin} 0", f"level {other} 0"]
    assert int(lines(*commands)[-1]) >= 3 * len(pairs), "the other pin may change before it is armed again"


def test_a_watched_pin_still_interrupts_after_it_was_an_output():
    """As a line sensor's, which is charged by an output before its discharge is timed."""
    pin, other = number("P0"), number("P16")
    commands = [f"output {pin} 1", f"watch {pin}", f"watch {other}", f"level {pin} 1", f"level {other} 1"]
    commands += [f"output {pin} 1", f"input {pin} 0", f"level {pin} 0"]
    *_, before, _, after = lines(*commands)
    assert int(after) == int(before) + 1


def test_outputs_of_both_ports():
    """OUT, DIR, and DRIVE 3: the strong outputs for both levels."""
    for pin in ("P0", "P16"):
        assert lines(f"output {number(pin)} 1", f"output {number(pin)} 0") == ["1 1 3", "0 1 3"]


def test_the_pins_of_the_antenna_become_ordinary_once():
    """PROTECT is bit 0 of NFCPINS; a reset makes it valid. Nothing is written to other chips."""
    free = NFC - 1
    assert lines(f"start 4096 {NFC}", f"start 4096 {free}", f"start 1024 {NFC}") == [
        f"{free} 0 1 90",
        f"{free} 0 0 90",
        f"{NFC} 0 0 0",
    ]
    assert lines(f"worn 4096 {NFC}")[0].split()[2] == "0", "no reset, which would come again for ever"


def test_the_wire_is_at_the_pins_of_the_interface_chip():
    """P0.06 sends and P1.08 receives, by the schematic; 115200 baud is 0x01D7E000 (BAUDRATE)."""
    assert lines("wire 0") == [f"6 {32 + 8} {0x01D7E000} 4 1 1 {1 << 2 | 1 << 7} 1 1"]
