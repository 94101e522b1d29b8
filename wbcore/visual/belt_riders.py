"""What the belts of a scene carry, to be moved when a belt has run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from wbcore.physics.pose import Pose
from wbcore.physics.world import PhysicsWorld
from wbcore.scene.node import Node
from wbcore.visual.shapes import Rider, travel_of

__all__ = ["BeltRiders"]

Instance = TypeVar("Instance")
"""What a scene knows a shape on a belt by."""


class BeltRiders(Generic[Instance]):
    """The instances of a scene that lie on belts, by Track."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._riders: dict[Node, list[tuple[Instance, Rider]]] = {}
        self._travels: dict[Node, float] = {}
        """How far the belts of the current places had run (m)."""

    def clear(self) -> None:
        """Forget all instances."""
        self._riders.clear()
        self._travels.clear()

    def add(self, instance: Instance, rider: Rider) -> None:
        """Add an instance that lies on a belt."""
        self._riders.setdefault(rider.track, []).append((instance, rider))

    def moved(self) -> Iterator[tuple[Instance, Pose]]:
        """Iterate over the instances on belts that have run since the last call, with their new places."""
        for track, riders in self._riders.items():
            travel = travel_of(self._physics, track)
            if self._travels.get(track) == travel:
                continue
            self._travels[track] = travel
            for instance, rider in riders:
                yield instance, rider.place_after(travel)
