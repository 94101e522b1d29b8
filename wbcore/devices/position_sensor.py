"""The PositionSensor: measures the position of a joint or the travel of a track.

The value is position + noise * gaussian (rad or m), rounded to a multiple of `resolution` (manual, chapter
PositionSensor).
"""

from __future__ import annotations

from typing import Protocol

from wbridge.hal import table
from wbridge.wbcore.devices.device import DeviceRobot
from wbridge.wbcore.devices.joint_device import JointDevice
from wbridge.wbcore.devices.motor import Motor
from wbridge.wbcore.devices.response import rounded
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.scene.tables.rules import Place


class HasPosition(Protocol):
    """Anything with a position: a joint's axis, a track, a joint without an end point."""

    @property
    def position(self) -> float:
        """The position (rad or m)."""


class PositionSensor(JointDevice, Sensor):
    """Measures the position of a joint or track."""

    def __init__(self, place: Place, entry: table.DeviceEntry, robot: DeviceRobot) -> None:
        super().__init__(place, entry, robot)
        self._physics = self.simulation.physics
        self._structure = -1
        self._source: _engine.Source | None = None
        self._read_fields()

    def _read_fields(self) -> None:
        self._noise = number(self.node, "noise")
        self._resolution = number(self.node, "resolution", -1.0)

    def measured(self) -> HasPosition:
        """The measured object in the engine; the device itself if the joint is not simulated."""
        h = self._physics.handles
        node = self.joint_node
        return h.axes.get(self.node) or (h.tracks.get(node) if node is not None else None) or self

    @property
    def position(self) -> float:
        """The position of a joint without an end point (rad or m)."""
        tag = int(self.entry.constants.get("motor", 0))
        motor = self.robot.devices[tag - 1] if tag else None
        return motor.idle_position if isinstance(motor, Motor) else 0.0

    def source(self) -> _engine.Source | None:
        """Return the measurement of an axis or track; None for a joint without an end point."""
        if self._structure != self._physics.structure or self._source is None:
            self._structure = self._physics.structure
            measured = self.measured()
            self._source = None
            if isinstance(measured, (_engine.JointAxis, _engine.Track)):
                self._source = _engine.JointPosition(measured, self._noise, self._resolution)
        return self._source

    def measure(self, elapsed: float) -> tuple[object, ...]:
        """Return the position (rad or m)."""
        source = self.source()
        if source is not None:
            return source.measure(elapsed)
        value = self.position
        if self._noise > 0:
            value += self._noise * self.simulation.random.gaussian()
        return (rounded(value, self._resolution),)

    def field_changed(self, name: str) -> None:
        """Read noise and resolution again."""
        self._read_fields()
        self._source = None
        self.robot.forget_routine()
