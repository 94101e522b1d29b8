"""Poses compose, invert and turn as rotation matrices do."""

from __future__ import annotations

import math

import pytest

from wbridge.wbcore.physics.pose import (
    IDENTITY,
    UPRIGHT,
    Pose,
    axis_angle,
    cross,
    matrix,
    multiply,
    rotate,
    to_axis_angle,
    unit,
)

QUARTER = axis_angle((0, 0, 1), math.pi / 2)


def test_a_quarter_turn_about_z_takes_x_to_y():
    assert rotate(QUARTER, (1, 0, 0)) == pytest.approx((0, 1, 0))
    assert matrix(QUARTER)[1] == pytest.approx((1, 0, 0))


def test_composition_applies_the_inner_pose_first():
    outer = Pose((1, 2, 3), QUARTER)
    assert (outer @ Pose((1, 0, 0))).position == pytest.approx((1, 3, 3))


def test_scale_multiplies_positions_and_nested_scales():
    outer = Pose((0, 0, 0), UPRIGHT, (2, 3, 4))
    inner = outer @ Pose((1, 1, 1), UPRIGHT, (1, 2, 1))
    assert inner.position == (2, 3, 4)
    assert inner.scale == (2, 6, 4)


def test_relative_undoes_composition():
    outer = Pose((1, -2, 0.5), axis_angle((1, 2, 3), 0.7), (2, 2, 2))
    inner = Pose((0.3, 0.1, -1), axis_angle((0, 1, 0), -1.2))
    back = outer.relative(outer @ inner)
    assert back.position == pytest.approx(inner.position)
    assert back.orientation == pytest.approx(inner.orientation)
    assert back.scale == pytest.approx(inner.scale)


def test_points_and_directions_go_there_and_back():
    place = Pose((1, 2, 3), axis_angle((1, 1, 0), 1.0), (2, 1, 0.5))
    assert place.local(place.point((0.1, 0.2, 0.3))) == pytest.approx((0.1, 0.2, 0.3))
    assert place.local_direction(place.direction((0, 1, 0))) == pytest.approx((0, 1, 0))


def test_the_identity_changes_no_bit():
    place = Pose((0.1, 1 / 3, -2.7), axis_angle((1, 2, 3), 0.123))
    assert IDENTITY @ place == place
    assert rotate(UPRIGHT, (0.1, 0.2, 0.3)) == (0.1, 0.2, 0.3)


@pytest.mark.parametrize("angle", [0.0, 1e-9, 0.5, math.pi / 2, 3.0, math.pi])
def test_axis_and_angle_come_back(angle: float):
    x, y, z, back = to_axis_angle(axis_angle((1, -2, 2), angle))
    assert back == pytest.approx(angle, abs=1e-12)
    if angle > 0:
        assert (x, y, z) == pytest.approx((1 / 3, -2 / 3, 2 / 3))


def test_an_angle_beyond_half_a_turn_becomes_the_shorter_way():
    x, y, z, angle = to_axis_angle(axis_angle((0, 0, 1), 1.5 * math.pi))
    assert (x, y, z) == pytest.approx((0, 0, -1))
    assert angle == pytest.approx(math.pi / 2)


def test_an_axis_without_direction_turns_nothing():
    assert axis_angle((0, 0, 0), 1.0) == UPRIGHT
    assert unit((0, 0, 0)) is None


def test_rotations_multiply_right_to_left():
    about_x = axis_angle((1, 0, 0), math.pi / 2)
    assert rotate(multiply(about_x, QUARTER), (1, 0, 0)) == pytest.approx((0, 0, 1))
    assert cross((1, 0, 0), (0, 1, 0)) == (0, 0, 1)
