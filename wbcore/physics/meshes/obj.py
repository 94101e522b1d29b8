"""Wavefront .obj files: polygons with normals, texture coordinates and materials, by object or group."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

import numpy as np

from wbridge.wbcore.physics.meshes._corners import CornerValues, limited
from wbridge.wbcore.physics.meshes._errors import MeshError
from wbridge.wbcore.physics.meshes._materials import MeshMaterial
from wbridge.wbcore.physics.meshes._triangles import Mesh, build_from_corners, unknown_name

LARGEST = 2**40
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
    """What has been read so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._vertices: list[tuple[float, ...]] = []
        self._places: list[tuple[float, ...]] = []
        self._normals: list[tuple[float, ...]] = []
        self._faces: list[list[int]] = []
        self._own_places: list[int] = []
        self._own_normals: list[int] = []
        self._parts: list[int] = []
        self._materials: list[int] = []
        self._current, self._material = "", NO_MATERIAL
        self._palette: dict[str, int] = {}
        self._numbers: dict[tuple[str, str], int] = {}
        self._libraries: dict[str, None] = {}
        self.known: dict[str, None] = {}

    def vertex(self, words: list[str]) -> None:
        x, y, z = words[1:4]
        self._vertices.append((float(x), float(y), float(z)))
        limited(len(self._vertices))

    def place(self, words: list[str]) -> None:
        v = words[2] if len(words) > 2 else "0"
        self._places.append((float(words[1]), float(v)))

    def normal(self, words: list[str]) -> None:
        x, y, z = words[1:4]
        self._normals.append((float(x), float(y), float(z)))

    def face(self, words: list[str]) -> None:
        if self._name not in ("", self._current):
            return
        corners = [word.split("/") for word in words[1:]]
        self._faces.append([_index(corner[0], len(self._vertices)) for corner in corners])
        for values, own, k in (
            (self._own_places, self._places, 1),
            (self._own_normals, self._normals, 2),
        ):
            values += [
                _index(corner[k], len(own)) if len(corner) > k and corner[k] else -1 for corner in corners
            ]
        part = self._numbers.setdefault((self._current, self._material), len(self._numbers))
        material = self._palette.setdefault(self._material, len(self._palette))
        self._parts += [part] * len(corners)
        self._materials += [material] * len(corners)
        limited(len(self._parts))

    def object(self, words: list[str]) -> None:
        self._current = " ".join(words[1:])
        self.known[self._current] = None

    def material(self, words: list[str]) -> None:
        self._material = " ".join(words[1:])

    def library(self, words: list[str]) -> None:
        """Note libraries; a name may contain spaces."""
        for line in " ".join(words[1:]).replace('"', "").replace(".mtl ", ".mtl\n").splitlines():
            self._libraries[line.strip()] = None

    def mesh(self) -> Mesh:
        """Return the mesh of all lines.

        Raises:
            MeshError: an index or a coordinate is invalid, or there is no triangle.
        """
        mesh, chosen = build_from_corners(self._vertices, self._faces)
        values = CornerValues(chosen)
        values.set_normals(np.array(self._normals).reshape(-1, 3), self._own_normals)
        values.set_places(np.array(self._places).reshape(-1, 2), self._own_places)
        values.parts, values.materials = (
            values.of_triangles(self._parts),
            values.of_triangles(self._materials),
        )
        palette = tuple(MeshMaterial(name) for name in self._palette)
        return values.applied(mesh, palette, tuple(self._libraries))


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
