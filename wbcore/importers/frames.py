"""Rotations in the conventions of robot descriptions, as quaternions (w, x, y, z)."""

from __future__ import annotations

from collections.abc import Sequence

from wbridge.wbcore.physics.pose import UPRIGHT, Quat, Vec3, axis_angle, cross, from_axes, multiply, unit

_AXES: dict[str, Vec3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


def vec3(values: Sequence[float]) -> Vec3:
    """Return three numbers as a vector."""
    x, y, z = values
    return (float(x), float(y), float(z))


def from_rpy(rpy: Sequence[float]) -> Quat:
    """Return the rotation of roll, pitch, yaw (rad): about fixed x, then fixed y, then fixed z."""
    return from_euler(rpy, "XYZ")


def from_euler(angles: Sequence[float], order: str) -> Quat:
    """Return the rotation by three angles (rad) about axes in this order: lower case for axes that move
    along, upper case for fixed axes."""
    turned = UPRIGHT
    for angle, axis in zip(angles, order, strict=True):
        turn = axis_angle(_AXES[axis.lower()], angle)
        turned = multiply(turned, turn) if axis.islower() else multiply(turn, turned)
    return turned


def from_columns(x: Vec3, y: Vec3) -> Quat | None:
    """Return the rotation that takes the x axis to `x` and the y axis to the part of `y` normal to it; None
    for parallel or zero vectors."""
    first = unit(x)
    third = unit(cross(first, y)) if first is not None else None
    if first is None or third is None:
        return None
    return from_axes(first, cross(third, first), third)
