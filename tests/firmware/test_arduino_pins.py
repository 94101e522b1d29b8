"""The pins of boards with an AVR are those of the Arduino core.

Judge: the tables in pins_arduino.h of the Debian package arduino-core-avr. The emulator finds pins by these
same places, so each test that drives pins compares the firmware's own tables with them.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import absent
from wbridge.wbfirmware.boards.board import load_board

VARIANTS = Path("/usr/share/arduino/hardware/arduino/avr/variants")
FIRST_ANALOG = {"standard": 14, "mega": 54, "leonardo": 18}
"""Number of A0 among the digital pins, from the definition of PIN_A0."""
BOARDS = {
    "arduino-uno": "standard",
    "arduino-nano": "standard",
    "arduino-mega": "mega",
    "arduino-leonardo": "leonardo",
}
FAST_TIMER = "4"
"""Timer of the ATmega32U4 that the firmware does not use."""
pytestmark = pytest.mark.boards


def table(variant: str, name: str, entry: str) -> list[str]:
    """The entries of an array; of two kinds of processors, those of the one that is not an ATmega8."""
    file = VARIANTS / variant / "pins_arduino.h"
    if not file.is_file():
        absent("arduino-core-avr is not installed: its tables judge the pins")
    found = re.search(rf"{name}\[\]\s*=\s*\{{(.*?)\}};", file.read_text(), re.DOTALL)
    assert found is not None
    code = re.sub(r"//.*|/\*.*?\*/", "", found[1])
    return re.findall(entry, re.sub(r"#if.*?#else", "", code, flags=re.DOTALL))


@pytest.mark.parametrize("board", BOARDS)
def test_ports_bits_and_timers_are_those_of_the_arduino_core(board: str):
    variant = BOARDS[board]
    ports = table(variant, "digital_pin_to_port_PGM", r"\bP([A-L])\b")
    bits = table(variant, "digital_pin_to_bit_mask_PGM", r"_BV\(\s*(\d)\s*\)")
    timers = table(variant, "digital_pin_to_timer_PGM", r"NOT_ON_TIMER|TIMER\d[A-D]")
    for pin, place in load_board(board).emulation["pins"].items():
        if pin in ("A6", "A7") and variant == "standard":
            continue  # analog only: they have no number
        k = int(pin[1:]) + (FIRST_ANALOG[variant] if pin[0] == "A" else 0)
        words = place.split()
        assert words[0] == ports[k] + bits[k], pin
        output = next((one[2:] for one in words if one.startswith("OC")), "")
        if variant == "leonardo" and timers[k][5] == FAST_TIMER:
            assert output == ""
        else:
            assert timers[k] == (f"TIMER{output}" if output else "NOT_ON_TIMER"), pin


def test_the_analog_channels_of_the_leonardo_are_those_of_the_arduino_core():
    channels = table("leonardo", "analog_pin_to_channel_PGM", r"\d+")
    pins = [*(f"A{k}" for k in range(6)), "D4", "D6", "D8", "D9", "D10", "D12"]
    places = load_board("arduino-leonardo").emulation["pins"]
    found = [re.search(r"ADC(\d+)", places[pin]) for pin in pins]
    assert [one and one[1] for one in found] == channels
