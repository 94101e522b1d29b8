"""Lookup tables, noise and resolution."""

from __future__ import annotations

import math

import pytest

from wbridge.wbcore.devices.response import Response, rounded

TABLE = [(0, 1000, 0), (0.1, 1000, 0.1), (0.2, 400, 0.1), (0.4, 50, 0.3)]


class Fixed:
    """A source of noise that always gives the same."""

    def __init__(self, value: float) -> None:
        self.value = value
        self.drawn = 0

    def gaussian(self) -> float:
        self.drawn += 1
        return self.value


@pytest.mark.parametrize(
    ("value", "output", "noise"),
    [
        (-1, 1000, 0),
        (0, 1000, 0),
        (0.05, 1000, 0.05),
        (0.1, 1000, 0.1),
        (0.15, 700, 0.1),
        (0.3, 225, 0.2),
        (0.4, 50, 0.3),
        (9, 50, 0.3),
        (math.inf, 50, 0.3),
        (-math.inf, 1000, 0),
    ],
)
def test_output_and_noise_are_interpolated_and_clamped(value: float, output: float, noise: float):
    assert Response(TABLE).look_up(value) == pytest.approx((output, noise))


def test_noise_is_a_factor_and_drawn_only_if_there_is_some():
    random = Fixed(2)
    assert Response(TABLE)(0.15, random) == pytest.approx(700 * 1.2)
    assert random.drawn == 1
    assert Response(TABLE)(-1, random) == 1000
    assert random.drawn == 1


def test_an_empty_table_gives_the_input():
    assert Response([])(3.25, Fixed(1)) == 3.25
    assert Response([], 0.5)(3.3, Fixed(1)) == 3.5


def test_the_resolution_comes_after_the_noise():
    assert Response([(0, 0, 0.1), (1, 10, 0.1)], 2)(0.5, Fixed(2)) == 6


@pytest.mark.parametrize(
    ("value", "resolution", "expected"),
    [(1.4, 1, 1), (1.5, 1, 2), (-1.4, 1, 0), (-1.6, 1, -1), (7, -1, 7), (7, 0, 7), (0.26, 0.25, 0.25)],
)
def test_rounding_goes_up_at_halves_and_toward_zero_below_it(
    value: float, resolution: float, expected: float
):
    assert rounded(value, resolution) == expected


def test_what_is_not_a_number_stays_so():
    assert math.isnan(Response(TABLE, 1)(math.nan, Fixed(1)))
    assert math.isnan(rounded(math.nan, 1))
    assert rounded(math.inf, 1) == math.inf
    assert rounded(1e300, 1e-300) == 1e300


def test_a_jump_takes_the_later_row():
    assert Response([(0, 0, 0), (1, 1, 0), (1, 5, 0), (2, 5, 0)]).look_up(1)[0] == 5
