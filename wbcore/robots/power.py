"""The robot's battery: its energy in each step, and its messages to the controller.

The energy decreases by (cpuConsumption + power of all motors) * dt (manual, chapters Robot and Motor). At 0
all devices are off: sensors stop measuring, motors have no force, LEDs are dark. They are on again
as soon as there is energy. The controller runs on: the manual says that it ends, but Webots does not end it.
Energy that is not positive is not consumed either, so `battery [ 0 ]` leaves all devices on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, MutableSequence

from wbridge.wbcore.devices.device import Device
from wbridge.wbcore.devices.sensor import Sampling
from wbridge.wbcore.physics.tree import number
from wbridge.wbcore.robots.parts import Part
from wbridge.wbcore.robots.robot import Robot

NO_BATTERY = -1.0


class Power(Part):
    """The battery and its sensor. The field `battery` holds energy and capacity (J) and the maximum charging
    power (W)."""

    def __init__(self, robot: Robot) -> None:
        super().__init__(robot)
        robot.battery = self
        self.sampling = Sampling()
        self._first = self.energy
        self.works = self.has_battery
        self._measure_forces()

    @property
    def _battery(self) -> MutableSequence[float]:
        values: MutableSequence[float] = self.robot.node.get("battery")
        return values

    @property
    def first(self) -> list[float]:
        """The battery with its energy at the start; empty without one."""
        return [self._first, *self._battery[1:]] if self.has_battery else []

    @property
    def has_battery(self) -> bool:
        """True for a robot with a battery; others have unlimited energy."""
        return len(self._battery) > 0

    @property
    def can_charge(self) -> bool:
        """True if chargers can serve it: the battery has a capacity and a charging power."""
        return len(self._battery) > 2

    @property
    def energy(self) -> float:
        """The remaining energy (J); -1 without a battery."""
        battery = self._battery
        return float(battery[0]) if len(battery) else NO_BATTERY

    @property
    def capacity(self) -> float:
        """The battery's capacity (J)."""
        battery = self._battery
        return float(battery[1]) if len(battery) > 1 else math.inf

    @property
    def upload_speed(self) -> float:
        """The maximum charging power (W)."""
        battery = self._battery
        return float(battery[2]) if len(battery) > 2 else 0.0

    def set_energy(self, energy: float) -> None:
        """Set the remaining energy (J): at 0 the devices are off, above it on."""
        self._battery[0] = max(energy, 0.0)
        has_power = energy > 0
        if has_power != self.robot.has_power:
            self._switch(has_power)

    def _switch(self, on: bool) -> None:
        self.robot.has_power = on
        for device in self._devices():
            device.set_power(on)
        if not on:
            self.robot.warn("the battery is empty: all devices are off until it is charged")

    def _devices(self) -> Iterator[Device]:
        gone = self.robot.removed_tags
        return (device for tag, device in enumerate(self.robot.devices, 1) if tag not in gone)

    def _measure_forces(self) -> None:
        if self.works:
            for device in self._devices():
                device.measure_power()

    def on_enable_battery(self, period: int) -> None:
        """Set the sampling period of the battery sensor in ms; 0 disables it."""
        self.sampling.start(period, self.robot.simulation.time_ms)
        self.let_sample(period > 0)

    def connect(self) -> None:
        """Disable the battery sensor."""
        self.sampling = Sampling()
        self.let_sample(False)

    def sample(self, now: float) -> None:
        """Send the energy (J) if it is due; 0 once when the battery is empty."""
        if self.sampling.period and self.sampling.is_due(now):
            self.sampling.take(now)
            self.robot.send_newest("battery", self.energy)

    @property
    def consumption(self) -> float:
        """Return the power (W) that the robot consumes."""
        return number(self.robot.node, "cpuConsumption") + sum(
            device.consumption() for device in self._devices()
        )

    def after_step(self) -> None:
        """Subtract the energy used in the step; a charged battery turns the devices on again."""
        if self.energy > 0:
            self.set_energy(self.energy - self.consumption * self.robot.simulation.step_s)

    def field_changed(self, name: str) -> None:
        """React to a battery that was changed, added or removed."""
        if name == "battery":
            self.works = self.has_battery
            self.robot.update_step_calls()
            self._measure_forces()
            if not self.robot.has_power and (not self.works or self.energy > 0):
                self._switch(True)

    def save(self) -> tuple[int, float, float]:
        """Sampling period and remaining energy."""
        return self.sampling.period, self.sampling.last, self.energy

    def load(self, state: tuple[int, float, float]) -> None:
        """See `save`."""
        self.sampling.period, self.sampling.last, energy = state
        self.let_sample(self.sampling.period > 0)
        if self.has_battery and energy >= 0:
            self._measure_forces()
            self._battery[0] = energy

    def reset(self) -> None:
        """Restore the initial energy."""
        self.sampling.last = -math.inf
        if not self.robot.has_power:
            self._switch(True)
        if self.has_battery and self._first >= 0:
            self._measure_forces()
            self._battery[0] = self._first


def make(robot: Robot) -> Part:
    """Return the part for a robot."""
    return Power(robot)
