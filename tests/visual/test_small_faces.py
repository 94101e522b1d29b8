"""Face sets of few corners: the same triangles and texture coordinates as by the way for many."""

from __future__ import annotations

import numpy as np
import pytest

from wbridge.wbcore.scene.load import load_text
from wbridge.wbcore.visual.polygons import face_polygons
from wbridge.wbcore.visual.small_faces import MOST_INDICES, small_faces

SQUARE = "0 0 0, 2 0 0, 2 1 0, 0 1 0"
SETS = {
    "triangles": ("0 0 0, 1 0 0, 0 2 0.5, 1 1 1", "0 1 2 -1 2 1 3 -1", ""),
    "square": (SQUARE, "0 1 2 3 -1", ""),
    "open list": (SQUARE, "0 1 2 3", ""),
    "seen from below": (SQUARE, "0 1 2 3 -1", "ccw FALSE"),
    "arrow": ("0 0 0, 4 0 1, 0 0 4, 1 0 1", "0 1 2 3 -1", ""),
    "L": ("0 0 0, 0 2 0, 0 2 1, 0 1 1, 0 1 3, 0 0 3", "0 1 2 3 4 5 -1", ""),
    "short faces": (SQUARE, "0 1 -1 0 1 2 -1 3 -1", ""),
    "own places": (
        SQUARE,
        "0 1 2 3 -1",
        "texCoord TextureCoordinate { point [ 0 0, 3 0, 3 2, 0 2 ] } texCoordIndex [ 0 1 2 3 -1 ]",
    ),
    "places by corner": (SQUARE, "3 2 1 0 -1", "texCoord TextureCoordinate { point [ 0 0, 3 0, 3 2, 0 2 ] }"),
    "too few places": (SQUARE, "0 1 2 3 -1", "texCoord TextureCoordinate { point [ 0 0, 3 0 ] }"),
}


def faces(points: str, indices: str, more: str = ""):
    text = f"IndexedFaceSet {{ coord Coordinate {{ point [ {points} ] }} coordIndex [ {indices} ] {more} }}"
    world = load_text(f"#VRML_SIM R2025a utf8\nShape {{ geometry {text} }}\n")
    return world.nodes[0].get("geometry")


@pytest.mark.parametrize("name", SETS)
def test_triangles_and_places_are_the_same(name: str):
    node = faces(*SETS[name])
    found, wanted = small_faces(node, (1.0, 0.3, 2.0)), face_polygons(node, (1.0, 0.3, 2.0))
    assert found is not None
    assert np.array_equal(np.asarray(found.points), wanted.points)
    assert np.array_equal(np.asarray(found.triangles), wanted.triangles)
    assert np.array_equal(np.asarray(found.places), wanted.places)


@pytest.mark.parametrize("indices", ["", "0 1 4 -1", "0 1 -1"])
def test_faces_that_are_unusable_are_left_to_the_other_way(indices: str):
    assert small_faces(faces(SQUARE, indices), (1.0, 1.0, 1.0)) is None


def test_many_faces_are_left_to_the_other_way():
    assert small_faces(faces(SQUARE, "0 1 2 -1 " * MOST_INDICES), (1.0, 1.0, 1.0)) is None
