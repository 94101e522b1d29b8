"""The InertialUnit: orientation in the world."""

from __future__ import annotations

import math

from wbridge.hal.protocol.angles import roll_pitch_yaw
from wbridge.wbcore.devices.limits import limited
from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import response_of
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Quat, Vec3, conjugate, cross, from_axes
from wbridge.wbcore.scene.version import Version

FIRST_WITH_QUATERNIONS = Version.parse("R2021a")
"""The first release in which controllers compute the angles; before, they were values of the lookup table."""
X: Vec3 = (1.0, 0.0, 0.0)
Y: Vec3 = (0.0, 1.0, 0.0)
COMPONENTS = (("xAxis", 0), ("yAxis", 2), ("zAxis", 1))
"""For each field that disables an axis: the component of the rotation axis to remove."""


class InertialUnit(MountedSensor):
    """Measures its orientation as a quaternion; the controller computes roll, pitch and yaw."""

    MESSAGE = "quaternion"

    _answers_angles = False

    def prepare(self) -> None:
        """Read noise, resolution, the disabled axes and, in old worlds, the lookup table."""
        node = self.node
        self._noise = limited(self, "noise", 0, 0, 1e3)
        self._resolution = float(node.get("resolution"))
        off = [component for name, component in COMPONENTS if not node.get(name)]
        self._off = (0 in off, 1 in off, 2 in off)
        self._on = [bool(node.get(name)) for name in ("xAxis", "zAxis", "yAxis")]
        self._respond = response_of(self)
        is_old = self.conventions.version < FIRST_WITH_QUATERNIONS
        self._answers_angles = is_old and not (all(self._on) and not self._respond.rows)

    def source(self) -> _engine.Source | None:
        """Return the measurement of the orientation: a quaternion (x, y, z, w); None if angles are sent."""
        return None if self._answers_angles else self._orientation(self._noise, self._off, self._resolution)

    def measure(self, elapsed: float) -> tuple[object, ...] | None:
        """Return the orientation; in old worlds, also send the angles of the lookup table.

        Source: manual 8.3.1, chapter InertialUnit: the values of disabled axes are NaN.
        """
        if not self._answers_angles:
            return super().measure(elapsed)
        values = self._orientation(0.0, (False, False, False), -1.0).measure(elapsed)
        angles = roll_pitch_yaw(values[0], str(self.entry.constants["coordinateSystem"]))
        random = self.simulation.random
        shown = (
            self._respond(angle, random) if on else math.nan
            for angle, on in zip(angles, self._on, strict=True)
        )
        self.send_newest("angles", tuple(shown))
        return values

    def _orientation(self, noise: float, off: tuple[bool, bool, bool], resolution: float) -> _engine.Source:
        self.mount.follow()
        engine = self.simulation.physics.engine
        return _engine.Orientation(engine, self.mount.native, self._frame(), noise, off, resolution)

    def _frame(self) -> Quat | None:
        """Return the inverse rotation of the frame of worlds with a gravity vector: north, up, and their
        cross product; None if it is that of the world."""
        settings = self.simulation.physics.plan.settings
        if settings.node is None or not isinstance(settings.node.get("gravity"), tuple):
            return None
        if settings.north == X and settings.up == Y:
            return None
        return conjugate(from_axes(settings.north, settings.up, cross(settings.north, settings.up)))
