"""Base class of sensors with one value per axis; the fields xAxis, yAxis and zAxis disable axes."""

from __future__ import annotations

import math
from typing import Any

from wbcore.devices.mounted import MountedSensor
from wbcore.devices.response import response_of
from wbcore.physics.pose import Vec3

__all__ = ["AxesSensor"]

AXES = ("xAxis", "yAxis", "zAxis")


class AxesSensor(MountedSensor):
    """A sensor that measures a vector in its own axes; subclasses override `vector`."""

    MESSAGE = "values"

    def prepare(self) -> None:
        """Read the lookup table and the enabled axes."""
        self._respond = response_of(self)
        self._on = [bool(self.node.get(name)) for name in AXES]
        self._is_exact = all(self._on) and not self._respond.rows and self._respond.resolution <= 0

    def measure(self, elapsed: float) -> tuple[Any, ...] | None:
        """Return the vector of values."""
        self.mount.follow()
        vector = self.vector(elapsed)
        if vector is None or self._is_exact:
            return None if vector is None else (vector,)
        respond, random = self._respond, self.simulation.random
        return (
            tuple(respond(one, random) if on else math.nan for one, on in zip(vector, self._on, strict=True)),
        )

    def vector(self, elapsed: float) -> Vec3 | None:
        """The measured quantity in the sensor's axes; None if nothing can be measured."""
        raise NotImplementedError
