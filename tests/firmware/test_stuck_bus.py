"""An I2C bus that is stuck does not hang the Uno, and is freed by clocks."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from wbridge.wbfirmware.template_folders import templates_path

MOST_US = 5000
REGISTERS = """#include <stdint.h>
#define _BV(bit) (1 << (bit))
#define TWIE 0
#define TWEN 2
#define TWSTO 4
#define TWSTA 5
#define TWEA 6
#define TWINT 7
extern volatile uint8_t TWBR, TWSR, TWCR, TWDR;
"""
STATUS = """#define TW_STATUS (TWSR & 0xF8)
#define TW_START 0x08
#define TW_REP_START 0x10
#define TW_MT_SLA_ACK 0x18
#define TW_MT_DATA_ACK 0x28
#define TW_MR_SLA_ACK 0x40
#define TW_READ 1
"""
"""Status codes of the ATmega328P's data sheet, tables 22-3 and 22-4."""
INTERRUPTS = "#define ISR(vector) void vector(void); void vector(void)\n"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Uno's driver of the bus with registers that are variables."""
    compiler = require_tool("cc", "compiles the driver of the bus")
    folder = tmp_path_factory.mktemp("bus")
    (folder / "avr").mkdir()
    (folder / "avr" / "io.h").write_text(REGISTERS)
    (folder / "avr" / "interrupt.h").write_text(INTERRUPTS)
    (folder / "util").mkdir()
    (folder / "util" / "twi.h").write_text(STATUS)
    shared, project = templates_path() / "boards" / "shared", templates_path() / "project"
    sources = [shared / "avr" / "i2c.c", Path(__file__).with_name("stuck_bus.c")]
    options = ["-Wall", "-Wextra", "-Werror", f"-I{folder}", f"-I{project}"]
    options += [f"-I{shared / part}" for part in ("atmega328p", "uno_pins")]
    subprocess.run([compiler, *options, "-o", str(folder / "bus"), *map(str, sources)], check=True)
    return folder / "bus"


@pytest.mark.parametrize(("needed", "clocks"), [(0, 0), (4, 4), (9, 9), (100, 9)])
def test_a_stuck_bus_is_given_up_in_time_and_freed_by_clocks(program: Path, needed: int, clocks: int):
    done = subprocess.run([program, str(needed)], capture_output=True, text=True, timeout=10, check=True)
    succeeded, microseconds, seen, ready = map(int, done.stdout.split())
    assert (succeeded, seen, ready) == (0, clocks, 1)
    assert microseconds < MOST_US
