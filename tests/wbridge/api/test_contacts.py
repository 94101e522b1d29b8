"""Contacts and rays. Judges: weight, and the geometry of boxes and planes."""

from __future__ import annotations

import math

import numpy as np
import pytest

import wbridge
from tests.wbridge.api.worlds import BOX

FLOOR = 'DEF FLOOR Solid { boundingObject Plane { size 10 10 } name "floor" locked TRUE }\n'
RESTING = FLOOR + BOX.replace("translation 0 0 2", "translation 0 0 0.1")


def test_the_floor_carries_the_weight():
    sim = wbridge.from_text(RESTING)
    assert not sim.contacts().forces.any()
    sim.contacts(forces=True)
    sim.run(0.5)
    found = sim.contacts(forces=True)
    assert set(map(frozenset, found.solids)) == {frozenset(("BOX", "FLOOR"))}
    signs = [1 if first == "BOX" else -1 for first, _ in found.solids]
    total = (found.forces * np.array(signs)[:, None]).sum(axis=0)
    np.testing.assert_allclose(total, [0, 0, 2 * 9.81], atol=1e-3)
    assert len(found) >= 3 and found.points.shape == found.normals.shape == (len(found), 3)
    assert (abs(found.normals[:, 2]) > 0.99).all() and (found.depths >= 0).all()
    assert len(found.between("BOX")) == len(found.between("FLOOR", "BOX")) == len(found)
    assert len(found.between("nothing")) == 0


def test_rays_meet_bounding_objects():
    sim = wbridge.from_text(RESTING)
    before = sim.hash()
    down, beside = (0, 0, -2), (3, 0, 1)
    hits = sim.cast_rays([(0, 0, 1), beside, (0, 0, 1), (-1, 0, 0.1)], [down, down, (0, 0, 1), (5, 0, 0)])
    assert hits.solids == ("BOX", "FLOOR", None, "BOX")
    np.testing.assert_allclose(hits.distances, [0.8, 1, math.inf, 0.9], atol=1e-9)
    np.testing.assert_allclose(hits.normals, [(0, 0, 1), (0, 0, 1), (0, 0, 0), (-1, 0, 0)], atol=1e-9)
    np.testing.assert_allclose(hits.points[[0, 3]], [(0, 0, 0.2), (-0.1, 0, 0.1)], atol=1e-9)
    assert np.isinf(hits.points[2]).all()
    assert sim.cast_rays(beside, down).distances.shape == (1,)
    assert sim.cast_rays(beside, down, length=0.5).solids == (None,)
    sim.step()
    other = wbridge.from_text(RESTING)
    assert other.hash() == before
    other.step()
    assert sim.hash() == other.hash(), "rays change nothing"


@pytest.mark.parametrize(
    ("origins", "directions", "length"),
    [
        ((0, 0), (1, 0, 0), 1),
        ((0, 0, 0), (0, 0, 0), 1),
        ((0, 0, math.nan), (1, 0, 0), 1),
        ((0, 0, 0), (1, 0, 0), 0),
    ],
)
def test_impossible_rays_are_refused(origins: object, directions: object, length: float):
    with pytest.raises(ValueError, match="rays: expected"):
        wbridge.from_text(RESTING).cast_rays(origins, directions, length)  # type: ignore[arg-type]
