"""The NAO of the sample world waves, walks and turns, and its feet feel its weight."""

from __future__ import annotations

import re

import pytest

from tests.samples.runs import run

LINE = re.compile(r"(\w+): at (\S+) (\S+) m, (\S+) m above the ground, (\S+) kg on the feet")


@pytest.mark.slow
def test_it_walks_around_a_corner():
    done = run("nao", 40)
    assert done.outcome.status == 0
    found = [LINE.fullmatch(line).groups() for line in done.lines]
    assert [name for name, *_ in found] == ["HandWave", "Forwards50", "TurnLeft60", "Forwards50"]
    (x, y), (_, height, kilograms) = map(float, found[-1][1:3]), (0, *map(float, found[-1][3:]))
    assert x > 0.27
    assert y > 0.15
    assert height > 0.3
    # The robot's weight but for the plates with the sensors, 0.08 kg each.
    assert kilograms == pytest.approx(5.305 - 2 * 0.0806, abs=0.1)
