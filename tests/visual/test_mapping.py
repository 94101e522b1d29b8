"""Where points of shapes lie on a texture."""

from __future__ import annotations

import math

import numpy as np
import pytest

from wbridge.wbcore.engine._engine import Mapping, Mesh


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ((1, 0.5, 1.5), (0.625, 0.25)),  # front: u to the left as seen from inside, v from the top
        ((-1, 0.5, 1.5), (0.375, 0.25)),
        ((0.5, 2, 1.5), (0.25, 0.25)),
        ((0.5, -2, 1.5), (0.75, 0.25)),
        ((0.5, 1, 3), (0.75, 0.25)),
        ((0.5, 1, -3), (0.75, 0.75)),
    ],
)
def test_each_face_of_a_box_shows_the_whole_picture(point: tuple[float, ...], expected: tuple[float, float]):
    assert Mapping.box((2, 4, 6))(point) == pytest.approx(expected)


def test_a_plane_shows_its_picture_with_the_top_toward_y():
    place = Mapping.plane((4, 2))
    assert place((-2, 1, 0)) == (0, 0)
    assert place((2, -1, 0)) == (1, 1)


def test_round_shapes_wrap_the_picture_around():
    sphere = Mapping.sphere(2)
    assert sphere((0, -2, 0)) == pytest.approx((0.5, 0.5))
    assert sphere((2, 0, 0)) == pytest.approx((0.75, 0.5))
    assert sphere((0, 0, 2))[1] == pytest.approx(0)
    cylinder = Mapping.cylinder(1, 4)
    assert cylinder((0, 1, 1)) == pytest.approx((0, 0.25))
    assert cylinder((-1, 0, -2 + 1e-9)) == pytest.approx((0.25, 1))
    assert cylinder((0, -1, 0)) == pytest.approx((0.5, 0.5))
    assert cylinder((0.5, 0.5, 2)) == pytest.approx((0.75, 0.25))
    assert cylinder((0.5, 0.5, -2)) == pytest.approx((0.75, 0.75))
    cone = Mapping.cone(1, 2)
    assert cone((0, 0.5, 0)) == pytest.approx((0, 0.5))
    assert cone((0.5, 0, -1)) == pytest.approx((0.75, 0.5))


def test_a_capsule_has_a_third_for_each_part():
    place = Mapping.capsule(1, 2)
    assert [place((0, -1, z))[1] for z in (1, 0, -1)] == pytest.approx([1 / 3, 1 / 2, 2 / 3])
    assert place((0, 0, 2))[1] == pytest.approx(0)
    assert place((0, 0, -2))[1] == pytest.approx(1)


def on_triangles(points: np.ndarray, corners: np.ndarray, places: np.ndarray) -> Mapping:
    return Mapping.triangles(Mesh.of(points, corners), np.ascontiguousarray(places, dtype=float))


POINTS = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], dtype=float)
CORNERS = np.array([(0, 1, 2), (0, 2, 3)], dtype=np.uint32)


def test_triangles_with_one_rule_are_read_by_it():
    places = POINTS[:, :2] * (0.5, -1) + (0.1, 0.9)
    place = on_triangles(POINTS, CORNERS, places)
    assert place((0.3, 0.6, 0)) == pytest.approx((0.25, 0.3))


def test_other_triangles_are_read_one_by_one():
    places = np.array([(0, 0), (1, 0), (1, 1), (0, 0.5)])
    place = on_triangles(POINTS, CORNERS, places)
    assert place((0.75, 0.25, 0)) == pytest.approx((0.75, 0.25))
    assert place((0.25, 0.75, 0)) == pytest.approx((0.25, 0.5))


def test_flat_triangles_are_left_out():
    points = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)], dtype=float)
    corners = np.array([(0, 1, 2), (0, 1, 3)], dtype=np.uint32)
    place = on_triangles(points, corners, np.array([(0, 0), (1, 0), (7, 7), (0, 1)]))
    assert place((0.5, 0.25, 0)) == pytest.approx((0.5, 0.25))
    none = on_triangles(points, corners[:1], np.array([(0, 0), (1, 0), (7, 7), (0, 1)]))
    assert none((0.5, 0, 0)) is None


def test_a_grid_starts_at_its_corner():
    assert Mapping.grid(4, 2)((1, 0.5, 7)) == (0.25, 0.75)
    assert math.isclose(Mapping.grid(4, 2)((4, 2, 0))[1], 0)
