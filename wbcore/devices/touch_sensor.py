"""The TouchSensor: bumper, force along one axis, or force vector."""

from __future__ import annotations

from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from hal.catalogue import words_of
from wbcore.devices.mounted import MountedSensor
from wbcore.devices.response import response_of
from wbcore.devices.surroundings import Surroundings
from wbcore.engine import _engine
from wbcore.physics.pose import ZERO, Vec3

KINDS = words_of("TouchSensor", "type")


class TouchSensor(MountedSensor):
    """Measures whether, or how hard, something presses against its bounding object."""

    KEPT: ClassVar[tuple[str, ...]] = ("_touched",)

    def constants(self) -> dict[str, Any]:
        """The type as its protocol number."""
        return {"type": KINDS.index(self._kind)}

    def prepare(self) -> None:
        """Read the type, lookup table and resolution."""
        kind = str(self.node.get("type"))
        self._kind = kind if kind in KINDS else KINDS[0]
        self.MESSAGE = "values" if self._kind == "force-3d" else "value"
        self._respond = response_of(self)
        self._link_axis: Vec3 = self.conventions.link_axis
        self._touched = False
        self._joint: _engine.Joint | None = None
        self._geoms: frozenset[int] = frozenset()
        self._find(force=True)
        self.set_active(bool(self.sampling.period) and self._kind == "bumper")

    def enabled(self, period: int) -> None:
        """Prepare the measurement: a bumper checks each step, forces come from the joint that holds it."""
        self._touched = False
        self._find(force=True)
        self.set_active(period > 0 and self._kind == "bumper")

    def reset(self) -> None:
        """Forget former contacts."""
        super().reset()
        self._touched = False
        _CONTACTS.pop(self.simulation, None)

    def load_more(self, state: Any) -> None:
        """Forget contacts found earlier in the same step."""
        _CONTACTS.pop(self.simulation, None)

    def _find(self, force: bool = False) -> None:
        """Follow the mount, and look up the sensor's parts in the engine."""
        if not (self.mount.follow() or force):
            return
        handles = self.simulation.physics.handles
        solid = self.mount.solid
        if self._kind == "bumper":
            self._geoms = frozenset(handles.geom_numbers.get(solid, ()))
            return
        self._joint = handles.fixed.get(solid.body) if solid.body.root is solid else None
        if self._joint is not None:
            self._joint.feedback = True

    def after_step(self) -> None:
        """Store contacts of a bumper until the next sample."""
        if not self._touched:
            self._find()
            self._touched = not self._geoms.isdisjoint(_touching(self.simulation))

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Return 1 or 0 (bumper), a force (N), or a force vector (N, in the sensor's axes)."""
        if self._kind == "bumper":
            touched, self._touched = self._touched, False
            return (float(touched),)
        self._find()
        x, y, z = self._force()
        respond, random = self._respond, self.simulation.random
        if self._kind == "force-3d":
            return ((respond(x, random), respond(y, random), respond(z, random)),)
        a, b, c = self._link_axis
        return (respond(max(0.0, -(x * a + y * b + z * c)), random),)

    def _force(self) -> Vec3:
        """Return the force (N) of the sensor's body on its parent, in the sensor's axes."""
        if self._joint is None:
            self.robot.warn(
                f'{self.path}: a TouchSensor of the type "{self._kind}" measures nothing without Physics; '
                "add a Physics node to it"
            )
            return ZERO
        return self.mount.to_local(self._joint.force_on_parent)


_CONTACTS: WeakKeyDictionary[Surroundings, tuple[int, object, set[int]]] = WeakKeyDictionary()


def _touching(simulation: Surroundings) -> set[int]:
    """Return the indices of all touching geometries, computed once per step for all bumpers."""
    engine = simulation.physics.engine
    kept = _CONTACTS.get(simulation)
    if kept is None or kept[0] != engine.steps or kept[1] is not engine:
        kept = (engine.steps, engine, set(engine.contacts().geoms.ravel().tolist()))
        _CONTACTS[simulation] = kept
    return kept[2]
