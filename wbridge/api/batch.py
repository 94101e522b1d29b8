"""Many copies of a world that a script steps together: arrays with a row for each.

Native steps share threads (`_engine.ScriptBatch`). Copies are independent: copy i has the seed `seed + i`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wbridge.api.fields import Value
from wbridge.api.motors import Motor
from wbridge.api.robots import Robot
from wbridge.api.simulation import Simulation, duration, load_copies
from wbridge.api.steps import Steps
from wbridge.api.vectors import reals, whole
from wbridge.hal.closing import Closing
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.errors import SimulationError

__all__ = ["RobotBatch", "SimulationBatch", "load_many"]

POSITION, VELOCITY, EFFORT = range(3)
"""Commands of `_engine.set_targets`."""


def load_many(
    path: str | Path,
    count: int,
    *,
    threads: int = 1,
    seed: int | None = None,
    fields: Mapping[str, Value] | None = None,
    controllers: str = "none",
) -> SimulationBatch:
    """Load copies of a world that are stepped together.

    Args:
        path: a `.wbt` file.
        count: number of copies.
        threads: how many copies are stepped at the same time; results do not depend on it.
        seed: of the first copy; the others have the next ones. None: WorldInfo.randomSeed for all.
        fields: as for `load`, for all copies; `batch["BOX.physics.mass"] = masses` sets one for each.
        controllers: as for `load`; by default none run.

    Raises:
        WorldError: the file has errors.
        ValueError: a number is not possible.
    """
    for name, number in (("count", count), ("threads", threads)):
        whole(number, name, 1)
    seeds = [None if seed is None else whole(seed, "seed") + i for i in range(count)]
    return SimulationBatch(load_copies(path, seeds, fields, controllers), threads)


class SimulationBatch(Sequence[Simulation], Closing):
    """Copies of a world; `batch[i]` is one of them, `batch["BOX.translation"]` a field of all: an array with
    a row for each copy. Setting takes such rows, or one value for all copies."""

    def __init__(self, simulations: Sequence[Simulation], threads: int = 1) -> None:
        """
        Args:
            simulations: of the same world.
            threads: how many are stepped at the same time.
        """
        self._simulations = list(simulations)
        self._native = _engine.ScriptBatch(len(self._simulations), threads)
        self._joined: list[object | None] = [None] * len(self._simulations)
        self._robots: dict[str | None, RobotBatch] = {}

    def __repr__(self) -> str:
        return f"<{len(self)} copies of {self._simulations[0].path}>"

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, str):
            return self._simulations[index]
        return np.array([simulation[index] for simulation in self._simulations])

    def __setitem__(self, place: str, values: Value) -> None:
        """Set a field, or one component of it, of all copies.

        Raises:
            UnknownNameError: there is no such place.
            FieldError: a value does not fit the field.
        """
        own_shape = np.shape(self._simulations[0][place])
        is_each = np.shape(values) == (len(self), *own_shape)
        for i, simulation in enumerate(self._simulations):
            simulation[place] = values[i] if is_each else values

    def __len__(self) -> int:
        return len(self._simulations)

    def __iter__(self) -> Iterator[Simulation]:
        return iter(self._simulations)

    @property
    def time(self) -> NDArray[np.float64]:
        """(copies,) simulated times (s)."""
        return np.array([simulation.time for simulation in self._simulations])

    def robot(self, name: str | None = None) -> RobotBatch:
        """Return a robot in all copies, which the script drives.

        Args:
            name: as for `Simulation.robot`.

        Raises:
            UnknownNameError: there is no such robot.
        """
        if name not in self._robots:
            self._robots[name] = RobotBatch([simulation.robot(name) for simulation in self._simulations])
        return self._robots[name]

    def step(self, ms: float | None = None) -> None:
        """Step all copies, as `Simulation.step`.

        Raises:
            ValueError: the milliseconds are not a multiple of the basic time step.
            UnstableError: a body of a copy is in an invalid state; all steps are complete.
        """
        self._make(1 if ms is None else self._simulations[0].count(ms))

    def run(self, seconds: float) -> None:
        """Simulate some time (s) in all copies, as `Simulation.run`.

        Raises:
            ValueError: the time is negative or infinite.
            UnstableError: as for `step`.
        """
        counts = [simulation.stepper.count_of(duration(seconds)) for simulation in self._simulations]
        self._make(counts[0])

    def reset(self, seed: int | Sequence[int] | None = None) -> None:
        """Reset all copies.

        Args:
            seed: of the first copy, the others have the next ones; or one for each; None: those at the start.
        """
        seeds: list[int | None] = [None] * len(self)
        if isinstance(seed, Sequence | np.ndarray):
            seeds = [*self._one_each(seed, "seeds")]
        elif seed is not None:
            seeds = [whole(seed, "seed") + i for i in range(len(self))]
        for simulation, own_seed in zip(self._simulations, seeds, strict=True):
            simulation.reset(own_seed)

    def save(self) -> list[bytes]:
        """Return the states of all copies, for `load`; each is one of `Simulation.save`."""
        return [simulation.save() for simulation in self._simulations]

    def load(self, states: bytes | Sequence[bytes]) -> None:
        """Go back to states that `save` returned.

        Args:
            states: one for each copy, or one for all: `batch.load(batch[3].save())`.

        Raises:
            StateError: a state belongs to another world; the copies before it have theirs already.
            ValueError: there are too many states or too few.
        """
        if isinstance(states, bytes):
            states = [states] * len(self)
        for simulation, state in zip(self._simulations, self._one_each(states, "states"), strict=True):
            simulation.load(state)

    def _one_each(self, values: Sequence[Any], what: str) -> Sequence[Any]:
        if len(values) != len(self):
            raise ValueError(f"expected {len(self)} {what}, one for each copy, not {len(values)}")
        return values

    def _make(self, count: int) -> None:
        """Make steps in all copies; the first problem is raised when all have made them."""
        missing = {
            i: count for i, simulation in enumerate(self._simulations) if self._join(i, simulation) is None
        }
        problems: list[SimulationError] = []
        if len(missing) < len(self):
            for i, steps_made in enumerate(self._native.step(count)):
                if steps_made != count and i not in missing:
                    missing[i] = count - abs(steps_made)
        for i, steps in missing.items():
            try:
                self._finish(self._simulations[i].stepper, steps, is_native=self._joined[i] is not None)
            except SimulationError as problem:
                problems.append(problem)
        if problems:
            raise problems[0]

    def _join(self, index: int, simulation: Simulation) -> object | None:
        native = simulation.stepper.native()
        if native is not self._joined[index]:
            self._native.set(index, native)
            self._joined[index] = native
        return native

    def _finish(self, stepper: Steps, missing: int, is_native: bool) -> None:
        """Make the steps that were not made natively, after the samples of the last one that was."""
        if is_native:
            stepper.settle()
        stepper.make(missing)

    def close(self) -> None:
        """End controllers and physics plugins of all copies."""
        for simulation in self._simulations:
            simulation.close()


class RobotBatch:
    """A robot in all copies of a world: arrays have a row for each copy."""

    def __init__(self, robots: Sequence[Robot]) -> None:
        """
        Args:
            robots: one of each copy, with the same devices.
        """
        self.robots = list(robots)
        """The robot of each copy."""
        for robot in robots:
            robot.drive()
        first = robots[0]
        self.motor_names = first.motors.names
        """The motors, in the order of the columns."""
        self.sensor_names = first.sensors.names
        """What the columns of `numbers` are."""
        self.numbers = np.full((len(robots), len(self.sensor_names)), np.nan)
        """(copies, n) newest samples of all sensors, without a copy; NaN for those that are off."""
        for robot, row in zip(robots, self.numbers, strict=True):
            robot.move_numbers(row)
        self._cells: list[Motor] = [motor for robot in robots for motor in robot.motors.values()]

    def enable(self, name: str, period: int | None = None) -> NDArray[np.float64]:
        """Enable a sensor in all copies; return its columns of `numbers`: (copies, n), without a copy.

        Args:
            name: of the sensor.
            period: as for `Robot.sensor`.

        Raises:
            UnknownNameError: the robot has no such sensor.
        """
        for robot in self.robots:
            robot.sensor(name, period)
        numbers = self.robots[0].sensors[name].numbers
        begin = (numbers.__array_interface__["data"][0] - self.numbers.__array_interface__["data"][0]) // 8
        return self.numbers[:, begin : begin + len(numbers)]

    def _set(self, values: ArrayLike, command: int) -> None:
        shape = (len(self.robots), len(self.motor_names))
        numbers_given = reals(values, "targets")
        try:
            numbers = np.ascontiguousarray(np.broadcast_to(numbers_given, shape))
        except ValueError:
            names = ", ".join(self.motor_names)
            raise ValueError(f"expected the shape {shape} ({names}), not {numbers_given.shape}") from None
        _engine.set_targets(self._cells, numbers, command)

    def _targets(self, name: str) -> NDArray[np.float64]:
        return np.array([getattr(motor, name) for motor in self._cells]).reshape(len(self.robots), -1)

    @property
    def position(self) -> NDArray[np.float64]:
        """(copies, motors) target positions (rad or m); also set with a row or a number for all."""
        return self._targets("position")

    @position.setter
    def position(self, values: ArrayLike) -> None:
        """Move to it."""
        self._set(values, POSITION)

    @property
    def velocity(self) -> NDArray[np.float64]:
        """(copies, motors) target velocities (rad/s or m/s); also set with a row or a number for all."""
        return self._targets("velocity")

    @velocity.setter
    def velocity(self, values: ArrayLike) -> None:
        """Turn with it."""
        self._set(values, VELOCITY)

    @property
    def effort(self) -> NDArray[np.float64]:
        """(copies, motors) torques or forces (N m or N); also set with a row or a number for all."""
        return self._targets("effort")

    @effort.setter
    def effort(self, values: ArrayLike) -> None:
        """Apply it until something else is set."""
        self._set(values, EFFORT)

    @property
    def joint_positions(self) -> NDArray[np.float64]:
        """(copies, joints) rad or m, as `Joints.positions`."""
        return np.array([robot.joints.positions for robot in self.robots])

    @property
    def joint_velocities(self) -> NDArray[np.float64]:
        """(copies, joints) rad/s or m/s, as `Joints.velocities`."""
        return np.array([robot.joints.velocities for robot in self.robots])

    @property
    def translation(self) -> NDArray[np.float64]:
        """(copies, 3) m: where the robots are."""
        return np.array([robot.position for robot in self.robots])
