"""Wavefront .obj files: vertices and polygons, by object or group; everything else is ignored."""

from __future__ import annotations

from wbcore.physics.meshes._triangles import Mesh, MeshError, build, unknown_name


def read(data: bytes, name: str = "") -> Mesh:
    """Return the faces of the object or group with this name, or all faces.

    Raises:
        MeshError: a number is malformed, there is no such object, or there is no face.
    """
    vertices: list[tuple[float, ...]] = []
    faces: list[list[int]] = []
    current, known = "", []
    for count, line in enumerate(data.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        try:
            if words[:1] == ["v"]:
                x, y, z = words[1:4]
                vertices.append((float(x), float(y), float(z)))
            elif words[:1] == ["f"] and name in ("", current):
                faces.append([_index(word, len(vertices)) for word in words[1:]])
            elif words[:1] in (["o"], ["g"]):
                current = " ".join(words[1:])
                known.append(current)
        except ValueError:
            raise MeshError(f"line {count}: '{line.strip()[:60]}' is not a vertex or face") from None
    if name and name not in known:
        raise unknown_name(name, known)
    return build(vertices, faces)


def _index(word: str, count: int) -> int:
    """Return the vertex index of "v", "v/t", "v//n" or "v/t/n": counted from 1 or, if negative, from the
    end."""
    number = int(word.split("/", 1)[0])
    return number - 1 if number > 0 else count + number
