"""The quadcopters of the sample worlds fly their ways."""

from __future__ import annotations

import re

import pytest

from tests.samples.runs import run


def test_a_crazyflie_flies_to_the_wall_and_back():
    done = run("crazyflie", 14)
    assert re.fullmatch(r"0.4\d m high after \d.\d s", done.lines[0])
    assert re.fullmatch(r"0.[45]\d? m before the wall, at 1.0\d m", done.lines[1])
    assert done.lines[2].startswith("back after ")
    assert done.simulation.node("CRAZYFLIE").translation == pytest.approx((0, 0, 0.5), abs=0.06)


@pytest.mark.slow
def test_a_mavic_flies_around_a_square():
    done = run("mavic", 30)
    places = [line.split(" m, ")[0] for line in done.lines]
    assert places == ["at 0 0", "at 2 0", "at 2 2", "at 0 2", "at 0 0"]
    assert done.simulation.node("MAVIC").translation == pytest.approx((0, 0, 1.5), abs=0.1)
