"""The speeds of a car's wheels: differences of their positions between steps."""

from __future__ import annotations

from wbridge.hal.modes.devices.position_sensor import PositionSensor

__all__ = ["WheelSpeeds"]


class WheelSpeeds:
    """Speeds of the four wheels, in rad/s; NaN until their sensors have two samples."""

    def __init__(self, sensors: list[PositionSensor]) -> None:
        self.sensors = sensors
        self.speeds = [0.0] * len(sensors)
        self.acceleration = 0.0
        """Acceleration of the wheel with the maximum absolute acceleration, in rad/s^2."""
        self._positions = [0.0] * len(sensors)

    def sensor(self, index: int, period: int) -> PositionSensor:
        """The sensor of a wheel, enabled if necessary.

        Args:
            index: index of the wheel.
            period: sampling period, in ms.
        """
        sensor = self.sensors[index]
        if not sensor.sampling_period:
            sensor.enable(period)
        return sensor

    def update(self, period: int) -> None:
        """Update speeds and acceleration from the positions after a step.

        Args:
            period: duration of the step, in ms.
        """
        self.acceleration = 0.0
        for index, (former, before) in enumerate(zip(self._positions, self.speeds, strict=True)):
            position = self.sensor(index, period).value
            speed = 1000 * (position - former) / period
            acceleration = 1000 * (speed - before) / period
            if abs(acceleration) > abs(self.acceleration):
                self.acceleration = acceleration
            self._positions[index], self.speeds[index] = position, speed
