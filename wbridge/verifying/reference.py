"""The run that a board is compared with: the controller on the desktop, and everything that was said."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wbcore.devices.sensor import Sensor

if TYPE_CHECKING:
    from typing import TypeAlias

    from wbcore.robots.robot import Robot
    from wbcore.scene.load import World
    from wbcore.simulation import Simulation

    Key: TypeAlias = tuple[int, str]
    """Tag of a device (0: the robot) and name of a command or a reading."""
    Values: TypeAlias = tuple[Any, ...]
    Filter: TypeAlias = Callable[[Values], Values]
    """What becomes of a sensor's values on their way to the controller."""

__all__ = ["BATTERY", "Reading", "Reference", "ReferenceError", "is_command", "record"]

BATTERY = "battery"
QUESTIONS = ("get_",)
"""Commands that begin so change nothing."""


class ReferenceError(RuntimeError):
    """The run on the desktop failed; the message says why."""


class Reading(NamedTuple):
    """What a sensor told the controller."""

    tag: int
    message: str
    values: Values
    measured: Values
    """Before the wires changed it."""


class Reference(NamedTuple):
    """A run on the desktop. Step k lasts from k to k + 1 times the basic time step."""

    robot: Robot
    """As it is after the run."""
    step_ms: float
    commands: list[dict[Key, Values]]
    """What was in force in step k: the newest values of each command."""
    readings: list[list[Reading]]
    """What the controller was told at the end of step k."""
    answered: list[bool]
    """Whether a step of the controller ended with step k."""
    hashes: list[str]
    """Of the whole world at the end of step k."""
    exit_code: int | None
    """Of the controller, if it ended by itself."""

    @property
    def steps(self) -> int:
        """How many were made."""
        return len(self.commands)


def is_command(robot: Robot, tag: int, name: str) -> bool:
    """True for a command that changes something, False for a reading or a question."""
    codec = robot.devices[tag - 1].codec
    commands = () if codec is None else codec.commands.values()
    return any(one.name == name for one in commands) and not name.startswith(QUESTIONS)


class _Listener:
    """Writes down what the controller and the devices of a robot say."""

    def __init__(self, robot: Robot, filters: Mapping[int, Filter]) -> None:
        self.robot = robot
        self.commands: list[dict[Key, Values]] = []
        self.readings: list[list[Reading]] = []
        self.answered: list[bool] = []
        self.hashes: list[str] = []
        self._state: dict[Key, Values] = {}
        self._told: list[Reading] = []
        self._measured: dict[int, Values] = {}
        robot.observer = self._hear
        for tag, change in filters.items():
            speaker: Any = robot if tag == 0 else robot.devices[tag - 1]
            if tag == 0 or isinstance(speaker, Sensor):
                self._put_between(tag, speaker, change)
        if 0 not in filters:
            self._put_between(0, robot, lambda values: values)

    def _put_between(self, tag: int, speaker: Any, change: Filter) -> None:
        """Change what a sensor, or the battery of the robot, tells from now on."""
        message = BATTERY if tag == 0 else speaker.MESSAGE
        tell = speaker.tell_newest

        def changed(name: str, *values: Any) -> None:
            if name == message:
                self._measured[tag] = values
                values = change(values)
            tell(name, *values)
            if name == message and tag == 0:
                self._told.append(Reading(0, BATTERY, values, self._measured[0]))

        speaker.__dict__["tell_newest"] = changed

    def _hear(self, tag: int, name: str, values: Values) -> None:
        if is_command(self.robot, tag, name):
            self._state[tag, name] = tuple(values)
        elif not name.startswith(QUESTIONS):
            self._told.append(Reading(tag, name, tuple(values), self._measured.get(tag, tuple(values))))

    def take(self, simulation: Simulation) -> None:
        """A step has ended, and who waited for it was answered."""
        if simulation.steps == 0:
            return
        self.commands.append(dict(self._state))
        self.readings.append(self._told)
        self.answered.append(self.robot.told_time == simulation.time_ms)
        self.hashes.append(simulation.hash())
        self._told = []


def record(
    world: World,
    robot: str,
    program: Path,
    steps: int,
    filters: Mapping[int, Filter] | None = None,
) -> Reference:
    """Run a world with a controller on the desktop.

    Args:
        world: freshly loaded, without errors.
        robot: name of the robot that the program drives; the others have the controllers of the world.
        program: of the controller.
        steps: most basic time steps.
        filters: for sensors whose values change on their way, by tag; 0 is the battery.

    Raises:
        ReferenceError: the controller did not start, or failed.
    """
    from wbcore.controllers.output import Output
    from wbcore.controllers.runner import Runner, RunOptions

    with open(os.devnull, "wb") as nowhere:
        output = Output(nowhere.fileno())
        with Runner(world, RunOptions(controllers={robot: str(program)}, output=output)) as runner:
            found = runner.simulation.robots.find(robot)
            assert found is not None, "the robot of the hardware map is in the world"
            listener = _Listener(found, filters or {})
            runner.on_step = listener.take
            runner.limit = steps
            outcome = runner.run()
    ended = next((one for one in outcome.controllers if one.robot == robot), None)
    if ended is not None and ended.is_error:
        raise ReferenceError(f"on the desktop the controller failed (exit code {ended.exit_code}): {program}")
    if not listener.commands:
        raise ReferenceError(f"on the desktop the run ended before its first step: {outcome.reason}")
    return Reference(
        found,
        runner.simulation.step_s * 1000,
        listener.commands,
        listener.readings,
        listener.answered,
        listener.hashes,
        None if ended is None else ended.exit_code,
    )
