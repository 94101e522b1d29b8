"""Poses: one frame relative to another, as plain tuples.

Vectors are (x, y, z), orientations unit quaternions (w, x, y, z). The identity is exact: composing with it
changes no bit, so poses do not drift on their way through the tree and back.
"""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from wbridge.wbcore.engine import mathematics

Vec3: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Matrix: TypeAlias = tuple[Vec3, Vec3, Vec3]

ZERO: Vec3 = (0.0, 0.0, 0.0)
ONE: Vec3 = (1.0, 1.0, 1.0)
UPRIGHT: Quat = (1.0, 0.0, 0.0, 0.0)


def add(a: Vec3, b: Vec3) -> Vec3:
    """a + b"""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


def sub(a: Vec3, b: Vec3) -> Vec3:
    """a - b"""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def scaled(a: Vec3, factor: float) -> Vec3:
    """a times a number."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


def times(a: Vec3, b: Vec3) -> Vec3:
    """Componentwise product."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


def dot(a: Vec3, b: Vec3) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vec3, b: Vec3) -> Vec3:
    """Vector product."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def length(a: Vec3) -> float:
    """Euclidean norm."""
    return math.sqrt(dot(a, a))


def unit(a: Vec3) -> Vec3 | None:
    """Return the unit vector along `a`; None for a zero or infinite vector."""
    size = length(a)
    return scaled(a, 1 / size) if size > 0 and math.isfinite(size) else None


def multiply(a: Quat, b: Quat) -> Quat:
    """Return the product of two quaternions: the rotation b, followed by a."""
    aw, ax, ay, az = a
    bw, bx, by, bz = b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def conjugate(q: Quat) -> Quat:
    """The inverse rotation."""
    return (q[0], -q[1], -q[2], -q[3])


def rotate(q: Quat, v: Vec3) -> Vec3:
    """Rotate a vector: v + 2 w (u x v) + 2 u x (u x v), with the quaternion (w, u)."""
    axis = (q[1], q[2], q[3])
    t = scaled(cross(axis, v), 2.0)
    return add(add(v, scaled(t, q[0])), cross(axis, t))


def axis_angle(axis: Vec3, angle: float) -> Quat:
    """Return the rotation by an angle (rad) about an axis of any length; the identity for a zero axis."""
    direction = unit(axis)
    if direction is None or angle == 0:
        return UPRIGHT
    s = mathematics.sin(angle / 2)
    return (mathematics.cos(angle / 2), direction[0] * s, direction[1] * s, direction[2] * s)


def angle_between(a: Vec3, b: Vec3) -> float:
    """Return the angle between two directions (rad, 0 to pi)."""
    return mathematics.atan2(length(cross(a, b)), dot(a, b))


def rotation_between(a: Vec3, b: Vec3) -> Quat:
    """Return the smallest rotation from one direction to another."""
    axis = cross(a, b)
    if length(axis) > 1e-12 or dot(a, b) > 0:
        return axis_angle(axis, angle_between(a, b))
    across = cross(a, (1.0, 0.0, 0.0) if abs(a[0]) < 0.9 else (0.0, 1.0, 0.0))
    return axis_angle(across, math.pi)


def from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat:
    """Return the rotation from the world's axes to three perpendicular unit vectors."""
    (a, d, g), (b, e, h), (c, f, i) = x, y, z
    trace = a + e + i
    if trace > 0:
        s = 2 * math.sqrt(trace + 1)
        return (s / 4, (h - f) / s, (c - g) / s, (d - b) / s)
    # Divide by the component with the largest diagonal entry, which is never near 0.
    if a >= e and a >= i:
        s = 2 * math.sqrt(1 + a - e - i)
        return ((h - f) / s, s / 4, (b + d) / s, (c + g) / s)
    if e >= i:
        s = 2 * math.sqrt(1 + e - a - i)
        return ((c - g) / s, (b + d) / s, s / 4, (f + h) / s)
    s = 2 * math.sqrt(1 + i - a - e)
    return ((d - b) / s, (c + g) / s, (f + h) / s, s / 4)


def to_axis_angle(q: Quat) -> tuple[float, float, float, float]:
    """Convert a rotation to SFRotation values: unit axis and angle in 0 to pi; the z axis for no rotation."""
    w, x, y, z = q if q[0] >= 0 else (-q[0], -q[1], -q[2], -q[3])
    # Both q and -q are the same rotation; w >= 0 gives the angle up to pi.
    s = math.sqrt(x * x + y * y + z * z)
    if s < 1e-15:
        return (0.0, 0.0, 1.0, 0.0)
    return (x / s, y / s, z / s, 2 * mathematics.atan2(s, w))


def matrix(q: Quat) -> Matrix:
    """Return the rotation matrix of a quaternion as three rows."""
    w, x, y, z = q
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


class Pose(NamedTuple):
    """Position (m) and orientation of a frame in another one, and the scale inside it.

    The scale multiplies positions and sizes inside the frame. Scales of nested frames multiply component by
    component, also with a rotation in between, as in Webots.
    """

    position: Vec3 = ZERO
    orientation: Quat = UPRIGHT
    scale: Vec3 = ONE

    def __matmul__(self, inner: Pose) -> Pose:
        """Return the pose in the outer frame of an object with the pose `inner` in this one."""
        return Pose(
            self.point(inner.position),
            multiply(self.orientation, inner.orientation),
            times(self.scale, inner.scale),
        )

    def point(self, p: Vec3) -> Vec3:
        """Transform a point of this frame to the outer one."""
        return add(self.position, rotate(self.orientation, times(self.scale, p)))

    def direction(self, v: Vec3) -> Vec3:
        """Rotate a direction of this frame to the outer one; lengths are kept."""
        return rotate(self.orientation, v)

    def local(self, p: Vec3) -> Vec3:
        """Transform a point of the outer frame to this one."""
        x, y, z = rotate(conjugate(self.orientation), sub(p, self.position))
        return (x / self.scale[0], y / self.scale[1], z / self.scale[2])

    def local_direction(self, v: Vec3) -> Vec3:
        """Rotate a direction of the outer frame to this one."""
        return rotate(conjugate(self.orientation), v)

    def relative(self, other: Pose) -> Pose:
        """Return the pose in this frame of a frame with the pose `other` in the outer one."""
        sx, sy, sz = self.scale
        ox, oy, oz = other.scale
        turn = multiply(conjugate(self.orientation), other.orientation)
        return Pose(self.local(other.position), turn, (ox / sx, oy / sy, oz / sz))

    def rigid_pose_of(self, other: Pose) -> Pose:
        """Return the pose of `other`, given in the outer frame, in this frame, both without scale."""
        return self.rigid.relative(other).rigid

    @property
    def rigid(self) -> Pose:
        """The same pose without scale."""
        return Pose(self.position, self.orientation)


IDENTITY = Pose()
