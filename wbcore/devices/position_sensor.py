"""The PositionSensor: measures the position of a joint or the travel of a track.

The value is position + noise * gaussian (rad or m), rounded to a multiple of `resolution` (manual, chapter
PositionSensor).
"""

from __future__ import annotations

from typing import Any, Protocol

from wbcore.devices.joint_device import JointDevice
from wbcore.devices.motor import Motor
from wbcore.devices.response import rounded
from wbcore.devices.sensor import Sensor
from wbcore.engine import _engine
from wbcore.physics.tree import number

__all__ = ["HasPosition", "PositionSensor"]


class HasPosition(Protocol):
    """Anything with a position: a joint's axis, a track, a joint without an end point."""

    @property
    def position(self) -> float:
        """The position (rad or m)."""


class PositionSensor(JointDevice, Sensor):
    """Measures the position of a joint or track."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._physics = self.simulation.physics
        self._structure = -1
        self._source: HasPosition = self
        self._read_fields()

    def _read_fields(self) -> None:
        self._noise = number(self.node, "noise")
        self._resolution = number(self.node, "resolution", -1.0)

    def source(self) -> HasPosition:
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

    def measure(self, elapsed: float) -> tuple[Any, ...]:
        """Return the position (rad or m)."""
        if self._structure != self._physics.structure:
            self._structure = self._physics.structure
            self._source = self.source()
        value = self._source.position
        if self._noise > 0:
            value += self._noise * self.simulation.random.gaussian()
        return (rounded(value, self._resolution) if self._resolution > 0 else value,)

    def join(self, readings: _engine.Readings) -> bool:
        """Join the batch with the axis or track if the sensor has neither noise nor resolution."""
        source = self.source()
        if self._noise > 0 or self._resolution > 0:
            return False
        if isinstance(source, _engine.JointAxis):
            readings.add_axis(source)
        elif isinstance(source, _engine.Track):
            readings.add_track(source)
        else:
            return False
        return True

    def field_changed(self, name: str) -> None:
        """Read noise and resolution again."""
        self._read_fields()
        self.robot.forget_routine()
