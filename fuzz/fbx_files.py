"""Small binary FBX files: an arm of two bones along x, and its skin."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

Tree = tuple[str, list[Any], list[Any]]


def _value(value: Any) -> bytes:
    if isinstance(value, (bytes, str)):
        data = value.encode() if isinstance(value, str) else value
        return b"S" + struct.pack("<I", len(data)) + data
    if isinstance(value, int):
        return b"L" + struct.pack("<q", value)
    kind = "i" if value.dtype.kind == "i" else "d"
    raw = value.astype("<i4" if kind == "i" else "<f8").tobytes()
    packed = zlib.compress(raw)
    return kind.encode() + struct.pack("<III", value.size, 1, len(packed)) + packed


def _record(tree: Tree, at: int, head: str) -> bytes:
    name, values, records = tree
    data = b"".join(_value(one) for one in values)
    size = struct.calcsize(head)
    inner = b""
    start = at + size + len(name) + len(data)
    for one in records:
        inner += _record(one, start + len(inner), head)
    if records:
        inner += bytes(size)
    end = start + len(inner)
    return struct.pack(head, end, len(values), len(data), len(name)) + name.encode() + data + inner


def fbx(trees: list[Tree], version: int = 7400) -> bytes:
    """Return a file of records."""
    head = "<QQQB" if version >= 7500 else "<IIIB"
    made = b"Kaydara FBX Binary  \0\x1a\0" + struct.pack("<I", version)
    for one in trees:
        made += _record(one, len(made), head)
    return made + bytes(struct.calcsize(head))


def _shifted(x: float) -> np.ndarray:
    """The offset matrix of a bone at x, column by column."""
    made = np.eye(4)
    made[0, 3] = -x
    column: np.ndarray = made.T.ravel()
    return column


def arm(version: int = 7400) -> bytes:
    """Two squares side by side in the xy plane; bone "upper" at 0 moves the left one, "lower" at 1 the right
    edge, and both the middle edge by half."""
    points = np.array([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (1, 1, 0), (2, 1, 0)], dtype=float)
    corners = np.array([0, 1, 4, ~3, 1, 2, 5, ~4])
    geometry: Tree = (
        "Geometry",
        [1, "arm\0\x01Geometry", "Mesh"],
        [("Vertices", [points.ravel()], []), ("PolygonVertexIndex", [corners], [])],
    )

    def cluster(key: int, x: float, indices: list[int], weights: list[float]) -> Tree:
        return (
            "Deformer",
            [key, "\0\x01SubDeformer", "Cluster"],
            [
                ("Indexes", [np.array(indices)], []),
                ("Weights", [np.array(weights)], []),
                ("Transform", [_shifted(x)], []),
            ],
        )

    objects: list[Tree] = [
        geometry,
        ("Model", [2, "arm\0\x01Model", "Mesh"], []),
        ("Model", [3, "upper\0\x01Model", "LimbNode"], []),
        ("Model", [4, "lower\0\x01Model", "LimbNode"], []),
        ("Deformer", [5, "\0\x01Deformer", "Skin"], []),
        cluster(6, 0, [0, 3, 1, 4], [1, 1, 0.5, 0.5]),
        cluster(7, 1, [2, 5, 1, 4], [2, 2, 0.5, 0.5]),
        ("Material", [8, "cloth\0\x01Material", ""], []),
    ]
    pairs = [(1, 2), (3, 0), (4, 3), (5, 1), (6, 5), (7, 5), (3, 6), (4, 7), (8, 2)]
    connections: list[Tree] = [("C", ["OO", child, parent], []) for child, parent in pairs]
    return fbx([("Objects", [], objects), ("Connections", [], connections)], version)
