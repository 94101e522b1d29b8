"""The rules of registers: what they compute, by tables and examples of the data sheets."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import pytest

from tests.firmware.rovers import WITH_LINE, prepare
from wbridge.wbcore.scene.load import load_world
from wbridge.wbcore.scene.tables.device_tables import device_tables
from wbridge.wbfirmware.map.hardware import Hardware
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbverify.registers import Rule

AVR = 0x800000
UNO = {
    0xC0: 1 << 1, 0xC2: 0x06, 0xC4: 16, 0x7A: 0x87, 0x7C: 0x40, 0xB8: 12, 0x60: 0x4D,
    0x24: 0, 0x25: 0xFF, 0x27: 0, 0x28: 0xFF, 0x2A: 0, 0x2B: 0xFF,
}  # fmt: skip
"""As the firmware of an Uno should leave it: 115200 baud, I2C at 400 kHz, ADC at 125 kHz, watchdog 0.5 s."""


@pytest.fixture(scope="module")
def rover(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Hardware]:
    """The rover's hardware map for a board."""

    def make(board: str) -> Hardware:
        folder = tmp_path_factory.mktemp(board)
        path = prepare(folder, board, has_line=board in WITH_LINE)
        tables = device_tables(load_world(folder / "worlds" / "rover.wbt"))
        return load_hardware(path, next(one for one in tables if one.name == "rover"))

    return make


def wrong(rules: list[Rule], content: dict[int, int], base: int = 0) -> set[str]:
    """The quantities that are outside of their limits with some bytes in the registers."""

    def read(place: int, size: int) -> int:
        data = [content.get(place - base + k, 0) for k in range(size)]
        return int.from_bytes(bytes(data), "little")

    return {one.quantity for one in rules if not one.low <= one.value(read) <= one.high}


def rules_of(hardware: Hardware) -> list[Rule]:
    """The rules of a board's emulator."""
    found: list[Rule] = import_module(f"wbridge.wbverify.registers.{hardware.board.emulator}").rules(hardware)
    return found


@pytest.mark.parametrize(
    ("register", "value", "quantity"),
    [
        pytest.param(0xC4, 33, "baud rate of the wire", id="half the baud rate"),
        pytest.param(0xC4, 15, "baud rate of the wire", id="8 % too fast"),
        pytest.param(0xC4, 17, "baud rate of the wire", id="4 % too slow"),
        pytest.param(0xC0, 0, "baud rate of the wire", id="16 clocks per sample"),
        pytest.param(0xC2, 0x26, "frame of the wire (UCSRnC)", id="parity"),
        pytest.param(0xC2, 0x0E, "frame of the wire (UCSRnC)", id="two stop bits"),
        pytest.param(0x7A, 0x81, "clock of the ADC in kHz", id="8 MHz"),
        pytest.param(0x7A, 0x86, "clock of the ADC in kHz", id="250 kHz"),
        pytest.param(0x7C, 0xC0, "reference of the ADC (REFS)", id="1.1 V"),
        pytest.param(0x7C, 0x00, "reference of the ADC (REFS)", id="AREF"),
        pytest.param(0xB8, 2, "clock of the I2C bus in kHz", id="800 kHz"),
        pytest.param(0xB8, 72, "clock of the I2C bus in kHz", id="100 kHz"),
        pytest.param(0xB8, 255, "clock of the I2C bus in kHz", id="30 kHz"),
        pytest.param(0x60, 0x40, "time of the watchdog in ms", id="off"),
        pytest.param(0x60, 0x69, "time of the watchdog in ms", id="8 s"),
        pytest.param(0x60, 0x0D, "interrupt of the watchdog (WDIE)", id="no note of the reset"),
        pytest.param(0x53, 0x05, "sleep mode (SM)", id="power-down"),
        pytest.param(0x25, 0xFB, "pull-up of D10", id="no pull-up"),
        pytest.param(0x27, 0x04, "pull-up of A2", id="an output"),
        pytest.param(0x25, 0xEF, "pull-up of D12", id="no pull-up of a switch"),
    ],
)
def test_an_uno_must_keep_to_its_data_sheet(
    rover: Callable[[str], Hardware], register: int, value: int, quantity: str
):
    rules = rules_of(rover("arduino-uno"))
    assert wrong(rules, UNO, AVR) == set()
    assert wrong(rules, UNO | {register: value}, AVR) == {quantity}


PICO = {
    0x40044020: 187, 0x4004401C: 125, 0x40028000: 1, 0x40028008: 125, 0x40028009: 0, 0x4002800D: 0x20,
    0x4002800E: 0x06, 0x40010008: 0xFC, 0x40010009: 0xFF, 0x4001000A: 0x01,
    0x40058000: 0x58, 0x40058001: 0x3E, 0x40058002: 0x0F, 0x40058003: 0x40,
    0x4004407C: 38, 0x4005802C: 12, 0x4005802D: 0x02,
}  # fmt: skip
"""As the firmware of a Pico should leave it: bus, PLL, watchdog; the pads of its encoders follow."""


@pytest.mark.parametrize(
    ("changed", "quantity"),
    [
        pytest.param({0x40044020: 60, 0x4004401C: 60}, "clock of the I2C bus in kHz", id="976 kHz"),
        pytest.param({0x4004407C: 1}, "ns for which data of the I2C bus is held", id="8 ns"),
        pytest.param({0x4005802C: 11}, "cycles of the crystal in a microsecond", id="minus one"),
        pytest.param({0x4005802D: 0}, "cycles of the crystal in a microsecond", id="no tick"),
        pytest.param({0x40058003: 0}, "watchdog enabled", id="no watchdog"),
        pytest.param({0x40058002: 0x07}, "time of the watchdog in ms", id="a quarter of a second"),
        pytest.param({0x40010009: 0xBF}, "what the watchdog resets (WDSEL)", id="not everything"),
        pytest.param({0x40028008: 133}, "clock of the processor in Hz", id="133 MHz"),
        pytest.param({0x4001C004 + 4 * 5: 0x40}, "pull-up of GP5", id="no pull-up of the bus"),
        pytest.param({0x4001C004 + 4 * 6: 0x40}, "pull-up of GP6", id="no pull-up"),
        pytest.param({0x4001C004 + 4 * 6: 0x4C}, "pull-up of GP6", id="pulled up and down"),
        pytest.param({0x4001C004 + 4 * 6: 0x08}, "pull-up of GP6", id="input disabled"),
    ],
)
def test_a_pico_must_keep_to_its_data_sheet(
    rover: Callable[[str], Hardware], changed: dict[int, int], quantity: str
):
    rules = rules_of(rover("pico"))
    pins = [one.quantity.removeprefix("pull-up of GP") for one in rules if one.quantity.startswith("pull-up")]
    assert len(pins) == 7, "two encoders, a switch and a bus"
    pads = {0x4001C004 + 4 * int(pin): 0x48 for pin in pins}
    assert wrong(rules, PICO | pads) == set()
    assert wrong(rules, PICO | pads | changed) == {quantity}


@pytest.mark.parametrize(
    ("board", "register", "divider"),
    [
        ("stm32f405", 0x40011008, 729),
        ("nucleo-f446re", 0x40004408, 365),
        ("stm32vldiscovery", 0x40013808, 208),
    ],
)
def test_an_stm32_must_have_the_baud_rate(
    rover: Callable[[str], Hardware], board: str, register: int, divider: int
):
    """The nearest divider of the line's clock: 84, 42 and 24 MHz."""
    rules = rules_of(rover(board))

    def content(value: int) -> dict[int, int]:
        return {register: value & 0xFF, register + 1: value >> 8}

    assert wrong(rules, content(divider)) == set()
    for value in (0, divider // 2, divider * 2, round(divider * 1.08), round(divider / 1.08)):
        assert wrong(rules, content(value)) == {"baud rate of the wire"}
