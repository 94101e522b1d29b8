"""Many faces at a time are cut as one at a time."""

from __future__ import annotations

import numpy as np
import pytest

from wbridge.wbcore.physics.meshes import (
    Mesh,
    MeshError,
    build,
    build_from_corners,
    from_indices,
    triangulated,
)

RANDOM = np.random.default_rng(3)


def polygons(points: int, count: int) -> list[list[int]]:
    """Faces of up to six corners, among them some at one vertex twice."""
    return [
        RANDOM.integers(points, size=RANDOM.choice([0, 2, 3, 4, 4, 4, 5, 6])).tolist() for _ in range(count)
    ]


def one_by_one(points: np.ndarray, faces: list[list[int]]) -> list[list[int]]:
    rows = points.tolist()
    return [[face[at] for at in one] for face in faces for one in triangulated(rows, face)]


@pytest.mark.parametrize("shape", ["rough", "level", "lattice", "far"])
def test_many_faces_are_cut_as_single_ones(shape: str):
    for _ in range(40):
        points = RANDOM.normal(size=(9, 3))
        if shape == "level":  # concave and crossed faces in a plane
            points[:, 1] = 0.5
        if shape == "lattice":  # equal and collinear corners
            points = np.round(points)
        if shape == "far":  # areas overflow
            points *= 1e200
        faces = polygons(len(points), 60)
        assert build(points, faces).triangles.tolist() == one_by_one(points, faces)


def test_triangles_know_the_corners_of_their_faces():
    points = RANDOM.normal(size=(9, 3))
    faces = polygons(len(points), 60)
    mesh, corners = build_from_corners(points, faces)
    flat = np.array([one for face in faces for one in face])
    assert (flat[corners] == mesh.triangles).all()


def test_quadrilaterals_of_a_list_of_indices_are_cut_along_the_same_diagonal():
    # A dart whose first corner is the inner one: the diagonal starts there.
    dart = np.array([(0.0, 0, 0), (-1, -1, 0), (2, 0, 0), (-1, 1, 0)])
    points = np.concatenate([dart + (0, 0, z) for z in range(40)])
    indices = np.insert(np.arange(160), np.arange(4, 161, 4), -1)
    mesh = from_indices(points, indices)
    assert len(mesh.triangles) == 80
    assert area(mesh) == pytest.approx(40 * 2.0)
    assert from_indices(points, indices[:-1]).triangles.tolist() == mesh.triangles.tolist()


def area(mesh: Mesh) -> float:
    a, b, c = (mesh.vertices[mesh.triangles[:, at]] for at in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)


@pytest.mark.parametrize(
    ("face", "text"),
    [
        ([0, 1, 9, 2], "a face uses vertex 9, but there are only 9"),
        ([0, 1, -1], "a face uses vertex 1, but there are only 9"),
        ([0, 1, 10**25], f"a face uses vertex {10**25}, but there are only 9"),
        ([0, 1, 2] * 400, "a face has 1200 corners; at most 1000 are possible"),
    ],
)
@pytest.mark.parametrize("count", [0, 60])
def test_a_face_that_cannot_be_cut_is_named(face: list[int], text: str, count: int):
    with pytest.raises(MeshError, match=text):
        build(RANDOM.normal(size=(9, 3)), [[0, 1, 2, 3]] * count + [face])
