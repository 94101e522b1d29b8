"""Drives a robot by a policy from a controller in Python: simulated, or real by `wbridge remote`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import inf
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from wbridge.learning.policies.devices import READERS
from wbridge.learning.policies.policy import Policy

Device: TypeAlias = Any
"""A robot or device of the module `controller`, or of a program that has the same methods."""
SETTERS = {"position": "setPosition", "velocity": "setVelocity", "force": "setForce"}


class Acts(Protocol):
    """What turns observations into actions."""

    def act(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the action."""


class PolicyDriver:
    """Reads the sensors of a policy, and drives its motors."""

    def __init__(
        self, robot: Device, policy: Policy, goal: tuple[float, ...] = (), acts: Acts | None = None
    ) -> None:
        """Enable the sensors, and let motors that are driven by velocity stand still.

        Args:
            robot: the robot of the controller.
            policy: names the sensors and motors.
            goal: the numbers of its goal, in the order of its inputs.
            acts: what computes the actions; None: the policy.

        Raises:
            ValueError: a device is missing, or numbers of the goal are.
        """
        policy.check_goal(goal)
        self._acts = policy if acts is None else acts
        goals = iter(goal)
        self._low = np.array([each.low for each in policy.inputs], np.float32)
        self._high = np.array([each.high for each in policy.inputs], np.float32)
        self._read: list[Callable[[], float]] = []
        for each in policy.inputs:
            if not each.kind:
                self._read.append(partial(float, next(goals)))
                continue
            sensor: Device = _device(robot, each.device)
            sensor.enable(policy.step_ms)
            reader = READERS[each.kind]
            read = getattr(sensor, reader.method)
            self._read.append(partial(_component, read, each.place) if reader.is_vector else read)
        self._set: list[Callable[[float], object]] = []
        for output in policy.outputs:
            motor: Device = _device(robot, output.motor)
            if output.mode == "velocity":
                motor.setPosition(inf)
                motor.setVelocity(0.0)
            self._set.append(getattr(motor, SETTERS[output.mode]))

    def act(self) -> None:
        """Read the sensors, and set the motors; call it after each step."""
        readings = np.nan_to_num(np.array([read() for read in self._read], np.float64), nan=0.0)
        action = self._acts.act(np.clip(readings.astype(np.float32), self._low, self._high))
        for put, value in zip(self._set, action.tolist(), strict=True):
            put(value)


def _device(robot: Device, name: str) -> Device:
    device = robot.getDevice(name)
    if device is None:
        raise ValueError(f'the policy needs the device "{name}", which the robot does not have')
    return device


def _component(read: Callable[[], list[float]], index: int) -> float:
    return read()[index]
