"""Radar: the radar equation, limits, speed, azimuth, obstacles, cells that merge, noise."""

from __future__ import annotations

import math

import pytest

from tests.devices.rig import OLD, STEP_MS, Rig, rig
from wbridge.wbcore.devices.radar import LIGHT_SPEED, Echo, merged

SIDE = -1
"""Azimuths are positive to the right."""


def target(place: str, name: str = "T", more: str = "", section: float = 2, size: float = 0.2) -> str:
    return (
        f'DEF {name} Solid {{ translation {place} name "{name}" radarCrossSection {section} {more} '
        f"boundingObject Box {{ size {size} {size} {size} }} }}"
    )


def radar(around: str, more: str = "", **options: object) -> Rig:
    r = rig(f'DEF R Radar {{ name "r" {more} }}', around, **options)
    r.enable("r")
    r.step()
    return r


def expected_power(distance: float, section: float = 2) -> float:
    """dBm for the default radar: 20 dBm, 20 dBi, 24 GHz."""
    watts = 0.1 * 100**2 * (LIGHT_SPEED / 24e9) ** 2 * section / ((4 * math.pi) ** 3 * distance**4)
    return 10 * math.log10(watts * 1000)


def test_distance_power_and_azimuth():
    (one,) = radar(target("10 0 0"))["r"].get_targets()
    assert one.distance == pytest.approx(10)
    assert one.received_power == pytest.approx(expected_power(10))
    assert one.speed == 0
    assert one.azimuth == pytest.approx(0)


@pytest.mark.parametrize(("place", "is_seen"), [
    ("10 3.9 0", True), ("10 -3.9 0", True), ("10 4.5 0", False), ("-10 0 0", False),
    ("10 0 0.5", True), ("10 0 0.8", False), ("49 0 0", True), ("51 0 0", False), ("0.5 0 0", False),
])  # fmt: skip
def test_the_field_of_view_and_the_range(place: str, is_seen: bool):
    assert (radar(target(place))["r"].get_number_of_targets() == 1) is is_seen


def test_a_target_that_reaches_into_the_view_is_at_its_border():
    (one,) = radar(target("10 4.4 0", size=1))["r"].get_targets()
    assert abs(one.azimuth) == pytest.approx(0.39)


@pytest.mark.parametrize(("y", "sign"), [(1, 1), (-1, -1)])
def test_the_sign_of_the_azimuth(y: int, sign: int):
    (one,) = radar(target(f"10 {y} 0"))["r"].get_targets()
    assert one.azimuth == pytest.approx(sign * SIDE * math.atan2(1, 10))


def test_old_radars_look_along_minus_z():
    (one,) = radar(target("1 0 -10"), header=OLD)["r"].get_targets()
    assert one.distance == pytest.approx(math.hypot(10, 1), rel=1e-3)
    assert one.azimuth == pytest.approx(math.atan2(1, 10))


def test_what_has_no_cross_section_is_no_target():
    assert radar(target("10 0 0", section=0))["r"].get_number_of_targets() == 0


def test_weak_echoes_are_lost():
    assert radar(target("40 0 0"), f"minDetectableSignal {expected_power(40) - 0.01}")["r"].get_targets()
    assert not radar(target("40 0 0"), f"minDetectableSignal {expected_power(40) + 0.01}")["r"].get_targets()


def test_a_near_target_counts_as_at_the_least_range():
    (one,) = radar(target("0.95 0 0"))["r"].get_targets()
    assert one.distance == 1


def test_speed_is_along_the_line_from_the_second_sample_on():
    r = radar(target("10 0 0", more="linearVelocity 3 4 0"))
    assert r["r"].get_targets()[0].speed == 0
    r.step()
    assert r["r"].get_targets()[0].speed == pytest.approx(3, rel=0.02)


def test_speed_is_relative_to_the_radar():
    r = radar(target("10 0 0", more="linearVelocity 3 0 0"), fields="linearVelocity 5 0 0")
    r.step()
    assert r["r"].get_targets()[0].speed == pytest.approx(-2)


@pytest.mark.parametrize(("limits", "is_seen"), [
    ("minRadialSpeed 1 maxRadialSpeed 4", True), ("minRadialSpeed 3.5 maxRadialSpeed 4", False),
    ("minRadialSpeed 2.5", True), ("minRadialSpeed 1", False), ("minRadialSpeed 4", False),
    ("maxRadialSpeed 2", False), ("minAbsoluteRadialSpeed 2", True), ("minAbsoluteRadialSpeed 4", False),
])  # fmt: skip
def test_speeds_beyond_the_limits_are_not_told(limits: str, is_seen: bool):
    r = radar(target("10 0 0", more="linearVelocity 3 0 0"), limits)
    r.step()
    assert bool(r["r"].get_targets()) is is_seen


def test_obstacles_hide_targets_if_they_are_to():
    wall = 'Solid { translation 5 0 0 name "w" boundingObject Box { size 0.1 2 2 } }'
    assert radar(target("10 0 0") + wall)["r"].get_number_of_targets() == 1
    assert radar(target("10 0 0") + wall, "occlusion TRUE")["r"].get_number_of_targets() == 0
    assert radar(target("10 0 0"), "occlusion TRUE")["r"].get_number_of_targets() == 1


def test_parts_of_a_target_do_not_hide_it():
    part = 'children [ Solid { translation -1 0 0 name "p" boundingObject Box { size 0.1 1 1 } } ]'
    assert radar(target("10 0 0", more=part), "occlusion TRUE")["r"].get_number_of_targets() == 1


def test_targets_in_one_cell_are_merged_by_their_powers():
    both = target("10 1 0", "A") + target("10 -1 0", "B", section=6)
    (one,) = radar(both, "cellDistance 1")["r"].get_targets()
    assert one.received_power == pytest.approx(expected_power(math.hypot(10, 1), 8), rel=1e-3)
    assert one.azimuth == pytest.approx(-SIDE * math.atan2(1, 10) / 2)
    assert radar(both)["r"].get_number_of_targets() == 2


def test_speeds_tell_targets_in_one_cell_apart():
    slow, fast = Echo(10, 1, 0, 0.1), Echo(10.2, 3, 5, 0.3)
    assert merged([slow, fast], 1, 2) == [slow, fast]
    (one,) = merged([slow, fast], 1, 0)
    assert one == pytest.approx((10.15, 4, 3.75, 0.25))
    assert merged([slow], 1, 0) == [slow]


@pytest.mark.parametrize(("noise", "pick"), [("rangeNoise", 0), ("speedNoise", 2), ("angularNoise", 3)])
def test_noise_has_the_field_as_deviation(noise: str, pick: int):
    r = radar(target("10 0 0"), f"{noise} 0.05")
    values = []
    for _ in range(500):
        r.step()
        values.append(r["r"].get_targets()[0][pick])
    mean = sum(values) / len(values)
    assert math.sqrt(sum((one - mean) ** 2 for one in values) / len(values)) == pytest.approx(0.05, rel=0.12)


def test_a_view_of_more_than_half_a_turn():
    wide = "horizontalFieldOfView 5"
    assert radar(target("-1 -10 0"), wide)["r"].get_number_of_targets() == 1
    assert radar(target("-10 0 0"), wide)["r"].get_number_of_targets() == 0
    assert radar(target("0 10 2"), wide)["r"].get_number_of_targets() == 0


def test_constants_and_changes():
    r = radar(target("10 0 0"))
    model = r["r"]
    assert (model.get_min_range(), model.get_max_range()) == (1, 50)
    assert model.get_horizontal_fov() == pytest.approx(0.78)
    r.set("R", "maxRange", 5.0)
    r.step()
    assert model.get_max_range() == 5
    assert model.get_number_of_targets() == 0
    r.set("R", "maxRange", 50.0)
    r.set("T", "translation", (20.0, 0.0, 0.0))
    r.step()
    assert model.get_targets()[0].distance == pytest.approx(20)
    assert r.period == STEP_MS
