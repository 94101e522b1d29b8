"""Means of several conversions of an analog input.

Judge: the mean of the numbers that the converter gives, in fractions.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import require_tool
from tests.firmware.conftest import WORLD, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import templates_path

PROGRAM = """#include <stdio.h>
#include "average.h"

static int next;

unsigned short board_adc(unsigned char pin) {
  const unsigned short codes[] = {1023, 0, 512, 7};
  return pin == 3 ? codes[next++ % 4] : 0;
}

int main(void) {
  printf("%.9g ", (double)average_adc(3, 1));
  next = 0;
  printf("%.9g ", (double)average_adc(3, 4));
  next = 0;
  printf("%.9g\\n", (double)average_adc(3, 32));
}
"""


def test_a_reading_is_the_mean_of_its_conversions(tmp_path: Path):
    compiler = require_tool("cc", "compiles a file of the firmware")
    project = templates_path() / "project"
    (tmp_path / "main.c").write_text(PROGRAM)
    for name, text in (
        ("bytes.h", "#include <stdint.h>\ntypedef float real;\n"),
        ("board.h", "#include <stdint.h>\nuint16_t board_adc(uint8_t pin);\n"),
    ):
        (tmp_path / name).write_text(text)
    for name in ("average.c", "average.h"):
        (tmp_path / name).write_text((project / name).read_text())
    files = [str(tmp_path / name) for name in ("main.c", "average.c")]
    subprocess.run([compiler, "-o", str(tmp_path / "main"), *files], check=True)
    printed = subprocess.run([tmp_path / "main"], check=True, capture_output=True, text=True).stdout
    assert printed.split() == ["1023", "385.5", "385.5"]


def averaged(folder: Path, board: str, samples: int) -> Path:
    text = propose(two_wheels(), str(WORLD), board)
    text, count = re.subn(r"samples = 1\b", f"samples = {samples}", text)
    assert count == 1, "the sample's robot has an analog sensor of distance"
    place = folder / "hardware.toml"
    place.write_text(text)
    return place


@pytest.mark.parametrize(
    ("board", "suffix"),
    [pytest.param("host", "", marks=pytest.mark.slow), ("arduino-uno", ""), ("host-python", "_python")],
)
def test_the_comparison_stays_exact(board: str, suffix: str, tmp_path: Path):
    place = averaged(tmp_path, board, 8)
    text = place.read_text().replace('flavor = "slave"', 'flavor = "standalone"')
    controller = WORLD.parents[1] / "controllers" / f"two_wheels_avoider{suffix}"
    place.write_text(text.replace("format = 1\n", f'format = 1\ncontroller = "{controller}"\n'))
    words = ["--steps", "100", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(place), *words]) == 0


@pytest.mark.parametrize("samples", [0, 33])
def test_other_numbers_are_refused(samples: int, tmp_path: Path):
    with pytest.raises(HardwareError, match=f"samples: found {samples}"):
        load_hardware(averaged(tmp_path, "host", samples), two_wheels())
