"""Bodies through sections: Loft, from which the shapes of robots are made.

Judge: the volumes of prisms and truncated cones; each edge of a closed surface belongs to two faces.
"""

from __future__ import annotations

from collections import Counter
from math import pi, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.protos.models import made, parts

FINE = "subdivision 40"
Faces = list[list[int]]


def mesh(fields: str) -> tuple[NDArray[np.float64], Faces]:
    """Return points and faces."""
    (node,) = parts(made(f"Shape {{\n  geometry Loft {{\n    {fields}\n  }}\n}}\n"), "IndexedFaceSet")
    faces: Faces = [[]]
    for index in node.get("coordIndex"):
        faces[-1].append(index) if index >= 0 else faces.append([])
    return np.array(node.get("coord").get("point")), [face for face in faces if face]


def volume(fields: str) -> float:
    """Return the volume that the faces enclose; negative if they are seen from inside."""
    points, faces = mesh(fields)
    triangles = [(face[0], b, c) for face in faces for b, c in zip(face[1:], face[2:], strict=False)]
    return float(sum(np.linalg.det(points[list(triangle)]) for triangle in triangles) / 6)


def area(x: float, y: float, corner: float) -> float:
    """The area of a rectangle whose corners are quarters of ellipses."""
    return x * y * (1 - corner**2 * (1 - pi / 4))


@pytest.mark.parametrize("corner", [0, 0.4, 1])
def test_equal_sections_are_a_prism(corner: float):
    fields = f"sections [ 0 0 0 2 1, 0 0 3 2 1 ] corners [ {corner} ] {FINE}"
    assert volume(fields) == pytest.approx(3 * area(2, 1, corner), rel=1e-3)


def test_ellipses_are_a_truncated_cone_also_if_it_leans():
    low, high = area(2, 1, 1), area(1, 0.5, 1)
    cone = 3 / 3 * (low + high + sqrt(low * high))
    for x in (0, 0.7):
        fields = f"sections [ 0 0 0 2 1, {x} 0 3 1 0.5 ] corners [ 1 ] {FINE}"
        assert volume(fields) == pytest.approx(cone, rel=1e-3)


def test_a_disk_with_round_edges():
    """A cylinder around which half a circle turns, by Pappus' theorem."""
    radius, bevel = 1.0, 0.5
    half_circle = pi * bevel**2 / 2
    middle = radius - bevel + 4 * bevel / (3 * pi)
    exact = pi * (radius - bevel) ** 2 * 2 * bevel + half_circle * 2 * pi * middle
    fields = f"sections [ 0 0 -0.5 2 2, 0 0 0.5 2 2 ] corners [ 1 ] bevel {bevel} {FINE}"
    assert volume(fields) == pytest.approx(exact, rel=2e-3)


@pytest.mark.parametrize(
    "fields",
    [
        "",
        "bevel 0.2",
        "bevel 9",
        "corners [ ]",
        "sections [ 0 0 -1 1 2, 0 0.2 0 3 1, 0 0 2 3 1 ] corners [ 0, 1 ] bevel 0.1",
    ],
)
def test_surfaces_are_closed_and_keep_their_extent(fields: str):
    points, faces = mesh(fields)
    edges = Counter((a, b) for face in faces for a, b in zip(face, face[1:] + face[:1], strict=True))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    assert volume(fields) > 0
    low, high = points.min(axis=0), points.max(axis=0)
    if "sections" in fields:
        assert low.tolist() == pytest.approx([-1.5, -1, -1], abs=0.1)
        assert high.tolist() == pytest.approx([1.5, 1, 2], abs=0.11)
    else:
        assert low.tolist() == pytest.approx([-0.5] * 3, abs=1e-5)
        assert high.tolist() == pytest.approx([0.5] * 3, abs=1e-5)


@pytest.mark.parametrize("turn", [0, 2.5])
def test_a_panel_is_a_raised_part_of_the_surface(turn: float):
    """Within its angles and heights, as far from the axis of a round body as its thickness says."""
    points, faces = mesh(
        f"sections [ 0 0 -1 2 2, 0 0 0 2 2, 0 0 1 2 2 ] corners [ 1 ] panel [ {turn}, 0.5, 0.1, 0.4, 0.01 ]"
    )
    edges = Counter((a, b) for face in faces for a, b in zip(face, face[1:] + face[:1], strict=True))
    assert set(edges.values()) == {1}
    assert all((b, a) in edges for a, b in edges)
    angles = np.angle((points[:, 0] + 1j * points[:, 1]) * np.exp(-1j * turn))
    for values, low, high in (
        (np.hypot(points[:, 0], points[:, 1]), 0.99, 1.01),
        (angles, -0.5, 0.5),
        (points[:, 2], -0.3, 0.5),
    ):
        assert (values.min(), values.max()) == pytest.approx((low, high), abs=1e-5)
    top = points[faces[1]]  # seen from outside
    assert np.cross(top[10] - top[0], top[20] - top[0]) @ [np.cos(turn), np.sin(turn), 0] > 0
