"""What a sweep varies, and the values of its runs."""

from __future__ import annotations

import pytest

from tests.fleet.worlds import TEXT
from wbridge.wbcore.scene.load import load_text
from wbridge.wbfleet.sweeps.variations import (
    METHODS,
    Variation,
    VariationError,
    choose,
    parse,
    values_of_runs,
)


def parsed(*texts: str) -> list[Variation]:
    world = load_text(TEXT)
    return [parse(text, world) for text in texts]


def test_choices_ranges_and_equal_steps() -> None:
    choice, whole, steps, real = parsed(
        "counter.controller=a,b", "seed=3..5", "BALL.translation[2]=0..1/3", "WorldInfo.gravity=3.7..9.81"
    )
    assert [choice.nth(i) for i in range(choice.size)] == ["a", "b"]
    assert [whole.nth(i) for i in range(whole.size)] == ["3", "4", "5"]
    assert steps.choices == ("0.0", "0.5", "1.0")
    assert (real.low, real.high, real.is_discrete) == (3.7, 9.81, False)


def test_values_of_the_link_become_seconds() -> None:
    few, steps, real, lost = parsed(
        "link.latency=5ms,0.02", "link.jitter=0..50ms/3", "link.latency=10ms..0.2s", "link.lose=0..0.05"
    )
    assert few.choices == ("0.005", "0.02")
    assert steps.choices == ("0.0", "0.025", "0.05")
    assert (real.low, real.high, real.is_discrete) == (0.01, 0.2, False)
    assert (lost.low, lost.high) == (0.0, 0.05)


def test_whole_numbers_follow_from_the_field_not_from_the_text() -> None:
    rays, height = parsed("ROBOT.eye.numberOfRays=1..4", "BALL.translation[2]=1..4")
    assert (rays.is_whole, height.is_whole) == (True, False)


def test_a_grid_has_every_combination() -> None:
    varied = parsed("seed=1,2", "WorldInfo.gravity=1..3/3")
    assert choose(varied) == "grid"
    runs = values_of_runs(varied, "grid", None, 0)
    assert [tuple(one.values()) for one in runs] == [
        (seed, gravity) for seed in "12" for gravity in ("1.0", "2.0", "3.0")
    ]


@pytest.mark.parametrize("method", METHODS[1:])
def test_sampled_values_are_in_their_ranges_and_reproducible(method: str) -> None:
    varied = parsed("BALL.translation[2]=1..2", "counter.controller=a,b,c", "seed=1..10")
    runs = values_of_runs(varied, method, 64, 7)
    assert runs == values_of_runs(varied, method, 64, 7) != values_of_runs(varied, method, 64, 8)
    assert all(1 <= float(one["BALL.translation[2]"]) < 2 for one in runs)
    assert {one["counter.controller"] for one in runs} == {"a", "b", "c"}
    assert {int(one["seed"]) for one in runs} <= set(range(1, 11))


def test_a_latin_hypercube_hits_each_slice_of_each_range_once() -> None:
    """Judge: the definition of Latin hypercube sampling."""
    varied = parsed("BALL.translation[2]=0..1", "WorldInfo.gravity=0..1")
    runs = values_of_runs(varied, "latin-hypercube", 20, 1)
    for one in varied:
        assert sorted(int(20 * float(run[one.place])) for run in runs) == list(range(20))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("WorldInfo.gravity", "is not PLACE=VALUES"),
        ("WorldInfo.gravty=1,2", "did you mean 'gravity'"),
        ("WorldInfo.gravity=2..1", "must be less"),
        ("WorldInfo.gravity=a..b", "must be numbers"),
        ("WorldInfo.gravity=1..2/1", "not a number of values"),
        ("seed=0.5..2", "whole numbers"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(VariationError, match=message):
        parsed(text)


def test_methods_must_fit() -> None:
    ranged, chosen = parsed("WorldInfo.gravity=1..2"), parsed("seed=1,2")
    with pytest.raises(VariationError, match=r"for a grid write WorldInfo.gravity=1..2/5"):
        values_of_runs(ranged, "grid", None, 0)
    with pytest.raises(VariationError, match="--runs N"):
        values_of_runs(ranged, "random", None, 0)
    with pytest.raises(VariationError, match="the grid has 2 runs"):
        values_of_runs(chosen, "grid", 3, 0)
    with pytest.raises(VariationError, match="seed is varied twice"):
        values_of_runs([*chosen, *chosen], "grid", None, 0)
