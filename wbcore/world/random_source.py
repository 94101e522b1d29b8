"""The random source of a world, for devices."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld


class RandomSource:
    """Random numbers from the engine's generator, a part of the state, seeded by WorldInfo.randomSeed."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics

    def uniform(self) -> float:
        """Return a number in [0, 1)."""
        return self._physics.builder.engine.random()

    def gaussian(self) -> float:
        """Return a number of mean 0 and standard deviation 1, by Marsaglia's polar method without its second
        value."""
        return self._physics.builder.engine.gauss()
