"""The VacuumGripper: holds a solid that it touches while it is on (manual, chapter VacuumGripper)."""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.physics.pose import dot, length, scaled, sub
from wbridge.wbcore.physics.ties import Tie
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.rules import Place


class VacuumGripper(Sensor):
    """Holds one solid by suction, up to its strength (-1: unlimited)."""

    MESSAGE = "presence"
    KEPT_FIELDS: ClassVar[tuple[str, ...]] = ("isOn",)

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self._first_on = self.is_on
        self.set_active(self._first_on)

    @property
    def is_on(self) -> bool:
        """Whether suction is on (field `isOn`)."""
        return bool(self.node.get("isOn"))

    @property
    def setting(self) -> bool:
        """Whether suction is on."""
        return self.is_on

    @property
    def tie(self) -> Tie | None:
        """The tie to the held solid; None if it holds nothing."""
        return self.simulation.physics.ties.made_by(self.node)

    def constants(self) -> dict[str, object]:
        """Whether suction is on."""
        return {"on": self.is_on}

    def on_enable_presence(self, period: int) -> None:
        """Set the sampling period of presence in ms; 0 disables it."""
        self.on_enable(period)

    def on_turn_on(self) -> None:
        """Turn suction on; it immediately holds a solid that it touches."""
        self.set_own_field("isOn", True)
        self.set_active(True)
        self.after_step()

    def on_turn_off(self) -> None:
        """Turn suction off and release the solid."""
        self.set_own_field("isOn", False)
        self._let_go()
        self.set_active(False)

    def _let_go(self) -> None:
        tie = self.tie
        if tie is not None:
            self.simulation.physics.ties.release(tie)

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return whether it holds a solid."""
        return (self.tie is not None,)

    def before_step(self) -> None:
        """Release the solid if the pull along x or across exceeds the strength."""
        tie = self.tie
        if tie is None:
            return
        tensile, shear = (number(self.node, f"{kind}Strength", -1.0) for kind in ("tensile", "shear"))
        out = self.simulation.physics.pose(self.node).direction((1.0, 0.0, 0.0))
        pull = dot(tie.force, out)
        across = length(sub(tie.force, scaled(out, pull)))
        if 0 <= tensile < pull or 0 <= shear < across:
            self._let_go()

    def after_step(self) -> None:
        """Hold the solid that it touches most deeply."""
        if self.is_on and self.tie is None:
            solid = self._touched()
            if solid is not None:
                self.simulation.physics.ties.tie(self.node, solid)

    def _touched(self) -> Node | None:
        """Return the solid with the deepest contact, among those with enough contact points."""
        physics = self.simulation.physics
        own = physics.handles.solids.get(self.node)
        numbers = set(physics.handles.geom_numbers.get(own, ())) if own is not None else set()
        contacts = physics.engine.contacts()
        if not numbers or not len(contacts):
            return None
        touching = [
            (float(depth), (int(a), int(b)))
            for (a, b), depth in zip(contacts.geoms, contacts.depths, strict=True)
            if (int(a) in numbers) != (int(b) in numbers)
        ]
        points = Counter(pair for _, pair in touching)
        wanted = int(self.node.get("contactPoints"))
        fit = [touch for touch in touching if points[touch[1]] >= wanted]
        if not fit:
            return None
        _, (first, second) = max(fit)
        solid, _ = physics.handles.geoms[second if first in numbers else first]
        return solid.node

    def reset(self) -> None:
        """Restore the initial state, holding nothing."""
        super().reset()
        self.set_own_field("isOn", self._first_on)
        self.set_active(self._first_on)
        self.send_constants()

    def field_changed(self, name: str) -> None:
        """Apply a switch by a supervisor, and notify the controller."""
        if name == "isOn":
            (self.on_turn_on if self.is_on else self.on_turn_off)()
            self.send_constants()
