"""The samples with physics plugins in C.

Judge: the weight m g of the load, and the speed sqrt(F / k) at which the drag k v^2 equals the thrust F.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys

import pytest

from tests.conftest import CHECKOUT, require_tool


def printed(name: str) -> list[float]:
    """The numbers in what the controller of a sample prints."""
    require_tool("cc", "compiles the plugin")
    command = [sys.executable, "-m", "wbridge", "run", f"worlds/{name}.wbt"]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout.split()[-1].endswith(f"+{name}")  # the hash of the state names the plugin
    return [float(one) for one in re.findall(r"\d+\.\d+", done.stdout.splitlines()[0])]


def test_the_scales_measure_the_weight_of_the_load():
    assert printed("scales") == [pytest.approx(1.5 * 9.81, abs=0.001)]


def test_the_blimp_flies_at_the_altitude_and_speed_that_its_forces_give():
    altitude, speed = printed("blimp")
    assert altitude == pytest.approx(2, abs=0.02)
    assert 0.9 * math.sqrt(0.2 / 0.8) < speed < math.sqrt(0.2 / 0.8)  # it also drifts outward in its turn
