"""Chargers: batteries in the world that charge robots (manual, chapter Charger).

A charger serves the first robot whose origin is within `radius`, until that is more than 1.1 * radius away:
the robot takes as much power as its battery can, and nothing once that is full. What is left stays in the
charger, which collects energy by itself while it serves no robot (as in Webots since R2023b).
"""

from __future__ import annotations

from array import array
from collections.abc import MutableSequence, Sequence
from typing import Protocol

from wbridge.wbcore.physics.pose import length, sub
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import inside_of
from wbridge.wbcore.world.led_targets import led_targets

LEAVING = 1.1
"""A served robot is released beyond this multiple of the radius."""
Color = tuple[float, float, float]


class Battery(Protocol):
    """A robot's battery, as chargers see it."""

    @property
    def can_charge(self) -> bool:
        """True for a battery with a capacity and a charging power."""

    @property
    def energy(self) -> float:
        """The remaining energy (J)."""

    @property
    def capacity(self) -> float:
        """The battery's capacity (J)."""

    @property
    def upload_speed(self) -> float:
        """The maximum charging power (W)."""

    def set_energy(self, energy: float) -> None:
        """Set the remaining energy (J)."""


class Rechargeable(Protocol):
    """A robot that a charger can serve."""

    node: Node

    @property
    def battery(self) -> Battery:
        """The robot's battery."""


Robots = Sequence[Rechargeable]
"""All robots of the world; the list is updated as robots come and go."""


class Charger:
    """One charger."""

    def __init__(self, physics: PhysicsWorld, robots: Robots, node: Node) -> None:
        self.node = node
        self._physics, self._robots = physics, robots
        self.first = [*node.get("battery")]
        """The battery at the start."""
        self._targets: list[tuple[Node, str, Color]] = [
            (target, field, target.get(field)) for target, field in led_targets(node)
        ]
        self._shown = 0.0
        self.served: Rechargeable | None = None

    @property
    def _battery(self) -> MutableSequence[float]:
        values: MutableSequence[float] = self.node.get("battery")
        return values

    def before_step(self) -> None:
        """Charge a robot, or recharge the charger."""
        battery = self._battery
        if len(battery) < 3:
            return
        dt = float(self._physics.engine.dt)
        if self.served is not None and not self._is_near(self.served, LEAVING):
            self.served = None
        if self.served is None:
            self.served = next((robot for robot in self._robots if self._may_serve(robot)), None)
        if self.served is not None:
            self._serve(self.served.battery, battery, dt)
        elif battery[0] < battery[1]:
            battery[0] = min(battery[1], battery[0] + battery[2] * dt)
        self._shine(battery[0] / battery[1] if battery[1] > 0 else 0.0)

    @staticmethod
    def _serve(power: Battery, battery: MutableSequence[float], dt: float) -> None:
        # A full robot takes nothing; what the last step delivers beyond its capacity is lost, as in Webots.
        if power.energy < power.capacity:
            energy = min(power.upload_speed * dt, battery[0])
            battery[0] -= energy
            power.set_energy(min(power.capacity, power.energy + energy))

    def _may_serve(self, robot: Rechargeable) -> bool:
        can_charge = robot.battery.can_charge
        return can_charge and not inside_of(self.node, robot.node) and self._is_near(robot, 1.0)

    def _is_near(self, robot: Rechargeable, factor: float) -> bool:
        physics = self._physics
        if robot not in self._robots:
            return False
        away = length(sub(physics.pose(robot.node).position, physics.pose(self.node).position))
        return away <= factor * number(self.node, "radius")

    def _shine(self, share: float) -> None:
        """Show the charge level: gradually, or only when full."""
        if not self.node.get("gradual"):
            share = float(share >= 1)
        if share == self._shown or not self._targets:
            return
        self._shown = share
        full: Color = self.node.get("emissiveColor")
        for target, field, own in self._targets:
            r, g, b = (a + (z - a) * share for a, z in zip(own, full, strict=True))
            self._physics.world.set(target, field, (r, g, b))

    def save(self) -> tuple[list[float], float, int]:
        """Return the battery, the displayed level, and the number of the served robot (-1: none)."""
        served = -1 if self.served not in self._robots else self._robots.index(self.served)
        return [*self._battery], self._shown, served

    def load(self, state: tuple[list[float], float, int]) -> None:
        """See `save`."""
        battery, share, served = state
        self._battery[:] = array("d", battery)
        self.served = self._robots[served] if served >= 0 else None
        self._shine(share)

    def begin(self) -> None:
        """Serve no robot, and show the level: the battery was set to that of a saved state."""
        battery, self.served = self._battery, None
        if len(battery) > 1:
            self._shine(battery[0] / battery[1] if battery[1] > 0 else 0.0)

    def reset(self) -> None:
        """Restore the initial energy."""
        self.served = None
        for i, value in enumerate(self.first[: len(self._battery)]):
            self._battery[i] = value


class Chargers:
    """All chargers of a world."""

    def __init__(self, physics: PhysicsWorld, robots: Robots) -> None:
        self._physics, self._robots = physics, robots
        self._chargers: dict[Node, Charger] = {}
        self.refresh()

    def refresh(self) -> None:
        """Search for chargers again: nodes came or went."""
        nodes = [solid for solid in self._physics.handles.solids if solid.is_a("Charger")]
        known = self._chargers
        self._chargers = {
            node: known.get(node) or Charger(self._physics, self._robots, node) for node in nodes
        }

    def of(self, node: Node) -> Charger | None:
        """Return the charger of a node."""
        return self._chargers.get(node.root)

    @property
    def are_there(self) -> bool:
        """True if the world has chargers."""
        return bool(self._chargers)

    def before_step(self) -> None:
        """Run all chargers for one step."""
        for charger in self._chargers.values():
            charger.before_step()

    def save(self) -> list[tuple[list[float], float, int]]:
        """Return the state of all chargers."""
        return [charger.save() for charger in self._chargers.values()]

    def load(self, state: list[tuple[list[float], float, int]]) -> None:
        """See `save`."""
        for charger, kept in zip(self._chargers.values(), state, strict=True):
            charger.load(kept)

    def reset(self) -> None:
        """The simulation was reset."""
        for charger in self._chargers.values():
            charger.reset()
