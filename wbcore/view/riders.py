"""What belts and propellers carry, as further moving objects of a scene's description."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.build import as_pose
from wbridge.wbcore.physics.pose import UPRIGHT, ZERO, Pose
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.visual.belts import Ride
from wbridge.wbcore.visual.shapes import PlacedShape, Rider, travel_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

FIRST = 1 << 24
"""The number of the first object; bodies have lower numbers."""
Key = tuple[int, Node, Ride]


class Riders:
    """Wheels of tracks, pieces that run along their belts, and helices. Each has poses of its own."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics
        self._known: dict[Key, int] = {}
        self._all: list[tuple[_engine.Body | None, Rider]] = []

    def clear(self) -> None:
        """Forget all objects."""
        self._known.clear()
        self._all.clear()

    def carry(self, shape: PlacedShape, rider: Rider) -> tuple[int, Pose]:
        """Return the number of the object that carries a shape, and the shape's place on it."""
        key = (-1 if shape.body is None else int(shape.body.id), rider.carrier, rider.ride)
        number = self._known.setdefault(key, FIRST + len(self._all))
        if number == FIRST + len(self._all):
            self._all.append((shape.body, rider))
        return number, Pose(ZERO, UPRIGHT, rider.before.scale) @ rider.within

    def numbers(self) -> list[int]:
        """Return the numbers of all objects, ascending."""
        return [FIRST + i for i in range(len(self._all))]

    def poses(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return positions (n, 3; m) and unit quaternions (n, 4; w x y z) of all objects."""
        found = [self._pose(*rider) for rider in self._all]
        return (
            np.array([pose.position for pose in found], dtype=np.float64).reshape(-1, 3),
            np.array([pose.orientation for pose in found], dtype=np.float64).reshape(-1, 4),
        )

    def _pose(self, body: _engine.Body | None, rider: Rider) -> Pose:
        local = (rider.before @ rider.ride.place(travel_of(self._physics, rider.carrier))).rigid
        return local if body is None else as_pose(body) @ local
