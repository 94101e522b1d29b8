"""Solids that are held together while a world runs, and what becomes of them in states and changes."""

from __future__ import annotations

import pytest

from tests.physics.worlds import box, simulation
from wbridge.wbcore.simulation import Simulation, StateError

TWO = box("A", "translation 0 0 1") + box("B", "translation 2 0 1")


def ends(made: Simulation) -> list[float]:
    return [float(made.node(name).translation[2]) for name in ("A", "B")]


def tied(text: str = TWO, step_ms: float = 8) -> Simulation:
    made = simulation(text, step_ms=step_ms)
    assert made.physics.ties.tie(made.node("A").node, made.node("B").node) is not None
    return made


def test_a_tie_to_the_world_holds_a_body_where_it_is():
    made = simulation(TWO, step_ms=8)
    made.physics.ties.tie(made.node("A").node)
    made.step(50)
    high, low = ends(made)
    assert high == pytest.approx(1, abs=5e-3)
    assert low < 0.3


def test_two_bodies_keep_their_distance_and_orientation():
    made = tied()
    made.node("A").set_velocity(linear=(0, 0, 5))
    made.step(50)
    a, b = made.node("A"), made.node("B")
    assert sum(
        (x - y) ** 2 for x, y in zip(a.translation, b.translation, strict=True)
    ) ** 0.5 == pytest.approx(2, abs=5e-3)
    assert list(a.quaternion) == pytest.approx(list(b.quaternion), abs=1e-3)


def test_the_force_is_what_the_tie_does_to_its_child():
    made = simulation(box("A", physics="density -1 mass 3"), step_ms=8)
    tie = made.physics.ties.tie(made.node("A").node)
    made.step(5)
    assert tie.force == pytest.approx((0, 0, 3 * 9.81), rel=1e-3)


def test_a_released_body_falls():
    made = tied(
        box("A", "translation 0 0 1") + 'DEF B Solid { translation 9 0 0 name "b" boundingObject Box { } }'
    )
    made.step(10)
    assert ends(made)[0] == pytest.approx(1, abs=5e-3)
    made.physics.ties.release(next(iter(made.physics.ties)))
    made.step(50)
    assert ends(made)[0] < 0.5


def test_solids_without_physics_cannot_be_tied():
    made = simulation('DEF A Solid { name "a" } DEF B Solid { name "b" }', step_ms=8)
    assert made.physics.ties.tie(made.node("A").node, made.node("B").node) is None
    assert made.physics.ties.tie(made.node("A").node) is None


def test_a_state_brings_its_ties_back():
    made = tied()
    made.physics.ties.tie(made.node("B").node)
    made.step(5)
    state, ahead = made.state(), None
    made.step(20)
    ahead = made.hash()
    first = next(iter(made.physics.ties))
    made.physics.ties.release(first)
    made.step(20)
    made.restore(state)
    assert len(made.physics.ties) == 2
    made.step(20)
    assert made.hash() == ahead


def test_a_state_without_ties_ends_them():
    made = simulation(TWO, step_ms=8)
    state = made.state()
    made.step(10)
    falling = made.hash()
    made.physics.ties.tie(made.node("A").node)
    made.restore(state)
    assert len(made.physics.ties) == 0
    made.step(10)
    assert made.hash() == falling


def test_a_state_with_ties_fits_a_fresh_simulation():
    made = tied()
    made.step(7)
    state = made.state()
    made.step(7)
    other = simulation(TWO, step_ms=8)
    other.restore(state)
    other.step(7)
    assert other.hash() == made.hash()


def test_a_reset_ends_ties():
    made = tied()
    made.step(5)
    made.reset()
    assert len(made.physics.ties) == 0
    made.step(5)
    assert ends(made)[0] < 1


def test_a_tie_outlives_a_change_that_builds_its_solid_anew():
    made = simulation(box("A", "translation 0 0 1").replace("Box", "DEF BOX Box") + box("B"), step_ms=8)
    made.physics.ties.tie(made.node("A").node)
    made.step()
    made.set_field(made.node("BOX").node, "size", (0.5, 0.5, 0.5))
    assert len(made.physics.ties) == 1
    made.step(30)
    assert ends(made)[0] == pytest.approx(1, abs=5e-3)


def test_a_tie_ends_with_its_solid():
    made = tied()
    made.edits.remove(made.node("B").node)
    assert len(made.physics.ties) == 0
    made.step(3)


@pytest.mark.parametrize("cut", [0, 3, 40])
def test_a_state_that_is_cut_off_is_refused(cut):
    made = tied()
    state = made.state()
    with pytest.raises(StateError):
        made.restore(state[:cut])
    made.step()
