"""The InertialUnit: orientation in the world."""

from __future__ import annotations

import math
from typing import Any

from wbcore.devices.limits import limited
from wbcore.devices.mounted import MountedSensor
from wbcore.devices.response import rounded
from wbcore.engine import _engine
from wbcore.physics.pose import (
    UPRIGHT,
    Quat,
    Vec3,
    axis_angle,
    conjugate,
    cross,
    multiply,
    to_axis_angle,
)

X: Vec3 = (1.0, 0.0, 0.0)
Y: Vec3 = (0.0, 1.0, 0.0)
Z: Vec3 = (0.0, 0.0, 1.0)
COMPONENTS = (("xAxis", 0), ("yAxis", 2), ("zAxis", 1))
"""For each field that disables an axis: the component of the rotation axis to remove."""


class InertialUnit(MountedSensor):
    """Measures its orientation as a quaternion; the controller computes roll, pitch and yaw."""

    MESSAGE = "quaternion"

    def prepare(self) -> None:
        """Read noise, resolution and the disabled axes."""
        node = self.node
        self._noise = limited(self, "noise", 0, 0, 1e3)
        self._resolution = float(node.get("resolution"))
        self._off = [component for name, component in COMPONENTS if not node.get(name)]

    def source(self) -> _engine.Source | None:
        """Return the measurement of the orientation; None with noise or disabled axes."""
        if self._noise > 0 or self._off:
            return None
        self.mount.follow()
        return _engine.Orientation(self.mount.native, self._frame(), self._resolution)

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Return the quaternion (x, y, z, w)."""
        source = self.source()
        if source is not None:
            return source.measure(elapsed)
        self.mount.follow()
        frame, turn = self._frame(), self.mount.orientation()
        turn = turn if frame is None else multiply(frame, turn)
        if self._noise > 0:
            turn = multiply(turn, self._error())
        if self._off:
            turn = self._without_axes(turn)
        w, x, y, z = turn
        if self._resolution > 0:
            x, y, z, w = (rounded(one, self._resolution) for one in (x, y, z, w))
        return ((x, y, z, w),)

    def _frame(self) -> Quat | None:
        """Return the inverse rotation of the frame of worlds with a gravity vector: north, up, and their
        cross product; None if it is that of the world."""
        settings = self.simulation.physics.plan.settings
        if settings.node is None or not isinstance(settings.node.get("gravity"), tuple):
            return None
        if settings.north == X and settings.up == Y:
            return None
        return conjugate(_rotation(settings.north, settings.up))

    def _error(self) -> Quat:
        """Return a random rotation about each axis; the noise is a fraction of half a turn."""
        gaussian = self.simulation.random.gaussian
        error = UPRIGHT
        for axis in (X, Y, Z):
            error = multiply(error, axis_angle(axis, self._noise * math.pi * gaussian()))
        return error

    def _without_axes(self, turn: Quat) -> Quat:
        *axis, angle = to_axis_angle(turn)
        for component in self._off:
            axis[component] = 0.0
        x, y, z = axis
        return axis_angle((x, y, z), angle)


def _rotation(north: Vec3, up: Vec3) -> Quat:
    """Return the rotation from the world's axes to north, up and their cross product."""
    (a, d, g), (b, e, h), (c, f, i) = north, up, cross(north, up)
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
