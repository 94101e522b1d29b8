"""What the belts and propellers of a scene carry, to be moved when these have run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, TypeVar

from wbridge.wbcore.physics.pose import Pose
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.shapes import Rider, travel_of

Instance = TypeVar("Instance")
"""What a scene knows a shape on a belt by."""


class BeltRiders(Generic[Instance]):
    """The instances of a scene that lie on belts or belong to helices, by their carriers."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._riders: dict[Node, list[tuple[Instance, Rider]]] = {}
        self._travels: dict[Node, float] = {}
        """How far the carriers of the current places had run (m or rad)."""
        self._unseen: dict[Node, frozenset[int]] = {}
        """Which of the riders of a carrier are not seen."""

    def clear(self) -> None:
        """Forget all instances."""
        self._riders.clear()
        self._travels.clear()
        self._unseen.clear()

    def add(self, instance: Instance, rider: Rider) -> None:
        """Add an instance that something carries; it counts as seen until `switched` says otherwise."""
        self._riders.setdefault(rider.carrier, []).append((instance, rider))

    def moved(self) -> Iterator[tuple[Instance, Pose]]:
        """Iterate over the instances whose carriers have run since the last call, with their new places."""
        for carrier, riders in self._riders.items():
            travel = travel_of(self._physics, carrier)
            if self._travels.get(carrier) == travel:
                continue
            self._travels[carrier] = travel
            for instance, rider in riders:
                yield instance, rider.place_after(travel)

    def switched(self) -> Iterator[tuple[Instance, bool]]:
        """Iterate over the instances that have appeared or disappeared since the last call: True if seen."""
        for carrier, riders in self._riders.items():
            unseen = frozenset(i for i, (_, rider) in enumerate(riders) if not rider.is_seen(self._physics))
            before = self._unseen.get(carrier, frozenset())
            self._unseen[carrier] = unseen
            for i in sorted(unseen ^ before):
                yield riders[i][0], i not in unseen
