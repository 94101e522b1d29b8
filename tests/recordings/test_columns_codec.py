"""The compact form of columns."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from wbridge.wbcore.recordings.columns_codec import (
    ORIENTATION_STEPS,
    POSITION_STEPS,
    pack,
    quantized_poses,
    unpack,
)

WHOLE = st.integers(-(2**31), 2**31 - 1) | st.integers(-3, 3)


@given(
    st.tuples(st.integers(1, 9), st.integers(0, 20)).flatmap(
        lambda shape: arrays(np.int32, shape, elements=WHOLE)
    )
)
def test_all_numbers_come_back(values: np.ndarray):
    assert (unpack(pack(values)) == values).all()


def test_steady_motion_takes_almost_nothing():
    """Changes of changes are zero."""
    frames = np.arange(100, dtype=np.int32)
    packed = pack(np.stack([1000 * frames, np.full(100, 7, np.int32)], axis=1))
    assert (packed.varying, packed.planes) == (1, 2)
    assert np.count_nonzero(np.frombuffer(packed.data, np.uint8)) < 8


def test_poses_keep_their_precision():
    """15 micrometers, and 0.00006 of a quaternion's component."""
    random = np.random.default_rng(1)
    positions = random.uniform(-100, 100, (50, 3, 3))
    turns = random.normal(size=(50, 3, 4))
    turns /= np.linalg.norm(turns, axis=2, keepdims=True)
    rows = quantized_poses(positions, turns).reshape(50, 3, 7)
    assert abs(rows[:, :, :3] / POSITION_STEPS - positions).max() <= 0.5 / POSITION_STEPS
    same = abs((rows[:, :, 3:] / ORIENTATION_STEPS * turns).sum(axis=2))
    assert same == pytest.approx(1, abs=2 / ORIENTATION_STEPS), "up to the sign, which does not matter"


def test_orientations_do_not_jump_to_their_negatives():
    turns = np.array([[[1.0, 0.0, 0.0, 0.0]], [[-1.0, 0.0, 0.0, 0.0]], [[1.0, 0.0, 0.0, 0.0]]])
    rows = quantized_poses(np.zeros((3, 1, 3)), turns)
    assert (rows == rows[0]).all()


def test_places_beyond_all_bounds_are_kept_at_the_rim():
    rows = quantized_poses(np.array([[[1e9, -1e9, np.nan]]]), np.array([[[1.0, 0.0, 0.0, 0.0]]]))
    assert rows[0, :3].tolist() == [2**31 - 1, -(2**31 - 1), 0]
