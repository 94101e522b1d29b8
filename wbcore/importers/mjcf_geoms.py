"""The geoms of MJCF: geometries, their masses, materials and meshes.

Source: MuJoCo's XML reference (body/geom, asset/mesh, asset/material). Sizes are half lengths; meshes and
capsules lie along z.
"""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from wbridge.wbcore.importers.asset_files import Assets
from wbridge.wbcore.importers.frames import vec3
from wbridge.wbcore.importers.mjcf_document import Document, along_z
from wbridge.wbcore.importers.robot_model import Geometry, Link, Material, Shape
from wbridge.wbcore.importers.xml_tree import Element
from wbridge.wbcore.physics.mass import REFERENCE_DENSITY, Mass, of_geometry, of_mesh, rows
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.pose import (
    IDENTITY,
    ONE,
    UPRIGHT,
    ZERO,
    Pose,
    add,
    conjugate,
    length,
    rotate,
    scaled,
    sub,
)
from wbridge.wbcore.scene.diagnostics import shown

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
LIGHTEST = 1e-30
"""In kg: lighter geoms count as without mass, so that quotients of masses stay finite."""
_VISIBLE = 2
"""The highest group that MuJoCo shows without being asked to."""
_GRAY = (0.5, 0.5, 0.5, 1.0)


class Geoms:
    """Reads geoms; meshes and materials come from the document's assets."""

    def __init__(self, document: Document, assets: Assets) -> None:
        self._document = document
        self._reader = document.reader
        self._assets = assets
        self._named: dict[str, dict[str, Element]] = {"mesh": {}, "material": {}, "texture": {}}
        for element in document.entries("asset"):
            if element.tag in self._named:
                name = element.attributes.get("name") or Path(element.attributes.get("file", "")).stem
                self._named[element.tag].setdefault(name, element)
        self._meshes: dict[str, Geometry | None] = {}
        low, high = self._reader.vector(document.compiler, "inertiagrouprange", (0.0, 5.0))
        self._groups = (low, high)

    def read(self, element: Element, pose: Pose, link: Link, masses: list[Mass]) -> None:
        """Add a geom with its default values to a link, and its mass to `masses`.

        Args:
            element: the geom.
            pose: of the frame that it is in.
            link: the link of its body.
            masses: masses of the body's geoms.
        """
        kind = self._reader.text(element, "type", "mesh" if "mesh" in element.attributes else "sphere")
        if kind in ("plane", "hfield"):
            return
        geometry = self._geometry(element, kind)
        if geometry is None:
            return
        geometry.offset = pose @ geometry.offset
        group = self._reader.number(element, "group", 0.0)
        if self._groups[0] <= group <= self._groups[1] and (mass := self._mass(element, geometry)):
            masses.append(mass)
        material = self._material(element)
        if group <= _VISIBLE and material.color[3] > 0:
            link.visuals.append(Shape(geometry, material))
        touching = [self._reader.number(element, name, 1.0) for name in ("contype", "conaffinity")]
        if any(touching):
            link.collisions.append(geometry)

    def _geometry(self, element: Element, kind: str) -> Geometry | None:
        """Return the geometry in the frame of the geom's parent."""
        if "mesh" in element.attributes:
            return self._mesh(element)
        if kind not in _SIZES:
            near = self._reader.report.hint(kind, [*_SIZES, "mesh"])
            text = f"<geom> type is {shown(kind)}, which is not supported and was left out{near}"
            self._reader.warn(element, "geom", text)
            return None
        text = self._reader.text(element, "size", None if "fromto" not in element.attributes else "")
        size = list(self._reader.numbers(element, "size", text) or ())
        pose = self._document.pose(element)
        if ends := self._reader.text(element, "fromto"):
            values = self._reader.numbers(element, "fromto", ends) or ()
            if len(values) != 6:
                self._reader.error(element, "value", f"<geom> fromto is {shown(ends)}; expected 6 numbers")
                return None
            start, end = vec3(values[:3]), vec3(values[3:])
            # MuJoCo turns z to the direction from the second end to the first.
            pose = Pose(scaled(add(start, end), 0.5), along_z(sub(start, end)) or UPRIGHT)
            radii = [size[0], size[0]] if kind in ("box", "ellipsoid") and len(size) == 1 else size[:1]
            size = [*(size[:2] if len(size) > 1 and kind in ("box", "ellipsoid") else radii)]
            size.append(length(sub(end, start)) / 2)
        if len(size) < _SIZES[kind] or min(size[: _SIZES[kind]]) <= 0:
            text = f"<geom> of type {kind} needs {_SIZES[kind]} positive sizes"
            self._reader.error(element, "size", text)
            return None
        return Geometry(kind, _full(kind, size), pose)

    def _mesh(self, element: Element) -> Geometry | None:
        name = element.attributes["mesh"]
        if not self._reader.find(element, "mesh", name, self._named["mesh"]):
            return None
        if name not in self._meshes:
            self._meshes[name] = self._read_mesh(self._document.resolved(self._named["mesh"][name]))
        mesh = self._meshes[name]
        if mesh is None:
            return None
        pose = self._document.pose(element) @ mesh.offset
        return Geometry("mesh", (), pose, mesh.file, mesh.mesh, mesh.scale)

    def _read_mesh(self, element: Element) -> Geometry | None:
        """Return the geometry of an asset; `offset` is the inverse of its reference frame."""
        file = self._reader.text(element, "file")
        if not file:
            text = "<mesh> without a file is not supported and was left out; save it as an .obj file"
            self._reader.warn(element, "mesh", text)
            return None
        scale = vec3(self._reader.vector(element, "scale", ONE))
        if 0.0 in scale:
            self._reader.error(element, "value", "<mesh> scale has a 0; a mesh needs a volume")
            return None
        mesh = self._assets.mesh(element, self._path(file, "meshdir"), scale)
        if mesh is not None:
            quat = self._reader.vector(element, "refquat", UPRIGHT)
            back = conjugate((quat[0], quat[1], quat[2], quat[3]))
            position = vec3(self._reader.vector(element, "refpos", ZERO))
            mesh.offset = Pose(rotate(back, scaled(position, -1.0)), back)
        return mesh

    def _path(self, file: str, folder: str) -> str:
        """Return a file's name with the folder that the compiler names for its kind."""
        settings = self._document.compiler.attributes
        if settings.get("strippath") == "true":
            file = Path(file).name
        return str(Path(settings.get(folder) or settings.get("assetdir", "")) / file)

    def _material(self, element: Element) -> Material:
        """Return the look of a geom: its own color counts more than that of its material."""
        rgba = self._color(element)
        name = self._reader.text(element, "material")
        made = Material(name, rgba or _GRAY)
        if not name or not self._reader.find(element, "material", name, self._named["material"]):
            return made
        material = self._document.resolved(self._named["material"][name])
        made.color = rgba or self._color(material) or (1.0, 1.0, 1.0, 1.0)
        made.roughness = 1 - min(max(self._reader.number(material, "shininess", 0.5), 0.0), 1.0)
        texture = self._named["texture"].get(self._reader.text(material, "texture"))
        file = self._reader.text(texture, "file")
        if texture is not None and Path(file).suffix.lower() in (".png", ".jpg", ".jpeg"):
            made.texture = self._assets.find(texture, self._path(file, "texturedir"), needed=False)
        return made

    def _color(self, element: Element) -> tuple[float, ...] | None:
        if "rgba" not in element.attributes:
            return None
        color = self._reader.vector(element, "rgba", _GRAY)
        return None if color == _GRAY else tuple(min(max(channel, 0.0), 1.0) for channel in color)

    def _mass(self, element: Element, geometry: Geometry) -> Mass | None:
        """Return the mass of a geom in its body's frame; None if it has none."""
        density = self._reader.number(element, "density", REFERENCE_DENSITY, least=0.0)
        own = mass_of(geometry, density)
        asset = self._named["mesh"].get(self._reader.text(element, "mesh"))
        is_shell = asset and self._reader.text(self._document.resolved(asset), "inertia") == "shell"
        if is_shell and geometry.mesh is not None:
            own = mass_of_surface(geometry.mesh, density)
        if "mass" in element.attributes:
            mass = self._reader.number(element, "mass", 0.0, least=0.0)
            unit = own if own is not None and own.mass > 0 else mass_of(geometry, REFERENCE_DENSITY)
            own = unit.times(mass / unit.mass) if unit is not None and unit.mass > LIGHTEST else None
        return own.moved(geometry.offset) if own is not None and own.mass > LIGHTEST else None


def _full(kind: str, size: list[float]) -> tuple[float, ...]:
    """Return sizes as `Geometry` has them."""
    if kind == "box":
        return tuple(2 * half for half in size[:3])
    return (size[0], 2 * size[1]) if kind in ("cylinder", "capsule") else tuple(size[: _SIZES[kind]])


def mass_of(geometry: Geometry, density: float) -> Mass | None:
    """Return the mass of a solid geometry in its own frame; None for a mesh without a volume."""
    if geometry.kind == "mesh":
        # A mirrored mesh is inside out.
        mesh = geometry.mesh
        if mesh is not None and np.prod(geometry.scale) < 0:
            mesh = mesh.flipped()
        found = of_mesh(mesh) if mesh is not None else None
        return found.times(density / REFERENCE_DENSITY) if found is not None else None
    if geometry.kind == "ellipsoid":
        a, b, c = geometry.size
        mass = density * 4 / 3 * math.pi * a * b * c
        return Mass(mass, ZERO, rows(np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * (mass / 5)))
    found = of_geometry(replace(geometry, offset=IDENTITY))
    return found.times(density / REFERENCE_DENSITY) if found is not None else None


def mass_of_surface(mesh: Mesh, density: float) -> Mass:
    """Return the mass of a thin shell in its own frame; `density` in kg/m^2."""
    corners = mesh.vertices[mesh.triangles]
    a, b, c = (corners[:, i] for i in range(3))
    masses = density * np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    mass, s = float(masses.sum()), a + b + c
    center = (masses[:, None] * s).sum(axis=0) / (3 * mass)
    # Second moments over a triangle: m / 12 (s s^T + a a^T + b b^T + c c^T), s = a + b + c.
    second = sum(np.einsum("n,ni,nk->ik", masses / 12, point, point) for point in (s, a, b, c))
    second = second - mass * np.outer(center, center)
    return Mass(mass, vec3(center.tolist()), rows(np.trace(second) * np.eye(3) - second))
