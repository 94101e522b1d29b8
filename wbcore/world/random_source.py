"""The one source of random numbers of a world, as devices use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbcore.physics.world import PhysicsWorld

__all__ = ["RandomSource"]


class RandomSource:
    """Random numbers from the engine's stream: part of the state, started by WorldInfo.randomSeed."""

    def __init__(self, physics: PhysicsWorld) -> None:
        self._physics = physics

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return self._physics.builder.engine.random()

    def gaussian(self) -> float:
        """A number with mean 0 and standard deviation 1, by Marsaglia's polar method without its second
        value."""
        return self._physics.builder.engine.gauss()
