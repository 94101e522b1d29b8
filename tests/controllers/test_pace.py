"""Real time: an absolute schedule."""

from __future__ import annotations

import pytest

from wbridge.wbcore.world.pace import MOST_LATE_S, Pace


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_first_step_is_due_at_once():
    assert Pace(0.1, clock=Clock()).wait_s() == 0


def test_steps_are_due_in_a_row():
    clock = Clock()
    pace = Pace(0.1, clock=clock)
    pace.wait_s()
    pace.step()
    assert pace.wait_s() == pytest.approx(0.1)
    clock.now += 0.1
    assert pace.wait_s() == pytest.approx(0)
    pace.step()
    pace.step()
    assert pace.wait_s() == pytest.approx(0.2)


def test_lateness_is_caught_up():
    clock = Clock()
    pace = Pace(0.1, clock=clock)
    pace.wait_s()
    for _ in range(4):
        pace.step()
    clock.now += 0.5
    assert pace.wait_s() == 0
    pace.step()
    pace.step()
    assert pace.wait_s() == pytest.approx(0.1)


def test_the_speed_is_a_factor():
    pace = Pace(0.1, speed=4, clock=Clock())
    pace.wait_s()
    pace.step()
    assert pace.wait_s() == pytest.approx(0.025)


def test_too_much_lateness_is_told_once_and_forgotten():
    clock, told = Clock(), []
    pace = Pace(0.1, clock=clock, on_late=lambda: told.append(clock.now))
    pace.wait_s()
    for _ in range(3):
        clock.now += MOST_LATE_S + 1
        assert pace.wait_s() == 0
        pace.step()
        assert pace.wait_s() == pytest.approx(0.1)
    assert len(told) == 1
