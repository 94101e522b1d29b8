"""The TouchSensor: bumper, force along one axis, or force vector."""

from __future__ import annotations

from typing import ClassVar

from wbridge.hal.catalogue import words_of
from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import response_of
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.pose import Vec3

KINDS = words_of("TouchSensor", "type")


class TouchSensor(MountedSensor):
    """Measures whether, or how hard, something presses against its bounding object."""

    KEPT: ClassVar[tuple[str, ...]] = ("touched",)

    def constants(self) -> dict[str, object]:
        """The type as its protocol number."""
        return {"type": KINDS.index(self._kind)}

    def prepare(self) -> None:
        """Read the type, lookup table and resolution."""
        kind = str(self.node.get("type"))
        self._kind = kind if kind in KINDS else KINDS[0]
        self.MESSAGE = "values" if self._kind == "force-3d" else "value"
        self._respond = response_of(self)
        self._link_axis: Vec3 = self.conventions.link_axis
        self._contact = self._bumper(False) if self._kind == "bumper" else None
        self._measure_forces()

    def enabled(self, period: int) -> None:
        """Forget former contacts."""
        self.touched = False
        self._measure_forces()

    def reset(self) -> None:
        """Forget former contacts."""
        super().reset()
        self.touched = False

    @property
    def touched(self) -> bool:
        """Whether a bumper has touched anything since its last sample."""
        return self._contact is not None and self._contact.touched

    @touched.setter
    def touched(self, value: bool) -> None:
        """Set it, for a state of the simulation."""
        if self._contact is not None:
            self._contact.touched = value

    def source(self) -> _engine.Source | None:
        """Return the measurement: 1 or 0 (bumper), a force (N), or a force vector (N, in the sensor's axes).

        None for forces without a joint that holds the sensor.
        """
        if self._kind == "bumper":
            self._contact = self._bumper(self.touched)
            return self._contact
        joint = self._measure_forces()
        if joint is None:
            return None
        axis = None if self._kind == "force-3d" else self._link_axis
        return _engine.HoldingForce(joint, self.mount.native, self._respond.native, axis)

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return what the source measures; no force, with a warning, without a joint."""
        source = self._contact or self.source()
        if isinstance(source, _engine.Touching):
            source.watch()
        if source is not None:
            return source.measure(elapsed)
        self.robot.warn(
            f'{self.path}: a TouchSensor of the type "{self._kind}" measures nothing {self._obstacle()}'
        )
        random = self.simulation.random
        none = [self._respond(0.0, random) for _ in range(3 if self._kind == "force-3d" else 1)]
        return (tuple(none),) if len(none) > 1 else (none[0],)

    def _obstacle(self) -> str:
        """Return why no rigid joint holds the sensor, and what helps."""
        solid = self.mount.solid
        if not solid.has_physics:
            return "without Physics; add a Physics node to it"
        if solid.joint is not None:
            return (
                "as the end point of a joint, because it measures at its rigid connection to its parent; "
                "put it into the children of a Solid with Physics that is the end point"
            )
        return "without a parent that it presses against; put it into the children of a Solid"

    def _bumper(self, touched: bool) -> _engine.Touching:
        """Return a measurement of the contacts of its geometries."""
        self.mount.follow()
        physics = self.simulation.physics
        geoms = physics.handles.geom_numbers.get(self.mount.solid, [])
        return _engine.Touching(physics.engine, geoms, touched)

    def _measure_forces(self) -> _engine.Joint | None:
        """Return the joint that holds its body, and let the engine measure the joint's forces; None for a
        bumper and without such a joint."""
        self.mount.follow()
        solid = self.mount.solid
        if self._kind == "bumper" or solid.body.root is not solid:
            return None
        joint = self.simulation.physics.handles.fixed.get(solid.body)
        if joint is not None:
            joint.feedback = True
        return joint
