"""The run that a board is compared with: the controller on the desktop, and everything that was said."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from wbcore.controllers.output import Output
from wbcore.controllers.runner import IN_VAIN, Runner, RunOptions
from wbcore.devices.receiver import Receiver
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

__all__ = [
    "BATTERY",
    "PACKET",
    "SEND",
    "RunObserver",
    "StepState",
    "Reading",
    "Reference",
    "DesktopRunError",
    "SentPacket",
    "is_command",
    "record",
]

BATTERY, PACKET, SEND = "battery", "packet", "send"
LONGEST_STEP_S = 30.0
"""A controller that computes for longer between two steps hangs."""
QUESTIONS = ("get_",)
"""Commands that begin so change nothing."""


class DesktopRunError(RuntimeError):
    """The run on the desktop failed; the message says why."""


class Reading(NamedTuple):
    """What a sensor told the controller."""

    tag: int
    message: str
    values: Values


class SentPacket(NamedTuple):
    """A packet that the controller gave to an emitter."""

    tag: int
    channel: int
    data: bytes


class StepState(NamedTuple):
    """The end of a step: all has been measured, and the controller is about to be told."""

    step: int
    commands: dict[Key, Values]
    """What was in force in the step."""
    sent: list[SentPacket]
    """In the step."""
    untold: set[int]
    """Tags of sensors that have measured what the controller has not been told yet."""


class RunObserver(Protocol):
    """Somebody who lives through the run on the desktop, step by step beside it."""

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """The world has been loaded.

        Returns:
            what becomes of sensors' values on their way, by tag; 0 is the battery.
        """

    def live(self, moment: StepState) -> Mapping[int, Values | None]:
        """Live through a step.

        Returns:
            what some sensors tell instead of what the filters have said, by tag; None: nothing.
        """


class Reference(NamedTuple):
    """A run on the desktop. Step k lasts from k to k + 1 times the basic time step."""

    robot: Robot
    """As it is after the run."""
    step_ms: float
    commands: list[dict[Key, Values]]
    """What was in force in step k: the newest values of each command; but for packets."""
    sent: list[list[SentPacket]]
    """The packets that were sent in step k."""
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


class _CommandRecorder:
    """Writes down what the controller and the devices of a robot say."""

    def __init__(self, robot: Robot, companion: RunObserver | None) -> None:
        self.robot = robot
        self.commands: list[dict[Key, Values]] = []
        self.sent: list[list[SentPacket]] = []
        self.readings: list[list[Reading]] = []
        self.answered: list[bool] = []
        self.hashes: list[str] = []
        self._state: dict[Key, Values] = {}
        self._new_sent: list[SentPacket] = []
        self._told: list[Reading] = []
        self._untold: dict[int, Callable[..., None]] = {}
        """Of sensors that have measured what the controller has not been told yet: what tells it."""
        robot.observer = self._hear
        filters = {} if companion is None else companion.begin(robot)
        for tag, change in filters.items():
            self._put_between(tag, change)
        if 0 not in filters:
            self._put_between(0, lambda values: values)
        if companion is not None:
            self._let_live(robot, companion)

    def _put_between(self, tag: int, change: Filter) -> None:
        """Change what a sensor, or the battery of the robot, tells from now on."""
        speaker: Any = self.robot if tag == 0 else self.robot.devices[tag - 1]
        if tag and not isinstance(speaker, Sensor):
            return
        is_receiver = isinstance(speaker, Receiver)
        message = BATTERY if tag == 0 else PACKET if is_receiver else speaker.MESSAGE
        way = "tell" if is_receiver else "tell_newest"
        tell = getattr(speaker, way)

        def changed(name: str, *values: Any) -> None:
            if name == message:
                values = change(values)
                self._untold[tag] = partial(tell, name)
            tell(name, *values)
            if name == message and tag == 0:
                self._hear(0, BATTERY, values)

        speaker.__dict__[way] = changed

    def _let_live(self, robot: Any, companion: RunObserver) -> None:
        """Let somebody live through each step, between measuring and telling."""
        sample = robot.sample

        def sampled(*now: float) -> None:
            sample(*now)
            robot.samples.spread()
            step = robot.simulation.steps - 1
            moment = StepState(step, dict(self._state), list(self._new_sent), set(self._untold))
            for tag, values in companion.live(moment).items():
                if values is not None:
                    self._untold[tag](*values)
                else:
                    _say_nothing(robot.devices[tag - 1])

        robot.__dict__["sample"] = sampled

    def _hear(self, tag: int, name: str, values: Values) -> None:
        if tag == 0:
            self._untold.pop(0, None)
            self._told.append(Reading(0, BATTERY, values))
        elif name == SEND:
            channel, _, data = values
            self._new_sent.append(SentPacket(tag, channel, bytes(data)))
        elif is_command(self.robot, tag, name):
            self._state[tag, name] = tuple(values)
        elif not name.startswith(QUESTIONS):
            self._untold.pop(tag, None)
            self._told.append(Reading(tag, name, tuple(values)))

    def take(self, simulation: Simulation) -> None:
        """A step has ended, and who waited for it was answered."""
        if simulation.steps == 0:
            return
        self.commands.append(dict(self._state))
        self.sent.append(self._new_sent)
        self.readings.append(self._told)
        self.answered.append(self.robot.told_time == simulation.time_ms)
        self.hashes.append(simulation.hash())
        self._told, self._new_sent = [], []


def _say_nothing(sensor: Sensor) -> None:
    """Take back what a sensor is about to tell."""
    sensor.outbox = [one for one in sensor.outbox if one[0] != sensor.message_code]


def record(
    world: World,
    robot: str,
    program: Path,
    steps: int,
    companion: RunObserver | None = None,
) -> Reference:
    """Run a world with a controller on the desktop.

    Args:
        world: freshly loaded, without errors.
        robot: name of the robot that the program drives; the others have the controllers of the world.
        program: of the controller.
        steps: most basic time steps.
        companion: who lives through the run beside it.

    Raises:
        ReferenceError: the controller did not start, or failed.
    """
    with open(os.devnull, "wb") as nowhere:
        output = Output(nowhere.fileno())
        options = RunOptions(controllers={robot: str(program)}, output=output, timeout_s=LONGEST_STEP_S)
        with Runner(world, options) as runner:
            found = runner.simulation.robots.find(robot)
            assert found is not None, "the robot of the hardware map is in the world"
            listener = _CommandRecorder(found, companion)
            runner.on_step = listener.take
            runner.limit = steps
            outcome = runner.run()
    if outcome.reason == IN_VAIN:
        raise DesktopRunError(
            f"on the desktop a controller has made no step for {LONGEST_STEP_S:g} s, after {outcome.steps} "
            f"steps of the world; is there a loop without wb_robot_step? {program}"
        )
    ended = next((one for one in outcome.controllers if one.robot == robot), None)
    if ended is not None and ended.is_error:
        raise DesktopRunError(
            f"on the desktop the controller failed (exit code {ended.exit_code}): {program}"
        )
    if not listener.commands:
        raise DesktopRunError(f"on the desktop the run ended before its first step: {outcome.reason}")
    return Reference(
        found,
        runner.simulation.step_s * 1000,
        listener.commands,
        listener.sent,
        listener.readings,
        listener.answered,
        listener.hashes,
        None if ended is None else ended.exit_code,
    )
