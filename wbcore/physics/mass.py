"""Masses: reference masses of geometries, and the manual's rules for the mass of a solid (chapter 3.51).

A solid's mass is that of its bounding object at 1000 kg/m^3, scaled to `mass` or by `density`. Overlapping
volumes count more than once.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wbcore.physics.meshes import Mesh
from wbcore.physics.pose import ZERO, Pose, Vec3, matrix

REFERENCE_DENSITY = 1000.0
Array = NDArray[np.float64]


class Geometry(Protocol):
    """What the mass of a geometry depends on; see wbcore.physics.plan.Geometry."""

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
    inertia: Array

    def moved(self, pose: Pose) -> Mass:
        """Transform the mass into a frame in which its own frame has this pose (scale has no effect)."""
        r = np.array(matrix(pose.orientation))
        # Tensors turn as R I R^T; the mean with the transpose removes asymmetry from rounding.
        turned = r @ self.inertia @ r.T
        return Mass(self.mass, pose.rigid.point(self.center), (turned + turned.T) / 2)

    def times(self, factor: float) -> Mass:
        """Return the same distribution, this many times as heavy."""
        return Mass(self.mass * factor, self.center, self.inertia * factor)

    def centered(self, center: Vec3) -> Mass:
        """Return the mass with another center and the inertia about it unchanged."""
        return Mass(self.mass, center, self.inertia)


def total(masses: Iterable[Mass]) -> Mass | None:
    """Combine masses into one rigid mass by the parallel axis theorem; None for none."""
    parts = list(masses)
    if len(parts) < 2:
        return parts[0] if parts else None
    mass = sum(one.mass for one in parts)
    # Parallel axes: I = sum of I_k + m_k (|d|^2 1 - d d^T), d from the common center to that of part k.
    mean = sum((one.mass * np.array(one.center) for one in parts), np.zeros(3)) / mass
    inertia = np.zeros((3, 3))
    for one in parts:
        inertia += one.inertia + point_inertia(one.mass, np.array(one.center) - mean)
    return Mass(mass, _vector(mean), inertia)


def point_inertia(mass: float, at: Array) -> Array:
    """Return the inertia of a point mass about the origin."""
    return np.asarray(mass * (at @ at * np.eye(3) - np.outer(at, at)))


def of_geometry(geometry: Geometry) -> Mass | None:
    """Return the reference mass of a geometry in its solid's frame; None for planes and height fields.

    A mesh that encloses no volume has 1 kg and unit inertia.
    """
    rule = _RULES.get(geometry.kind)
    if rule is None:
        return None
    mass = rule(geometry)
    return mass.moved(geometry.offset)


def _vector(a: Array) -> Vec3:
    return (float(a[0]), float(a[1]), float(a[2]))


def _box(geometry: Geometry) -> Mass:
    x, y, z = geometry.size
    m = REFERENCE_DENSITY * x * y * z
    return Mass(m, ZERO, np.diag([y * y + z * z, x * x + z * z, x * x + y * y]) * (m / 12))


def _sphere(geometry: Geometry) -> Mass:
    (r,) = geometry.size
    m = REFERENCE_DENSITY * 4 / 3 * math.pi * r**3
    return Mass(m, ZERO, np.eye(3) * (0.4 * m * r * r))


def _standing(m: float, along: float, across: float, up: str) -> Mass:
    moments = [across, along, across] if up == "y" else [across, across, along]
    return Mass(m, ZERO, np.diag(moments))


def _cylinder(geometry: Geometry) -> Mass:
    r, h = geometry.size
    m = REFERENCE_DENSITY * math.pi * r * r * h
    return _standing(m, m * r * r / 2, m * (r * r / 4 + h * h / 12), geometry.up)


def _capsule(geometry: Geometry) -> Mass:
    """Return a cylinder and two hemispheres, whose centers of mass are 3/8 r from their flat sides."""
    r, h = geometry.size
    mc = REFERENCE_DENSITY * math.pi * r * r * h
    ms = REFERENCE_DENSITY * 4 / 3 * math.pi * r**3
    # A hemisphere has 0.4 m r^2 about the center of its flat side. By the parallel axis theorem, via its
    # center of mass to the capsule's center, m (h^2 / 4 + 3/8 r h) is added.
    across = mc * (r * r / 4 + h * h / 12) + ms * (0.4 * r * r + h * h / 4 + 0.375 * r * h)
    return _standing(mc + ms, mc * r * r / 2 + 0.4 * ms * r * r, across, geometry.up)


def _mesh(geometry: Geometry) -> Mass:
    assert geometry.mesh is not None, "geometries of this kind have a mesh"
    return of_mesh(geometry.mesh) or Mass(1.0, ZERO, np.eye(3))


def of_mesh(mesh: Mesh) -> Mass | None:
    """Return the reference mass of a closed surface, from the tetrahedra between the origin and each
    triangle.

    None if the enclosed volume is not positive or the surface is too open for a valid inertia.
    """
    a, b, c = (mesh.vertices[mesh.triangles[:, i]] for i in range(3))
    # Signed volumes a . (b x c) / 6 of the tetrahedra: parts outside the surface cancel.
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6
    volume = float(volumes.sum())
    if not volume > 0:
        return None
    s = a + b + c
    # A tetrahedron with one corner at the origin has its center of mass at (a + b + c) / 4.
    center = (volumes[:, None] * s).sum(axis=0) / (4 * volume)
    # Second moments over such a tetrahedron: V/20 (s s^T + a a^T + b b^T + c c^T), s = a + b + c. The inertia
    # about the origin is tr(S) 1 - S; the parallel axis theorem moves it to the center of mass.
    weighted = volumes[:, None] / 20
    second = sum(((weighted * x).T @ x for x in (s, a, b, c)), np.zeros((3, 3)))
    about_origin = REFERENCE_DENSITY * (np.trace(second) * np.eye(3) - second)
    mass = REFERENCE_DENSITY * volume
    inertia = about_origin - point_inertia(mass, center)
    return Mass(mass, _vector(center), inertia) if is_physical(inertia) else None


_RULES = {"box": _box, "sphere": _sphere, "cylinder": _cylinder, "capsule": _capsule, "mesh": _mesh}


def is_physical(inertia: Array) -> bool:
    """Return True for a finite, symmetric (within rounding) and positive definite matrix."""
    if not np.isfinite(inertia).all():
        return False
    if not np.allclose(inertia, inertia.T, rtol=0, atol=1e-9 * float(np.abs(inertia).max())):
        return False
    return bool((np.linalg.eigvalsh(inertia) > 0).all())
