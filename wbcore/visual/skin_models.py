"""Models of Skins: a mesh, the bones of its skeleton, and how much each bone moves each vertex.

As in Webots (FileImport.cpp), the vertices are those of the geometries in the file, in the frame of the Skin,
and a bone begins where it binds them: at the inverse of its offset matrix.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.meshes import (
    MAX_BYTES,
    CornerValues,
    Mesh,
    MeshError,
    MeshMaterial,
    build_from_corners,
)
from wbridge.wbcore.visual.fbx import Record, read_fbx

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"
Integers: TypeAlias = "NDArray[np.int64]"
FARTHEST = 1e12


@dataclass(frozen=True, eq=False, slots=True)
class Bone:
    """`bind`: (4, 4), its pose in the frame of the Skin when it binds the vertices."""

    name: str
    parent: int
    """-1: the Skin."""
    bind: Floats


@dataclass(frozen=True, eq=False, slots=True)
class SkinModel:
    """`bones_of` and `weights` (n, m): the bones that move each vertex, and their shares, 1 in all."""

    mesh: Mesh
    bones: tuple[Bone, ...]
    bones_of: Integers
    weights: Floats


def read_skin(path: Path) -> SkinModel:
    """Return the model in a binary FBX file.

    Raises:
        MeshError: the file has another format, is damaged, or has no mesh with bones.
    """
    if path.suffix.lower() != ".fbx":
        raise MeshError(f"{path.name}: skins are read from binary .fbx files")
    try:
        if path.stat().st_size > MAX_BYTES:
            raise MeshError(f"the file is larger than {MAX_BYTES >> 20} MB")
        with np.errstate(all="ignore"):
            return _Model(read_fbx(path.read_bytes())).model()
    except OSError as problem:
        raise MeshError(f"{path.name}: {problem.strerror}") from problem
    except (MeshError, ValueError, IndexError, OverflowError, np.linalg.LinAlgError) as problem:
        raise MeshError(f"{path.name}: {problem}") from problem


class _Model:
    """Collects the geometries of a file that have bones."""

    def __init__(self, top: Record) -> None:
        objects, connections = top.first("Objects"), top.first("Connections")
        listed = objects.records if objects else []
        self._objects = {
            record.values[0]: record for record in listed if record.values and type(record.values[0]) is int
        }
        self._below: dict[int, list[int]] = {}
        self._above: dict[int, list[int]] = {}
        for record in connections.all("C") if connections else ():
            kind, child, parent = (*record.values, None, None, None)[:3]
            if type(kind) is bytes and kind == b"OO" and type(child) is type(parent) is int:
                self._below.setdefault(parent, []).append(child)
                self._above.setdefault(child, []).append(parent)
        self._numbers: dict[int, int] = {}
        """The number of each bone by its node."""
        self._binds: list[Floats] = []
        self._points: list[Floats] = []
        self._faces: list[list[int]] = []
        self._normals: list[Floats] = []
        self._places: list[Floats] = []
        self._materials: list[Integers] = []
        self._palette: dict[str, int] = {}
        self._shares: list[tuple[Integers, int, Floats]] = []
        """Vertices, the bone, and its shares."""
        self._count = 0

    def model(self) -> SkinModel:
        for key, item in self._objects.items():
            if item.name == "Geometry":
                self._geometry(key, item)
        if not self._points or not self._numbers:
            raise MeshError("the file has no mesh with bones")
        points = np.vstack(self._points)
        if not (np.abs(points) < FARTHEST).all():
            raise MeshError("a coordinate is not finite, or too large")
        mesh, chosen = build_from_corners(points, self._faces)
        values = CornerValues(chosen)
        corners = np.arange(sum(len(face) for face in self._faces))
        values.set_normals(np.vstack(self._normals), corners)
        values.set_places(np.vstack(self._places), corners)
        values.materials = values.of_triangles(np.concatenate(self._materials))
        mesh = values.applied(mesh, tuple(MeshMaterial(name) for name in self._palette))
        return SkinModel(mesh, self._bones(), *self._influences(len(points)))

    def _of(self, key: int, name: str) -> list[int]:
        """Return the keys of the objects with this name below another one."""
        below = self._below.get(key, [])
        return [
            below_key
            for below_key in below
            if below_key in self._objects and self._objects[below_key].name == name
        ]

    def _node_of(self, key: int) -> int | None:
        above = self._above.get(key, [])
        return next(
            (key for key in above if key in self._objects and self._objects[key].name == "Model"), None
        )

    def _geometry(self, key: int, geometry: Record) -> None:
        clusters = [cluster for skin in self._of(key, "Deformer") for cluster in self._of(skin, "Deformer")]
        points, indices = geometry.array("Vertices"), geometry.array("PolygonVertexIndex")
        if points is None or indices is None or not clusters:
            return
        points = points.astype(np.float64).reshape(-1, 3)
        indices = indices.astype(np.int64)
        ends = indices < 0
        corners = np.where(ends, ~indices, indices)
        if not ends.any() or corners.max() >= len(points):
            raise MeshError("a face uses a vertex that does not exist")
        used = int(np.flatnonzero(ends)[-1]) + 1
        corners, ends = corners[:used], ends[:used]
        faces = np.split(corners + self._count, np.flatnonzero(ends)[:-1] + 1)
        self._faces += [face.tolist() for face in faces]
        layers = _Layers(geometry, corners, np.cumsum(ends) - ends)
        self._normals.append(layers.values("LayerElementNormal", "Normals", "NormalsIndex", 3))
        self._places.append(layers.values("LayerElementUV", "UV", "UVIndex", 2))
        self._materials.append(self._material_numbers(key, layers.materials()))
        for cluster in clusters:
            self._cluster(cluster, len(points))
        self._points.append(points)
        self._count += len(points)

    def _material_numbers(self, key: int, own: Integers) -> Integers:
        """Return numbers in the palette of the file from those of a geometry."""
        node = self._node_of(key)
        keys = [] if node is None else self._of(node, "Material")
        names = [_name(self._objects[key]) for key in keys] or [""]
        numbers = np.array([self._palette.setdefault(name, len(self._palette)) for name in names])
        return numbers[np.clip(own, 0, len(numbers) - 1)]

    def _cluster(self, key: int, count: int) -> None:
        """Read the shares of one bone, and where it binds."""
        cluster = self._objects[key]
        node = next(iter(self._of(key, "Model")), None)
        offset = cluster.array("Transform")
        if node is None or offset is None or len(offset) != 16:
            return
        number = self._numbers.setdefault(node, len(self._numbers))
        if number == len(self._binds):
            matrix = offset.astype(np.float64).reshape(4, 4).T
            self._binds.append(np.linalg.inv(matrix))
        indices, weights = cluster.array("Indexes"), cluster.array("Weights")
        if indices is None or weights is None or len(indices) != len(weights):
            return
        if len(indices) and not 0 <= indices.min() <= indices.max() < count:
            raise MeshError("a bone moves a vertex that does not exist")
        self._shares.append((indices.astype(np.int64) + self._count, number, weights.astype(np.float64)))

    def _bones(self) -> tuple[Bone, ...]:
        if not all(np.isfinite(bind).all() for bind in self._binds):
            raise MeshError("the pose of a bone is not finite")
        return tuple(
            Bone(_name(self._objects[node]), self._parent(node), bind)
            for node, bind in zip(self._numbers, self._binds, strict=True)
        )

    def _parent(self, node: int) -> int:
        """Return the nearest node above that is a bone."""
        above, seen = self._node_of(node), {node}
        while above is not None and above not in seen:
            if above in self._numbers:
                return self._numbers[above]
            seen.add(above)
            above = self._node_of(above)
        return -1

    def _influences(self, count: int) -> tuple[Integers, Floats]:
        """Return bones and shares (n, m); vertices without a bone have shares of 0."""
        if not self._shares:
            return np.zeros((count, 1), np.int64), np.zeros((count, 1))
        vertices = np.concatenate([faces for faces, _, _ in self._shares])
        bones = np.concatenate([np.full(len(faces), bone) for faces, bone, _ in self._shares])
        shares = np.concatenate([weights for _, _, weights in self._shares])
        keep = np.isfinite(shares) & (shares > 0)
        vertices, bones, shares = vertices[keep], bones[keep], shares[keep]
        order = np.argsort(vertices, kind="stable")
        vertices, bones, shares = vertices[order], bones[order], shares[order]
        column = np.arange(len(vertices)) - np.searchsorted(vertices, vertices)
        width = int(column.max()) + 1 if len(column) else 1
        bones_of, weights = np.zeros((count, width), np.int64), np.zeros((count, width))
        bones_of[vertices, column], weights[vertices, column] = bones, shares
        total = weights.sum(axis=1, keepdims=True)
        return bones_of, weights / np.where(total > 0, total, 1)


class _Layers:
    """The values of a geometry's corners."""

    def __init__(self, geometry: Record, corners: Integers, faces: Integers) -> None:
        self._geometry = geometry
        self._by = {
            "ByPolygonVertex": np.arange(len(corners)),
            "ByVertice": corners,
            "ByVertex": corners,
            "ByPolygon": faces,
            "AllSame": np.zeros(len(corners), np.int64),
        }
        self._count = len(corners)

    def values(self, layer: str, name: str, index: str, size: int) -> Floats:
        """Return the vectors (c, size) of all corners; NaN without."""
        found = np.full((self._count, size), np.nan)
        record = self._geometry.first(layer)
        values = None if record is None else record.array(name)
        if record is None or values is None:
            return found
        vectors = values.astype(np.float64)[: len(values) // size * size].reshape(-1, size)
        chosen = self._by.get(record.text("MappingInformationType"))
        indices = record.array(index)
        if chosen is not None and indices is not None:
            chosen = np.where(
                chosen < len(indices), indices.astype(np.int64)[chosen.clip(max=len(indices) - 1)], -1
            )
        if chosen is not None:
            is_valid = (chosen >= 0) & (chosen < len(vectors))
            found[is_valid] = vectors[chosen[is_valid]]
        return found

    def materials(self) -> Integers:
        """Return the numbers of the materials of all corners."""
        record = self._geometry.first("LayerElementMaterial")
        numbers = None if record is None else record.array("Materials")
        chosen = None if record is None else self._by.get(record.text("MappingInformationType"))
        if numbers is None or chosen is None or not len(numbers):
            return np.zeros(self._count, np.int64)
        chosen_numbers: Integers = numbers.astype(np.int64)[chosen.clip(max=len(numbers) - 1)]
        return chosen_numbers


def _name(record: Record) -> str:
    """Return the name of an object, which its type follows."""
    value = record.values[1] if len(record.values) > 1 else b""
    return value.split(b"\0\x01")[0].decode("utf-8", "replace") if isinstance(value, bytes) else ""
