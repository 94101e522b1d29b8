"""Motors that a script drives.

What was set last decides how a motor works: a position, a velocity, or a force (a torque).
Source: manual, chapter Motor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.api.vectors import real, reals
from wbridge.wbcore.devices.motor import Motor as Device
from wbridge.wbcore.engine import _engine

LINEAR = "LinearMotor"


class Motor(_engine.MotorCell):
    """A motor. `position`, `velocity` and `torque` (`force` of a linear motor) read the target that was set;
    `actual_position` and `actual_velocity` what the joint does."""

    __slots__ = ("device",)

    device: Device
    """The simulated device."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.rebind()

    def rebind(self) -> None:
        """Look the engine's motor up again, because bodies were replaced."""
        self.attach(self.device.engine, len(self.device.group) > 1)

    def __repr__(self) -> str:
        return f'<Motor "{self.name}" of robot "{self.device.robot.name}">'

    @property
    def name(self) -> str:
        """The field `name`."""
        return self.device.name

    @property
    def is_linear(self) -> bool:
        """True for a LinearMotor: m, m/s and N instead of rad, rad/s and N m."""
        return self.device.entry.type == LINEAR

    # What the engine's attributes do not carry out by themselves: numbers outside of limits, coupled motors.

    def _set_position(self, value: float) -> None:
        value = self._checked(value, "position", "a number, or math.inf to turn without end", _any)
        if math.isinf(self.position) and not math.isinf(value):
            self.device.on_set_velocity(self.speed / self.device.engine.multiplier)
        self.device.on_set_position(value)
        self.rebind()

    def _set_velocity(self, value: float) -> None:
        value = self._checked(value, "velocity", "a finite number", math.isfinite)
        self.device.on_set_position(math.inf)
        self.device.on_set_velocity(value)
        self.rebind()

    def _set_effort(self, value: float) -> None:
        name = "force" if self.is_linear else "torque"
        value = self._checked(value, name, "a finite number", math.isfinite)
        self.device.on_set_force(value)
        self.rebind()

    def _checked(self, value: float, what: str, allowed: str, fits: Callable[[float], bool]) -> float:
        self.device.simulation.check_open()
        return real(value, f'motor "{self.name}": {what}', allowed, fits)

    @property
    def torque(self) -> float:
        """The torque (N m) that acts until another target is set; 0 outside of torque control."""
        self._expect(False)
        return self.effort

    @torque.setter
    def torque(self, value: float) -> None:
        """Apply it until something else is set."""
        self._expect(False)
        self.effort = value

    @property
    def force(self) -> float:
        """The force (N) of a linear motor that acts until another target is set; 0 outside of force
        control."""
        self._expect(True)
        return self.effort

    @force.setter
    def force(self, value: float) -> None:
        """Apply it until something else is set."""
        self._expect(True)
        self.effort = value

    def _expect(self, is_linear: bool) -> None:
        if self.is_linear is not is_linear:
            kind, right = ("linear", "force (N)") if self.is_linear else ("rotational", "torque (N m)")
            raise AttributeError(f'motor "{self.name}" is {kind}: use its {right}')

    @property
    def speed(self) -> float:
        """Speed of motions to a position (rad/s or m/s); by default `max_velocity`."""
        return self.max_velocity if math.isnan(self.wanted_speed) else self.wanted_speed

    @speed.setter
    def speed(self, value: float) -> None:
        """Also changes a motion that is under way."""
        value = self._checked(value, "speed", "0 or more", _is_amount)
        self.wanted_speed = value
        if not math.isinf(self.position):
            self.device.on_set_velocity(value / self.device.engine.multiplier)

    # Limits.

    @property
    def max_velocity(self) -> float:
        """Limit of velocities (rad/s or m/s): the field `maxVelocity`."""
        return self.device.engine.max_velocity

    @property
    def max_force(self) -> float:
        """Limit of forces (N m or N): the field `maxTorque` or `maxForce`."""
        return self.device.engine.max_force

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest target position (rad or m); infinite without limits."""
        engine = self.device.engine
        low, high = engine.min_position, engine.max_position
        return (low, high) if low < high else (-math.inf, math.inf)

    @property
    def available_force(self) -> float:
        """What the motor may use in position and velocity control (N m or N), up to `max_force`."""
        return self.device.engine.available_force

    @available_force.setter
    def available_force(self, value: float) -> None:
        """Limit position and velocity control."""
        value = self._checked(value, "available_force", "0 or more", _is_amount)
        self.device.on_set_available_force(value)

    @property
    def acceleration(self) -> float:
        """Limit of accelerations (rad/s^2 or m/s^2); -1: none."""
        return self.device.engine.acceleration

    @acceleration.setter
    def acceleration(self, value: float) -> None:
        """Limit it; -1: not."""
        allowed = "0 or more, or -1 for no limit"
        self.device.on_set_acceleration(self._checked(value, "acceleration", allowed, _is_limit))

    @property
    def pid(self) -> tuple[float, float, float]:
        """Gains of position control: proportional (1/s), integral (1/s^2), derivative (no unit)."""
        return self.device.engine.pid

    @pid.setter
    def pid(self, value: Sequence[float]) -> None:
        """Set the gains."""
        self.device.simulation.check_open()
        what = f'motor "{self.name}": pid'
        gains: list[float] = reals(value, what).ravel().tolist()
        if np.shape(value) != (3,) or not all(map(_is_amount, gains)):
            allowed = "3 numbers, 0 or more: proportional, integral and derivative"
            raise ValueError(f"{what} must be {allowed}, not {value!r}")
        self.device.on_set_control_pid(*gains)

    # What the joint does.

    @property
    def actual_position(self) -> float:
        """Present position of the joint (rad or m), without a sensor's noise."""
        device = self.device
        return device.engine.position if device.is_attached else device.idle_position

    @property
    def actual_velocity(self) -> float:
        """Present velocity of the joint (rad/s or m/s); 0 for motors that drive no joint."""
        axis = self.device.simulation.physics.handles.axes.get(self.device.node)
        return 0.0 if axis is None else axis.velocity

    @property
    def actual_effort(self) -> float:
        """Torque (N m) or force (N) of the motor in the last step. The first use begins to measure it: it is
        0 until the end of the next step, and if one end of the joint has no Physics node."""
        device = self.device
        device.measure_force()
        return 0.0 if device.why_no_feedback() else device.engine.feedback


def _any(value: float) -> bool:
    return True


def _is_amount(value: float) -> bool:
    return 0 <= value < math.inf


def _is_limit(value: float) -> bool:
    return value >= 0 or value == -1


class Motors(Mapping[str, Motor]):
    """All motors of a robot by name, and their targets as arrays in the order of the names."""

    def __init__(self, motors: Mapping[str, Motor]) -> None:
        self._motors = dict(motors)
        self._list = list(self._motors.values())

    def __getitem__(self, name: str) -> Motor:
        return self._motors[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._motors)

    def __len__(self) -> int:
        return len(self._list)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in the order of the arrays."""
        return tuple(self._motors)

    @property
    def position(self) -> NDArray[np.float64]:
        """(motors,) target positions (rad or m); set them with an array or with a number for all."""
        return np.array([motor.position for motor in self._list])

    @position.setter
    def position(self, values: ArrayLike) -> None:
        """Move to it."""
        for motor, value in zip(self._list, self._numbers(values, "position"), strict=True):
            motor.position = value

    @property
    def velocity(self) -> NDArray[np.float64]:
        """(motors,) target velocities (rad/s or m/s); set them with an array or with a number for all."""
        return np.array([motor.velocity for motor in self._list])

    @velocity.setter
    def velocity(self, values: ArrayLike) -> None:
        """Turn with it."""
        for motor, value in zip(self._list, self._numbers(values, "velocity"), strict=True):
            motor.velocity = value

    @property
    def effort(self) -> NDArray[np.float64]:
        """(motors,) forces and torques of force control (N or N m); set them with an array or a number."""
        return np.array([motor.effort for motor in self._list])

    @effort.setter
    def effort(self, values: ArrayLike) -> None:
        """Apply it until something else is set."""
        for motor, value in zip(self._list, self._numbers(values, "effort"), strict=True):
            motor.effort = value

    def _numbers(self, values: ArrayLike, what: str) -> list[float]:
        array = reals(values, f"{what} of motors")
        if array.shape not in ((), (len(self),)):
            names = ", ".join(self._motors)
            raise ValueError(
                f"expected a number or {len(self)} numbers ({names}), not the shape {array.shape}"
            )
        numbers: list[float] = np.broadcast_to(array, (len(self),)).tolist()
        return numbers
