"""Wavefront .obj files: polygons with normals, texture coordinates and materials, by object or group."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from io import BytesIO

import numpy as np

from wbridge.wbcore.physics.meshes._corners import CornerValues, integers, limited, limited_names, rows
from wbridge.wbcore.physics.meshes._ears import check_corners
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._faces import Faces
from wbridge.wbcore.physics.meshes._materials import MeshMaterial
from wbridge.wbcore.physics.meshes._triangles import Mesh, build_from_corners, unknown_name

LARGEST = 2**30
"""Larger indices count as this one, which no file has."""
NO_MATERIAL = "DefaultMaterial"
"""The name of the material of faces that state none."""


def read(data: bytes, name: str = "") -> Mesh:
    """Return the faces of the object or group with this name, or all faces.

    Raises:
        MeshError: a number is malformed, there is no such object, there is no face, or there are too many.
    """
    reader = _Reader(name)
    for count, line in enumerate(_lines(data), 1):
        words = line.split()
        read_line = _LINES.get(words[0]) if words else None
        if read_line is None:
            continue
        try:
            read_line(reader, words)
        except MeshError:
            raise
        except (ValueError, IndexError):
            raise MeshError(f"line {count}: '{line.strip()[:60]}' is not a vertex or face") from None
    if name and name not in reader.known:
        raise unknown_name(name, reader.known)
    return reader.mesh()


def _lines(data: bytes) -> Iterator[str]:
    """Yield the lines of a file one by one, as all of them would take ten times its size."""
    data = data.replace(b"\\\r\n", b" ").replace(b"\\\n", b" ")
    data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    for line in BytesIO(data):
        yield line.decode("utf-8", "replace")


class _Reader:
    """What has been read so far, as plain numbers: objects of Python would take ten times as much memory."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._vertices, self._places, self._normals = array("d"), array("d"), array("d")
        self._corners, self._own_places, self._own_normals = array("i"), array("i"), array("i")
        """Of all corners: indices of vertices, places and normals."""
        self._lengths, self._parts, self._materials = array("i"), array("i"), array("i")
        """Of all faces."""
        self._current, self._material = "", NO_MATERIAL
        self._palette: dict[str, int] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._libraries: dict[str, None] = {}
        self.known: dict[str, None] = {}

    def vertex(self, words: list[str]) -> None:
        _add(self._vertices, words[1:4], 3)

    def place(self, words: list[str]) -> None:
        _add(self._places, [*words[1:3], "0"][:2], 2)

    def normal(self, words: list[str]) -> None:
        _add(self._normals, words[1:4], 3)

    def face(self, words: list[str]) -> None:
        if self._name not in ("", self._current):
            return
        check_corners(len(words) - 1)
        corners = [word.split("/") for word in words[1:]]
        self._corners.extend(_index(corner[0], len(self._vertices) // 3) for corner in corners)
        for values, count, k in (
            (self._own_places, len(self._places) // 2, 1),
            (self._own_normals, len(self._normals) // 3, 2),
        ):
            values.extend(
                _index(corner[k], count) if len(corner) > k and corner[k] else -1 for corner in corners
            )
        part = self._numbers.setdefault((self._current, self._material), len(self._numbers))
        self._lengths.append(len(corners))
        self._parts.append(part)
        self._materials.append(self._palette.setdefault(self._material, len(self._palette)))
        limited(len(self._corners))
        limited_names(len(self._numbers))

    def object(self, words: list[str]) -> None:
        self._current = " ".join(words[1:])
        self.known[self._current] = None
        limited_names(len(self.known))

    def material(self, words: list[str]) -> None:
        self._material = " ".join(words[1:])

    def library(self, words: list[str]) -> None:
        """Note libraries; a name may contain spaces."""
        for line in " ".join(words[1:]).replace('"', "").replace(".mtl ", ".mtl\n").splitlines():
            self._libraries[line.strip()] = None
        limited_names(len(self._libraries))

    def mesh(self) -> Mesh:
        """Return the mesh of all lines.

        Raises:
            MeshError: an index or a coordinate is invalid, or there is no triangle.
        """
        lengths = integers(self._lengths)
        faces = Faces(integers(self._corners), lengths)
        mesh, chosen = build_from_corners(rows(self._vertices, 3), faces)
        values = CornerValues(chosen)
        values.set_normals(rows(self._normals, 3), integers(self._own_normals))
        values.set_places(rows(self._places, 2), integers(self._own_places))
        counts = lengths.astype(np.intp)  # of 32 bits in pages
        values.parts, values.materials = (
            values.of_triangles(np.repeat(integers(own), counts)) for own in (self._parts, self._materials)
        )
        palette = tuple(MeshMaterial(name) for name in self._palette)
        return values.applied(mesh, palette, tuple(self._libraries))


def _add(values: array[float], words: list[str], size: int) -> None:
    """Add a vector.

    Raises:
        ValueError: these are no numbers, or too few.
        MeshError: there are too many.
    """
    if len(words) < size:
        raise ValueError
    values.extend([float(word) for word in words])
    limited(len(values) // size)


def _index(word: str, count: int) -> int:
    """Return the index of a number that is counted from 1 or, if negative, from the end."""
    number = min(max(int(word), -LARGEST), LARGEST)
    return number - 1 if number > 0 else count + number


_LINES = {
    "v": _Reader.vertex,
    "vt": _Reader.place,
    "vn": _Reader.normal,
    "f": _Reader.face,
    "o": _Reader.object,
    "g": _Reader.object,
    "usemtl": _Reader.material,
    "mtllib": _Reader.library,
}
