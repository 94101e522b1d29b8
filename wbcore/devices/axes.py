"""Base class of sensors with one value per axis; the fields xAxis, yAxis and zAxis disable axes."""

from __future__ import annotations

from wbridge.wbcore.devices.mounted import MountedSensor
from wbridge.wbcore.devices.response import response_of
from wbridge.wbcore.engine import _engine

AXES = ("xAxis", "yAxis", "zAxis")


class AxesSensor(MountedSensor):
    """A sensor that measures a vector in its own axes; subclasses override `source`."""

    MESSAGE = "values"

    def prepare(self) -> None:
        """Read the lookup table and the enabled axes."""
        self._respond = response_of(self)
        self._on = [bool(self.node.get(name)) for name in AXES]

    def response(self) -> _engine.AxesResponse:
        """Return lookup table, resolution and enabled axes."""
        x, y, z = self._on
        return _engine.AxesResponse((x, y, z), self._respond.native)
