"""The actions of a robot: numbers for its motors, within the limits of the device table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.devices.motor import Motor
from wbridge.wbfleet.gym.choice import matching

if TYPE_CHECKING:
    from wbridge.wbcore.engine import _engine
    from wbridge.wbcore.robots.robot import Robot

__all__ = ["MODES", "Controls"]

MODES = ("position", "velocity", "force")


class Control(NamedTuple):
    """A motor and what is set: "position" (rad or m), "velocity" (rad/s or m/s) or "force" (N m or N)."""

    motor: Motor
    mode: str
    low: float
    high: float

    def apply(self, value: float) -> None:
        """Set the motor's target."""
        if self.mode == "position":
            self.motor.on_set_position(value)
        elif self.mode == "velocity":
            self.motor.on_set_velocity(value)
        else:
            self.motor.on_set_force(value)


class Controls:
    """The motors of a robot that actions drive. Coupled motors count as one."""

    def __init__(self, robot: Robot, modes: Mapping[str, str] | None = None) -> None:
        """
        Args:
            robot: the robot.
            modes: one of `MODES` for each pattern of motor names; motors that match none are not driven.
                Default: all motors, those with position limits by position, the others by velocity.

        Raises:
            UnknownDevice: a pattern matches no motor.
            ValueError: a mode is unknown, or a motor has no limit for it.
            TypeError: `modes` has no modes.
        """
        motors = [device for device in robot.devices if isinstance(device, Motor) and _leads(device)]
        chosen = _chosen(robot.name, motors, modes) if modes is not None else _default(motors)
        self._controls = [_control(robot.name, motor, mode) for motor, mode in chosen.items()]
        self.names = tuple(f"{control.motor.name}.{control.mode}" for control in self._controls)
        """Names of the numbers in an action: MOTOR.MODE."""
        self.low = _inside([control.low for control in self._controls], math.inf)
        self.high = _inside([control.high for control in self._controls], -math.inf)

    def native(self) -> tuple[list[_engine.Motor], list[int]] | None:
        """Return the engine's motors and what each number sets, by its place in `MODES`; None if motors are
        coupled."""
        if any(len(control.motor.group) > 1 for control in self._controls):
            return None
        return [control.motor.engine for control in self._controls], [
            MODES.index(control.mode) for control in self._controls
        ]

    def checked(self, actions: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the actions of many copies, one row for each, clipped to `low` and `high`.

        Raises:
            ValueError: a number is not finite.
        """
        if not np.isfinite(actions).all():
            raise ValueError(f"actions: expected finite numbers ({', '.join(self.names)}), not {actions!r}")
        clipped: NDArray[np.float32] = np.minimum(np.maximum(actions, self.low), self.high)
        return clipped

    def begin(self) -> None:
        """Prepare the motors for an episode: those driven by velocity stand still."""
        for control in self._controls:
            if control.mode == "velocity":
                control.motor.on_set_position(math.inf)
                control.motor.on_set_velocity(0.0)

    def apply(self, action: NDArray[np.float32]) -> None:
        """Set the targets of the motors.

        Args:
            action: one number for each of `names`; clipped to `low` and `high`.

        Raises:
            ValueError: it has another shape, or a number that is not finite.
        """
        numbers = np.asarray(action, np.float32)
        if numbers.shape != self.low.shape or not np.isfinite(numbers).all():
            expected = f"{len(self.names)} finite numbers ({', '.join(self.names)})"
            raise ValueError(f"action: expected {expected}, not {action!r}")
        for control, value in zip(
            self._controls, np.clip(numbers, self.low, self.high).tolist(), strict=True
        ):
            control.apply(value)


def _inside(limits: Sequence[float], inward: float) -> NDArray[np.float32]:
    """Return limits as 32 bits wide numbers that do not exceed them.

    Args:
        limits: of motors.
        inward: infinity for lower limits, -infinity for upper ones.
    """
    wide = np.array(limits, np.float64)
    with np.errstate(over="ignore"):  # beyond 32 bits there is no limit
        narrow = wide.astype(np.float32)
    is_outside = narrow < wide if inward > 0 else narrow > wide
    return np.where(is_outside, np.nextafter(narrow, np.float32(inward)), narrow)


def _leads(motor: Motor) -> bool:
    """True if no coupled motor comes before this one."""
    return all(tag > motor.tag for tag in motor.entry.constants["coupled"])


def _default(motors: list[Motor]) -> dict[Motor, str]:
    return {motor: "position" if _is_limited(motor) else "velocity" for motor in motors}


def _is_limited(motor: Motor) -> bool:
    low, high = motor.entry.constants["minPosition"], motor.entry.constants["maxPosition"]
    return bool(low < high and math.isfinite(low) and math.isfinite(high))


def _chosen(robot: str, motors: list[Motor], modes: object) -> dict[Motor, str]:
    if not isinstance(modes, Mapping):  # a list of names is the natural first try
        example = f'{{"{motors[0].name}": "velocity"}}' if motors else '{"left wheel motor": "velocity"}'
        raise TypeError(f"actions: expected a dict of motor names and modes, as in {example}, not {modes!r}")
    names = [motor.name for motor in motors]
    found: dict[Motor, str] = {}
    for pattern, mode in modes.items():
        if mode not in MODES:
            raise ValueError(f'motor "{pattern}": unknown mode "{mode}"; allowed: {", ".join(MODES)}')
        found |= {motors[place]: mode for place in matching(pattern, names, robot, "motor")}
    return {motor: found[motor] for motor in motors if motor in found}


def _control(robot: str, motor: Motor, mode: str) -> Control:
    c = motor.entry.constants
    if mode == "position":
        low, high = c["minPosition"], c["maxPosition"]
        if not _is_limited(motor):
            raise ValueError(
                f'robot "{robot}": motor "{motor.name}" has no position limits; set minPosition and '
                "maxPosition in the world, or drive it by velocity"
            )
    else:
        strongest = "maxTorque" if "maxTorque" in c else "maxForce"
        high = abs(c["maxVelocity" if mode == "velocity" else strongest])
        low = -high
    return Control(motor, mode, float(low), float(high))
