"""Bodies without contacts move as Newton and Euler say.

The integrator is semi-implicit Euler: v += a dt, then x += v dt. For a constant acceleration it gives
x = v0 t + a t (t + dt) / 2 exactly, so it is off from the closed form by a t dt / 2.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.physics.worlds import OLD, OLDEST, G, box, simulation

BALL = "DEF BALL Solid { translation 0 0 100 %s boundingObject Sphere { radius 0.1 } physics Physics { } }"


def test_free_fall():
    s = simulation(BALL % "", step_ms=1)
    s.run(1.0)
    assert s.node("BALL").translation[2] == pytest.approx(100 - G * 1.0 * 1.001 / 2, abs=1e-9)
    assert s.node("BALL").linear_velocity[2] == pytest.approx(-G, abs=1e-9)


@pytest.mark.parametrize("step_ms", [0.1, 1, 8, 32])
def test_the_error_of_free_fall_is_proportional_to_the_step(step_ms: float):
    s = simulation(BALL % "", step_ms=step_ms)
    s.run(0.96)
    exact = 100 - G * 0.96**2 / 2
    assert s.node("BALL").translation[2] - exact == pytest.approx(-G * 0.96 * step_ms / 2000, rel=1e-6)


def test_a_microsecond_is_the_smallest_step():
    s = simulation(BALL % "", step_ms=0.001)
    s.step(1000)
    assert s.time == pytest.approx(1e-3)
    assert s.node("BALL").linear_velocity[2] == pytest.approx(-G * 1e-3)


def test_a_projectile_flies_a_parabola():
    s = simulation(BALL % "linearVelocity 3 4 12")
    s.run(2.0)
    expected = np.array([6, 8, 100 + 24 - G * 2 * 2.001 / 2])
    assert s.node("BALL").translation == pytest.approx(expected, abs=1e-8)


def test_old_and_new_worlds_fall_the_same_way():
    new = simulation("DEF B Solid { translation 0 0 5 boundingObject Cylinder { } physics Physics { } }")
    old = simulation("DEF B Solid { translation 0 5 0 boundingObject Cylinder { } physics Physics { } }", OLD)
    oldest = simulation(
        "DEF B Solid { translation 0 5 0 boundingObject Cylinder { } physics Physics { } }", OLDEST
    )
    for s in (new, old, oldest):
        s.run(0.5)
    height = new.node("B").translation[2]
    assert height == old.node("B").translation[1] == oldest.node("B").translation[1]


def test_old_and_new_worlds_roll_the_same_way():
    """The same scene with y up and with z up, axes exchanged by a quarter turn about x."""
    new = simulation(
        """Solid { boundingObject Plane { } } DEF C Solid { translation 0 0 0.1 rotation 1 0 0
        1.5707963267948966
        linearVelocity 1 0 0 boundingObject Cylinder { radius 0.1 height 0.2 } physics Physics { } }"""
    )
    old = simulation(
        """Solid { boundingObject Plane { } } DEF C Solid { translation 0 0.1 0 rotation 1 0 0
        1.5707963267948966
        linearVelocity 1 0 0 boundingObject Cylinder { radius 0.1 height 0.2 } physics Physics { } }""",
        OLD,
    )
    for s in (new, old):
        s.run(1.0)
    x, y, z = new.node("C").translation
    assert x == pytest.approx(2 / 3, rel=0.01)
    # The quarter turns add up differently in the last bits, which contacts make larger.
    assert old.node("C").translation == pytest.approx(np.array([x, z, -y]), abs=2e-3)


def test_a_torque_turns_a_box_by_its_moment_of_inertia():
    s = simulation(box(size="1 2 3", physics="mass 12 density -1"), info="gravity 0")
    body, _ = s.physics.carrier(s.node("BOX").node)
    for axis, moment in enumerate([4 + 9, 1 + 9, 1 + 4]):
        s.reset()
        torque = [0.0, 0.0, 0.0]
        torque[axis] = 2.0
        for _ in range(100):
            body.add_torque(torque)
            s.step()
        expected = np.zeros(3)
        expected[axis] = 2.0 * 0.1 / moment
        assert s.node("BOX").angular_velocity == pytest.approx(expected, abs=1e-12)


def test_a_force_off_the_center_turns_and_pushes():
    s = simulation(box(size="1 1 1", physics="mass 6 density -1"), info="gravity 0")
    body, _ = s.physics.carrier(s.node("BOX").node)
    body.add_force((3, 0, 0), (0, 0.5, 0))
    s.step()
    assert s.node("BOX").linear_velocity == pytest.approx(np.array([0.0005, 0, 0]), abs=1e-9)
    assert s.node("BOX").angular_velocity == pytest.approx(np.array([0, 0, -0.0015]), abs=1e-9)


def test_merged_solids_turn_about_their_common_center():
    """Two equal boxes 2 m apart: the middle moves straight, each box circles around it."""
    inner = box("B", "translation 2 0 0")
    text = box("A", f"children [ {inner} ] linearVelocity 1 0 0 angularVelocity 0 0 1")
    s = simulation(text, info="gravity 0")
    s.run(math.pi / 2)
    angle = round(1000 * math.pi / 2) / 1000
    middle = np.array([1 + angle, 0, 0])
    arm = np.array([math.cos(angle), math.sin(angle), 0])
    assert s.node("A").translation == pytest.approx(middle - arm, abs=1e-3)
    assert s.node("A.B").translation == pytest.approx(middle + arm, abs=1e-3)
    assert s.node("A").linear_velocity == pytest.approx(np.array([2, 0, 0]), abs=2e-3)


def test_angular_momentum_of_a_tumbling_body_is_kept():
    s = simulation(box(size="1 2 3", fields="angularVelocity 1 2 0.5"), info="gravity 0", step_ms=0.5)
    inertia = np.diag([4 + 9, 1 + 9, 1 + 4])

    def momentum() -> np.ndarray:
        turn = s.node("BOX").pose[:3, :3]
        return turn @ inertia @ turn.T @ s.node("BOX").angular_velocity

    before = momentum()
    s.run(1.0)
    # First order in the step: |w|^2 t dt / 2 is about 0.1 percent.
    assert momentum() == pytest.approx(before, rel=0.01, abs=0.05)


def test_damping_takes_its_share_of_the_velocity_per_second():
    s = simulation(
        box(fields="linearVelocity 1 0 0", physics="damping Damping { linear 0.3 angular 0 }"),
        info="gravity 0",
    )
    s.run(2.0)
    assert s.node("BOX").linear_velocity[0] == pytest.approx(0.7**2, rel=1e-9)


def test_a_solid_without_physics_moves_by_its_hidden_velocity():
    s = simulation(
        "DEF A Solid { linearVelocity 1 0 0 angularVelocity 0 0 1 boundingObject Box { size 1 1 1 } }"
    )
    s.run(1.0)
    assert s.node("A").translation == pytest.approx(np.array([1, 0, 0]))
    assert s.node("A").rotation == pytest.approx(np.array([0, 0, 1, 1]))
    assert s.node("A").velocity == pytest.approx(np.array([1, 0, 0, 0, 0, 1]))


def test_no_body_spins_faster_than_ten_thousand_radians_per_second():
    s = simulation(
        "DEF A Solid { boundingObject Sphere { radius 0.1 } physics Physics { } }", info="gravity 0"
    )
    s.node("A").set_velocity(angular=(0, 0, 20000))
    s.step()
    assert s.node("A").angular_velocity[2] == pytest.approx(10000)


def test_a_body_that_was_saved_far_away_goes_on_falling():
    """As in two public worlds, whose robot without a shape has fallen for hours: v + g t, no explosion."""
    body = "translation 0 0 -1.5e10 linearVelocity 0 0 -543200"
    s = simulation(box("BOX", body))
    for _ in range(100):
        s.step()
    assert s.node("BOX").linear_velocity[2] == pytest.approx(-543200 - G * 0.1)
    assert s.node("BOX").pose[2, 3] == pytest.approx(-1.5e10 - 54320, abs=1)
