"""Skins: models whose vertices follow bones, which a controller or the solids of a robot move.

Source: manual, chapter Skin; WbSkin.cpp. Bones of solids bind the model as it stands at the start.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from wbridge.wbcore.physics.errors import UnknownNodeError
from wbridge.wbcore.physics.meshes import MeshError, unit_vectors
from wbridge.wbcore.physics.pose import Pose, matrix
from wbridge.wbcore.physics.tree import nodes_in, pose_of
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.textures import find_asset
from wbridge.wbcore.visual.polygons import normals_of
from wbridge.wbcore.visual.skeletons import Poses, Skeleton
from wbridge.wbcore.visual.skin_models import SkinModel, read_skin
from wbridge.wbcore.visual.warnings import warn

if TYPE_CHECKING:
    from numpy.typing import NDArray

Floats: TypeAlias = "NDArray[np.float64]"


def skin_of(physics: PhysicsWorld, node: Node) -> Skin | None:
    """Return the skin of a node, which is made again when its fields change; None, with a warning, if it
    cannot be used."""
    names = [str(bone.root.get("solidName")) for bone in nodes_in(node, "bones")]
    looks = [appearance.root for appearance in nodes_in(node, "appearance")]
    state = (node.get("modelUrl"), node.get("castShadows"), names, looks)
    known: tuple[object, Skin | None] | None = physics.shown.get(node)
    if known is None or known[0] != state:
        try:
            skin = Skin(physics, node) if node.get("modelUrl") else None
        except (MeshError, UnknownNodeError) as problem:
            warn(physics.world, node, f"it is not shown: {problem}")
            skin = None
        if skin is not None and known is not None and known[1] is not None:
            skin.commands = known[1].commands
        known = physics.shown[node] = state, skin
    return known[1]


class SkinPart(Node):
    """Stands for the triangles of one material of a skin, as the geometry of a Shape."""

    __slots__ = ("skin", "material")

    def __init__(self, skin: Skin, material: int) -> None:
        spec = schema(None).node("Mesh")
        assert spec is not None, "there are mesh files"
        super().__init__(spec)
        self.type = "SkinPart"
        self.skin, self.material = skin, material


class Skin:
    """A model and where its bones are."""

    def __init__(self, physics: PhysicsWorld, node: Node) -> None:
        """
        Raises:
            MeshError: the model cannot be used, or the solids do not match its bones.
        """
        url = str(node.get("modelUrl")).replace("\\", "/")
        path = find_asset(physics.world, node, url)
        if path is None:
            raise MeshError(f"file '{url}' not found")
        self._physics = physics
        self.model: SkinModel = read_skin(path)
        self.skeleton = Skeleton(self.model.bones)
        self.commands: Callable[[], tuple[Poses, Poses]] = lambda: ({}, {})
        """The orientations and positions that a controller has set."""
        self._solids = self._linked(node)
        self.is_in_world = bool(self._solids)
        """True if vertices are in the frame of the world, because solids are the bones."""
        self._start = _matrix(physics.pose(node) @ pose_of(node)) if self._solids else np.eye(4)
        self._bound = [np.linalg.inv(_matrix(physics.pose(solid).rigid)) for solid in self._solids]
        self._normals = normals_of(self.model.mesh)
        self.shapes = [self._shape(node, index) for index in range(len(self.model.mesh.palette))]
        self._movements: Floats | None = None
        self._version = 0
        self._deformed: tuple[int, Floats, Floats] | None = None

    def _linked(self, node: Node) -> list[Node]:
        """Return the solids in the field `bones`, by bone."""
        names = [str(bone.root.get("solidName")) for bone in nodes_in(node, "bones")]
        if not names:
            return []
        robot = self._physics.solid(node).robot
        below = [solid.node for solid in self._physics.solids() if solid.robot is robot]
        solids = {str(node.get("name")): node for node in below}
        bones = [bone.name for bone in self.model.bones]
        lacking = [bone for bone in bones if bone not in names or bone not in solids]
        if lacking:
            raise MeshError(f"no solid in 'bones' for the bone '{lacking[0]}'; the model has {len(bones)}")
        return [solids[bone] for bone in bones]

    def _shape(self, node: Node, index: int) -> Node:
        spec = schema(None).node("Shape")
        assert spec is not None, "there are shapes"
        shape = Node(spec, node.source, node.offset)
        shape.set("geometry", SkinPart(self, index))
        shape.set("castShadows", node.get("castShadows"))
        name = self.model.mesh.palette[index].name
        looks = [
            appearance for appearance in nodes_in(node, "appearance") if appearance.root.get("name") == name
        ]
        if looks:
            shape.field("appearance").value = looks[0]  # it stays a node of the Skin
        else:
            warn(self._physics.world, node, f"no appearance is named '{name}'")
        shape.parent = node
        return shape

    def version(self) -> int:
        """Return a number that changes when the bones have moved."""
        if self._solids:
            now = np.stack([_matrix(self._physics.pose(solid).rigid) for solid in self._solids])
            movements = now @ np.stack(self._bound) @ self._start
        else:
            movements = self.skeleton.movements(self.skeleton.poses(*self.commands()))
        if self._movements is None or not np.array_equal(movements, self._movements):
            self._movements = movements
            self._version += 1
        return self._version

    def deformed(self) -> tuple[Floats, Floats]:
        """Return the points (n, 3), and the normals (k, 3, 3) of the corners of triangles."""
        version = self.version()
        if self._deformed is None or self._deformed[0] != version:
            self._deformed = (version, *self._deform())
        return self._deformed[1:]

    def _deform(self) -> tuple[Floats, Floats]:
        """Add the movements of the bones of each vertex by their shares (linear blend skinning)."""
        assert self._movements is not None, "movements are known"
        model, mesh = self.model, self.model.mesh
        blended = np.zeros((len(mesh.vertices), 3, 4))
        for column in range(model.weights.shape[1]):
            shares = model.weights[:, column, None, None]
            blended += shares * self._movements[model.bones_of[:, column], :3]
        free = model.weights.sum(axis=1) <= 0
        blended[free] = self._start[:3]
        points = np.einsum("nij,nj->ni", blended[:, :, :3], mesh.vertices) + blended[:, :, 3]
        turned = np.einsum("kcij,kcj->kci", blended[mesh.triangles][..., :3], self._normals)
        normals = unit_vectors(turned)
        return points, np.where(np.isnan(normals), self._normals, normals)


def _matrix(pose: Pose) -> Floats:
    made = np.eye(4)
    made[:3, :3] = np.array(matrix(pose.orientation)).reshape(3, 3) * np.array(pose.scale)
    made[:3, 3] = pose.position
    return made
