"""The law of contact "precise" with joints whose forces are measured, and with bodies of infinite mass."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.engine.test_precise import G, add_box, floor_world
from wbridge.wbcore.engine import Mass, Shape, World


def test_a_clamp_feels_the_weight_and_its_moment() -> None:
    """Statics: the child bears m g at its center; the parent at the distance l also the moment m g l."""
    world = World(dt=0.008, contacts="precise")
    wall = add_box(world, (0.1, 0.1, 0.1), (0, 0, 1))
    world.add_fixed(wall)
    arm = add_box(world, (0.2, 0.1, 0.1), (0.4, 0, 1))
    clamp = world.add_fixed(arm, wall)
    clamp.feedback = True
    world.step(50)
    assert clamp.force_on_child == pytest.approx((0, 0, G), abs=1e-5)
    assert clamp.force_on_parent == pytest.approx((0, 0, -G), abs=1e-5)
    assert clamp.torque_on_child == pytest.approx((0, 0, 0), abs=1e-4)
    assert clamp.torque_on_parent == pytest.approx((0, 0.4 * G, 0), abs=1e-4)


def test_a_hinge_and_the_floor_share_the_weight_of_a_beam() -> None:
    """Statics: a beam with a hinge at one end and a ball under the other bears half its weight at each."""
    world = floor_world(coulomb_friction=[0.0], bounce=0)
    beam = add_box(world, (1, 0.05, 0.02), (0, 0, 0.21))
    post = world.add_body(Mass.box(1, (0.02, 0.02, 0.2)), position=(0.5, 0, 0.1), kinematic=True)
    world.add_geom(Shape.sphere(0.1), post)
    hinge = world.add_hinge(beam, axis=(0, 1, 0), anchor=(-0.5, 0, 0.21))
    hinge.feedback = True
    world.contact_feedback = True
    world.step(100)
    borne = np.abs(world.contacts(solved=True).forces[:, 2]).sum()
    assert hinge.force_on_child[2] == pytest.approx(G / 2, rel=5e-3)
    assert hinge.force_on_child[2] + borne == pytest.approx(G, rel=1e-6)


def test_a_platform_of_infinite_mass_carries_a_box() -> None:
    """Friction accelerates the box with mu g until it has the speed of the platform, which nothing slows."""
    world = floor_world(dt=0.004, coulomb_friction=[0.4], bounce=0)
    platform = world.add_body(Mass.box(1, (2, 2, 0.1)), position=(0, 0, 0.15), kinematic=True)
    world.add_geom(Shape.box((2, 2, 0.1)), platform)
    platform.linear_velocity = (0.6, 0.8, 0)
    box = add_box(world, (0.2, 0.2, 0.1), (0, 0, 0.25 - 1e-5))
    world.step(25)
    assert np.linalg.norm(box.linear_velocity) == pytest.approx(0.4 * G * 0.1, rel=1e-3)
    world.step(100)
    assert box.linear_velocity == pytest.approx((0.6, 0.8, 0), abs=1e-6)
    assert platform.linear_velocity == pytest.approx((0.6, 0.8, 0))


def test_two_bodies_of_infinite_mass_pass_through_each_other() -> None:
    """Nothing can push them: they move on, every value stays finite, and no step is a fallback."""
    world = floor_world()
    boxes = [
        world.add_body(Mass.box(1, (0.2,) * 3), position=(x, 0, 0.05), kinematic=True) for x in (-0.2, 0.2)
    ]
    for box, speed in zip(boxes, (1, -1), strict=True):
        world.add_geom(Shape.box((0.2,) * 3), box)
        box.linear_velocity = (speed, 0, 0)
    rider = add_box(world, (0.05,) * 3, (0.2, 0, 0.175))
    world.step(50)
    assert [box.position[0] for box in boxes] == pytest.approx([0.2, -0.2])
    assert np.isfinite(rider.position).all()
    assert math.isfinite(rider.linear_velocity[2])
    assert world.fallbacks == 0
