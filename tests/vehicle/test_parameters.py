"""The judge of the figures in customData: as models write them, and refused when they are none."""

from __future__ import annotations

import pytest

from tests.vehicle.figures import CAR, TEXT
from tests.vehicle.parameters import Parameters
from wbridge.hal.client.errors import VehicleError


def test_figures_are_read_in_their_order():
    assert (CAR.wheelbase, CAR.track_front, CAR.track_rear) == (3, 1.6, 1.5)
    assert (CAR.front_wheel_radius, CAR.rear_wheel_radius) == (0.35, 0.4)
    assert (CAR.brake_coefficient, CAR.wheels_damping, CAR.engine) == (1000, 5, 0)
    assert (CAR.max_torque, CAR.max_power, CAR.min_rpm, CAR.max_rpm) == (250, 50000, 1000, 4500)
    assert CAR.coefficients == (150, 0.1, -0.00001)
    assert (CAR.split_ratio, CAR.split_rpm, CAR.sound_rpm) == (0.25, 3000, 1200)
    assert (CAR.gear_ratios, CAR.sound) == ((-12, 10, 5, 2.5), "none")


@pytest.mark.parametrize(("letter", "engine"), [("C", 0), ("E", 1), ("P", 2), ("S", 3), ("x", 0)])
def test_the_engine_is_a_letter(letter: str, engine: int):
    assert Parameters.parse(TEXT.replace(" C ", f" {letter} ")).engine == engine


def test_the_sound_may_have_spaces_and_ends_after_its_length():
    text = TEXT.replace(" 4 4 -12", " 4 12 -12").replace("none", "my sound.wav and more")
    assert Parameters.parse(text).sound == "my sound.wav"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "lacks the 20 values"),
        ("a robot of mine", "lacks the 20 values"),
        (TEXT.replace("3 1.6", "x 1.6"), "wheelbase is 'x', not a number"),
        (TEXT.replace("0.4 1000", "0.4 nan"), "brake_coefficient is 'nan', not a finite number"),
        (TEXT.replace("10 5 2.5", "10 5 g"), "a gear ratio is 'g'"),
        (TEXT.replace(" 4 4 ", " 9 4 "), "announces 9 gear ratios"),
        (TEXT.replace(" 4 4 ", " 1 4 "), "announces 1 gear ratios"),
        (TEXT.replace(" 4 4 ", " -4 4 "), "announces -4 gear ratios"),
        (TEXT.replace(" 4 4 ", " 1e30 4 "), "announces 1000000000000000019884624838656 gear ratios"),
    ],
)
def test_other_texts_are_refused_with_the_reason(text: str, told: str):
    with pytest.raises(VehicleError, match=told):
        Parameters.parse(text)
