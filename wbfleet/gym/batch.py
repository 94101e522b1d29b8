"""The native steps of many copies of a world: motors, physics and sensors in one call."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.robots.sample_pass import SamplePass
from wbridge.wbfleet.gym.episodes import Episodes

DONE, SENSORS_LEFT, BROKEN = range(3)
"""How a step ended: with readings; with sensors left that Python measures; with a body that broke."""


class Batch:
    """The copies that are stepped natively; the others need Python in each step."""

    def __init__(self, copies: Sequence[Episodes], threads: int) -> None:
        """
        Args:
            copies: of one world.
            threads: how many copies are stepped at the same time.
        """
        self._copies = copies
        count, limits = len(copies), copies[0].agents[0].readings
        bounds = np.stack([limits.low, limits.high])
        self._native = _engine.BatchStepper(count, copies[0].basic_steps, bounds, threads)
        self._passes: list[SamplePass | None] = [None] * count
        self.is_in = np.zeros(count, np.bool_)
        """Which copies the next step includes, shape (copies,)."""
        self.is_whole = False
        """True if it includes all."""
        self.readings = np.zeros((count, len(limits.names)), np.float32)
        """Numbers of the sensors after the step, one row for each copy, clipped to their limits."""
        self.endings = np.zeros(count, np.uint8)
        """How the step ended, shape (copies,)."""

    def admit(self, index: int) -> None:
        """Include a copy whose episode has begun, if it can be stepped natively."""
        copy = self._copies[index]
        agent, simulation = copy.agents[0], copy.simulation
        motors, sensors = agent.controls.native(), agent.readings.native()
        is_native = simulation.is_plain and not copy.has_controllers
        if motors is None or sensors is None or not is_native:
            self.leave_out(index)
            return
        physics = simulation.physics
        before, since, dt = physics.clock.terms
        self._native.set(index, physics.builder.engine, *motors, sensors.native, before, since, dt)
        self._passes[index] = sensors
        self.is_in[index] = True
        self.is_whole = bool(self.is_in.all())

    def leave_out(self, index: int) -> None:
        """Leave out a copy, for example because its episode is over."""
        self._native.leave_out(index)
        self.is_in[index] = self.is_whole = False

    def check(self, index: int) -> None:
        """Leave out a copy that a task has changed so that it cannot be stepped natively any more."""
        copy = self._copies[index]
        samples = copy.agents[0].robot.samples
        if samples.has_only(self._passes[index]) and copy.simulation.is_plain:
            return
        self.leave_out(index)

    def step(self, actions: NDArray[np.float32]) -> None:
        """Step the copies, given one row of actions for each."""
        self._native.step(actions, self.readings, self.endings)
