"""Nodes for the parts of a link: shapes, bounding object, physics, sensors."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wbridge.wbcore.importers.mesh_writer import MeshFiles
from wbridge.wbcore.importers.proto_text import NodeText, Value
from wbridge.wbcore.importers.robot_model import Geometry, Material, Sensor, Shape
from wbridge.wbcore.physics.mass import Mass
from wbridge.wbcore.physics.pose import ONE, Pose, Vec3, to_axis_angle

_CAD = (".dae", ".obj")
"""Formats with materials of their own, which a CadShape shows."""


class Parts:
    """Makes nodes; files are named relative to the PROTO."""

    def __init__(self, files: MeshFiles, box_collision: bool) -> None:
        self._files = files
        self._box_collision = box_collision

    def shape(self, shape: Shape) -> NodeText:
        """Return what is seen of a geometry, in a Pose or Transform if it needs one."""
        geometry = shape.geometry
        if geometry.kind == "ellipsoid":
            ball = self._shape(Geometry("sphere", (1.0,)), shape.material)
            return placed(ball, geometry.offset, vec3_of(geometry.size))
        return placed(self._shape(geometry, shape.material), geometry.offset, geometry.scale)

    def _shape(self, geometry: Geometry, material: Material | None) -> NodeText:
        if geometry.kind == "mesh" and geometry.file is not None and _has_materials(geometry, material):
            fields: dict[str, Value] = {"url": [self._files.url(geometry.file)]}
            return NodeText("CadShape", fields | _clockwise(geometry))
        appearance = self._appearance(material or Material())
        return NodeText("Shape", {"appearance": appearance, "geometry": self._geometry(geometry)})

    def _appearance(self, material: Material) -> NodeText:
        red, green, blue, alpha = material.color
        fields: dict[str, Value] = {"baseColor": (red, green, blue)}
        if material.texture is not None:
            texture = NodeText("ImageTexture", {"url": [self._files.url(material.texture)]})
            fields["baseColorMap"] = texture
        if alpha < 1:
            fields["transparency"] = 1 - alpha
        return NodeText("PBRAppearance", fields | {"roughness": material.roughness, "metalness": 0.0})

    def _geometry(self, geometry: Geometry) -> NodeText:
        if geometry.kind == "box":
            return NodeText("Box", {"size": geometry.size})
        if geometry.kind == "sphere":
            return NodeText("Sphere", {"radius": geometry.size[0], "subdivision": 3})
        if geometry.kind == "mesh":
            assert geometry.file is not None, "meshes come from files"
            fields: dict[str, Value] = {"url": [self._files.url(geometry.file)]}
            return NodeText("Mesh", fields | _clockwise(geometry))
        radius, height = geometry.size
        return NodeText(geometry.kind.capitalize(), {"radius": radius, "height": height})

    def bounding_object(self, collisions: Sequence[Geometry]) -> NodeText:
        """Return one node for all collisions of a link."""
        boundings = [self._bounding(collision) for collision in collisions]
        return boundings[0] if len(boundings) == 1 else NodeText("Group", {"children": boundings})

    def _bounding(self, geometry: Geometry) -> NodeText:
        if self._box_collision and geometry.kind != "box":
            low, high = bounds_of(geometry)
            size = vec3_of(np.maximum(high - low, 1e-4))
            middle = Pose(vec3_of((low + high) / 2))
            return placed(NodeText("Box", {"size": size}), geometry.offset @ middle)
        if geometry.kind == "ellipsoid":
            return placed(self._geometry(self._files.ellipsoid(vec3_of(geometry.size))), geometry.offset)
        if geometry.kind == "mesh":
            # Bounding objects cannot be scaled: the scaled triangles become a file of their own.
            return placed(self._geometry(self._files.unscaled(geometry)), geometry.offset)
        return placed(self._geometry(geometry), geometry.offset)


def vec3_of(values: Sequence[float] | np.ndarray) -> Vec3:
    """Return three numbers as a vector of Python floats."""
    return (float(values[0]), float(values[1]), float(values[2]))


def _clockwise(geometry: Geometry) -> dict[str, Value]:
    """Return the field for a mesh that a negative scale turns inside out."""
    x, y, z = geometry.scale
    return {"ccw": False} if x * y * z < 0 else {}


def _has_materials(geometry: Geometry, material: Material | None) -> bool:
    """Return True for a mesh that has materials of its own and gets no other."""
    assert geometry.file is not None, "meshes come from files"
    if geometry.file.suffix.lower() not in _CAD:
        return False
    has_own = geometry.mesh is not None and bool(geometry.mesh.palette)
    return has_own or material is None


def bounds_of(geometry: Geometry) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest coordinates of a geometry in its own frame."""
    if geometry.kind == "mesh":
        if geometry.mesh is None:
            return np.zeros(3), np.zeros(3)
        return geometry.mesh.vertices.min(axis=0), geometry.mesh.vertices.max(axis=0)
    size = geometry.size
    if geometry.kind in ("cylinder", "capsule"):
        radius, height = size
        half = np.array((radius, radius, height / 2 + (radius if geometry.kind == "capsule" else 0.0)))
    else:
        half = {"box": np.array(size) / 2, "sphere": np.full(3, size[0])}.get(geometry.kind, np.array(size))
    return -half, half


def placed(node: NodeText, pose: Pose, scale: Vec3 = ONE) -> NodeText:
    """Return a node in a Pose, or in a Transform if it is scaled; the node itself if neither is needed."""
    fields = pose_fields(pose)
    if scale != ONE:
        return NodeText("Transform", fields | {"scale": scale, "children": [node]})
    return NodeText("Pose", fields | {"children": [node]}) if fields else node


def pose_fields(pose: Pose) -> dict[str, Value]:
    """Return the fields of a pose that differ from their defaults."""
    fields: dict[str, Value] = {}
    if any(abs(coordinate) > 1e-12 for coordinate in pose.position):
        fields["translation"] = pose.position
    rotation = to_axis_angle(pose.orientation)
    if rotation[3] > 1e-9:
        fields["rotation"] = rotation
    return fields


def physics(mass: Mass | None) -> NodeText:
    """Return the Physics of a link; without a mass, Webots computes it from the bounding object."""
    if mass is None:
        return NodeText("Physics")
    i = mass.inertia
    fields: dict[str, Value] = {
        "density": -1.0,
        "mass": mass.mass,
        "centerOfMass": [mass.center],
        "inertiaMatrix": [
            (i[0][0], i[1][1], i[2][2]),
            (i[0][1], i[0][2], i[1][2]),
        ],
    }
    return NodeText("Physics", fields)


def sensor(model: Sensor) -> NodeText:
    """Return a device with its pose."""
    return NodeText(model.type, pose_fields(model.pose) | model.fields)
