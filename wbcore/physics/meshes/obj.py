"""Wavefront .obj files: vertices and polygons; lines, normals, textures and materials are passed over."""

from __future__ import annotations

from ._triangles import Mesh, MeshError, build


def read(data: bytes) -> Mesh:
    """All faces of all objects in the file.

    Raises:
        MeshError: a number is malformed or there is no face.
    """
    vertices: list[tuple[float, ...]] = []
    faces: list[list[int]] = []
    for count, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                x, y, z = words[1:4]
                vertices.append((float(x), float(y), float(z)))
            elif words[:1] == ["f"]:
                faces.append([_index(word, len(vertices)) for word in words[1:]])
        except ValueError:
            raise MeshError(f"line {count}: '{line.strip()[:60]}' is not a vertex or face") from None
    return build(vertices, faces)


def _index(word: str, count: int) -> int:
    """The vertex of "v", "v/t", "v//n" or "v/t/n", counted from 1 or, when negative, from the end."""
    number = int(word.split("/", 1)[0])
    return number - 1 if number > 0 else count + number
