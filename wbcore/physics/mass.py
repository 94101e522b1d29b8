"""Masses: reference masses of geometries, and the manual's rules for the mass of a solid (chapter 3.51).

A solid's mass is that of its bounding object at 1000 kg/m^3, scaled to `mass` or by `density`. Overlapping
volumes count more than once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from wbridge.wbcore.engine import Mass as EngineMass
from wbridge.wbcore.engine import turned_inertia
from wbridge.wbcore.engine.mathematics import power
from wbridge.wbcore.physics.exact_sums import dots, exact_sum, plain_sum
from wbridge.wbcore.physics.meshes import Mesh
from wbridge.wbcore.physics.pose import ZERO, Matrix, Pose, Vec3, add, dot, matrix, scaled, sub

REFERENCE_DENSITY = 1000.0
UNIT: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


class Geometry(Protocol):
    """What the mass of a geometry depends on; see wbridge.wbcore.physics.plan.Geometry."""

    kind: str
    size: tuple[float, ...]
    offset: Pose
    up: str
    mesh: Mesh | None


@dataclass(frozen=True, slots=True, eq=False)
class Mass:
    """`mass` in kg, `center` in m, `inertia` (3, 3) in kg m^2 about the center, all in one frame's axes."""

    mass: float
    center: Vec3
    inertia: Matrix

    def moved(self, pose: Pose) -> Mass:
        """Transform the mass into a frame in which its own frame has this pose (scale has no effect)."""
        r = matrix(pose.orientation)
        # Tensors turn as R I R^T; the mean with the transpose removes asymmetry from rounding.
        xx, xy, xz, yx, yy, yz, zx, zy, zz = turned_inertia(_flat(r), _flat(self.inertia))
        xy, xz, yz = (xy + yx) / 2, (xz + zx) / 2, (yz + zy) / 2
        mean = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        return Mass(self.mass, pose.rigid.point(self.center), mean)

    def times(self, factor: float) -> Mass:
        """Return the same distribution, this many times as heavy."""
        return Mass(self.mass * factor, self.center, rows(scaled(row, factor) for row in self.inertia))

    def centered(self, center: Vec3) -> Mass:
        """Return the mass with another center and the inertia about it unchanged."""
        return Mass(self.mass, center, self.inertia)


def total(masses: Iterable[Mass]) -> Mass | None:
    """Combine masses into one rigid mass by the parallel axis theorem; None for none."""
    parts = list(masses)
    if len(parts) < 2:
        return parts[0] if parts else None
    mass = plain_sum(part.mass for part in parts)
    if mass == 0:  # sizes so small that their volumes are
        return Mass(mass, ZERO, (ZERO, ZERO, ZERO))
    # Parallel axes: I = sum of I_k + m_k (|d|^2 1 - d d^T), d from the common center to that of part k.
    x, y, z = (plain_sum(part.mass * part.center[axis] for part in parts) / mass for axis in range(3))
    inertia: Matrix = (ZERO, ZERO, ZERO)
    for part in parts:
        apart = point_inertia(part.mass, sub(part.center, (x, y, z)))
        inertia = _sum(inertia, _sum(part.inertia, apart))
    return Mass(mass, (x, y, z), inertia)


def rows(values: Iterable[Iterable[Any]]) -> Matrix:
    """Return a matrix of nested values, such as an array of (3, 3), as plain numbers."""
    first, second, third = (tuple(map(float, row)) for row in values)
    return (first, second, third)  # type: ignore[return-value]


def point_inertia(mass: float, at: Vec3) -> Matrix:
    """Return the inertia of a point mass about the origin."""
    square = dot(at, at)
    return rows([mass * ((square if i == j else 0.0) - at[i] * at[j]) for j in range(3)] for i in range(3))


def _flat(a: Matrix) -> list[float]:
    return [*a[0], *a[1], *a[2]]


def _sum(a: Matrix, b: Matrix) -> Matrix:
    return (add(a[0], b[0]), add(a[1], b[1]), add(a[2], b[2]))


def _diagonal(x: float, y: float, z: float) -> Matrix:
    return ((x, 0.0, 0.0), (0.0, y, 0.0), (0.0, 0.0, z))


def of_geometry(geometry: Geometry) -> Mass | None:
    """Return the reference mass of a geometry in its solid's frame; None for planes and height fields.

    A mesh that encloses no volume has 1 kg and unit inertia.
    """
    rule = _RULES.get(geometry.kind)
    if rule is None:
        return None
    mass = rule(geometry)
    return mass.moved(geometry.offset)


def _box(geometry: Geometry) -> Mass:
    x, y, z = geometry.size
    m = REFERENCE_DENSITY * x * y * z
    part = m / 12
    moments = ((y * y + z * z) * part, (x * x + z * z) * part, (x * x + y * y) * part)
    return Mass(m, ZERO, _diagonal(*moments))


def _sphere(geometry: Geometry) -> Mass:
    (r,) = geometry.size
    m = REFERENCE_DENSITY * 4 / 3 * math.pi * power(r, 3)
    moment = 0.4 * m * r * r
    return Mass(m, ZERO, _diagonal(moment, moment, moment))


def _standing(m: float, along: float, across: float, up: str) -> Mass:
    moments = (across, along, across) if up == "y" else (across, across, along)
    return Mass(m, ZERO, _diagonal(*moments))


def _cylinder(geometry: Geometry) -> Mass:
    r, h = geometry.size
    m = REFERENCE_DENSITY * math.pi * r * r * h
    return _standing(m, m * r * r / 2, m * (r * r / 4 + h * h / 12), geometry.up)


def _capsule(geometry: Geometry) -> Mass:
    """Return a cylinder and two hemispheres, whose centers of mass are 3/8 r from their flat sides."""
    r, h = geometry.size
    mc = REFERENCE_DENSITY * math.pi * r * r * h
    ms = REFERENCE_DENSITY * 4 / 3 * math.pi * power(r, 3)
    # A hemisphere has 0.4 m r^2 about the center of its flat side. By the parallel axis theorem, via its
    # center of mass to the capsule's center, m (h^2 / 4 + 3/8 r h) is added.
    across = mc * (r * r / 4 + h * h / 12) + ms * (0.4 * r * r + h * h / 4 + 0.375 * r * h)
    return _standing(mc + ms, mc * r * r / 2 + 0.4 * ms * r * r, across, geometry.up)


def _mesh(geometry: Geometry) -> Mass:
    assert geometry.mesh is not None, "geometries of this kind have a mesh"
    return of_mesh(geometry.mesh) or Mass(1.0, ZERO, UNIT)


def volume_of(mesh: Mesh) -> float:
    """Return the volume (m^3) that a closed surface encloses; negative if its faces look inwards."""
    return exact_sum(_volumes(mesh))


def _volumes(mesh: Mesh) -> Any:
    """Return the signed volumes a . (b x c) / 6 of the tetrahedra between the origin and each triangle."""
    import numpy as np  # start-up: few solids are bounded by meshes

    a, b, c = (mesh.vertices[mesh.triangles[:, i]] for i in range(3))
    return dots(a, np.cross(b, c)) / 6


def of_mesh(mesh: Mesh) -> Mass | None:
    """Return the reference mass of a closed surface, from the tetrahedra between the origin and each
    triangle.

    None if the enclosed volume is not positive or the surface is too open for a valid inertia.
    """
    import numpy as np  # start-up: few solids are bounded by meshes

    a, b, c = (mesh.vertices[mesh.triangles[:, i]] for i in range(3))
    volumes = _volumes(mesh)  # parts outside the surface cancel
    volume = exact_sum(volumes)
    if not volume > 0:
        return None
    s = a + b + c
    # A tetrahedron with one corner at the origin has its center of mass at (a + b + c) / 4.
    center = np.array([exact_sum(volumes * s[:, i]) for i in range(3)]) / (4 * volume)
    # Second moments over such a tetrahedron: V/20 (s s^T + a a^T + b b^T + c c^T), s = a + b + c. The inertia
    # about the origin is tr(S) 1 - S; the parallel axis theorem moves it to the center of mass.
    corners = np.stack([s, a, b, c])
    weighted = volumes[:, None] / 20 * corners
    second = np.array([[exact_sum(weighted[..., i] * corners[..., k]) for k in range(3)] for i in range(3)])
    about_origin = REFERENCE_DENSITY * (exact_sum(second.diagonal()) * np.eye(3) - second)
    mass = REFERENCE_DENSITY * volume
    x, y, z = map(float, center)
    inertia = rows(about_origin - np.array(point_inertia(mass, (x, y, z))))
    return Mass(mass, (x, y, z), inertia) if is_physical(inertia) else None


_RULES = {"box": _box, "sphere": _sphere, "cylinder": _cylinder, "capsule": _capsule, "mesh": _mesh}


def is_physical(inertia: Matrix) -> bool:
    """Return True for a finite, symmetric (within rounding) and positive definite matrix that the engine can
    invert: its determinant is a number, too, unlike with moments of 1e-120 kg m^2."""
    try:
        EngineMass.of(1.0, ZERO, _flat(inertia))
    except ValueError:
        return False
    return True
