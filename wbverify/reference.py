"""The run that a board is compared with: the controller on the desktop, with all commands and readings."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeAlias

from wbridge.wbcore.controllers.launcher import Launcher
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import WAIT_TIMED_OUT, Runner, RunOptions
from wbridge.wbcore.devices.receiver import Receiver
from wbridge.wbcore.devices.sensor import Sensor
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.simulation import Simulation
from wbridge.wbverify.desktop_text import MERGED, UNBUFFERED, DesktopText, PrintedLine

Key: TypeAlias = tuple[int, str]
"""Tag of a device (0: the robot) and name of a command or a reading."""
Values: TypeAlias = tuple[Any, ...]
Filter: TypeAlias = Callable[[Values], Values]
"""Converts a sensor's values on their way to the controller."""

BATTERY, PACKET, SEND = "battery", "packet", "send"
LONGEST_STEP_S = 30.0
"""Maximum time (s) between two steps of a controller; after it, the controller counts as hung."""
QUESTIONS = ("get_",)
"""Prefixes of commands that change nothing."""


class DesktopRunError(RuntimeError):
    """The run on the desktop failed; the message gives the reason."""


class Reading(NamedTuple):
    """A value that a sensor sent to the controller."""

    tag: int
    message: str
    values: Values


class SentPacket(NamedTuple):
    """A packet that the controller gave to an emitter."""

    tag: int
    channel: int
    data: bytes


class StepState(NamedTuple):
    """The end of a step: sensors have measured, and their readings are about to be sent to the controller."""

    step: int
    commands: dict[Key, Values]
    """In effect during the step."""
    sent: list[SentPacket]
    """In the step."""
    unsent: set[int]
    """Tags of sensors whose latest reading has not been sent to the controller yet."""


class RunObserver(Protocol):
    """Follows the run on the desktop step by step."""

    def begin(self, robot: Robot) -> Mapping[int, Filter]:
        """The world has been loaded.

        Returns:
            filters of sensors' values, by tag; 0 is the battery.
        """

    def observe_step(self, state: StepState) -> Mapping[int, Values | None]:
        """Observe a step.

        Returns:
            values that some sensors send instead of the filtered ones, by tag; None: send nothing.
        """


class Reference(NamedTuple):
    """A run on the desktop. Step k lasts from k to k + 1 times the basic time step."""

    robot: Robot
    """The robot after the run."""
    step_ms: float
    commands: list[dict[Key, Values]]
    """In effect during step k: the newest values of each command, without packets."""
    sent: list[list[SentPacket]]
    """The packets that were sent in step k."""
    readings: list[list[Reading]]
    """Sent to the controller at the end of step k."""
    answered: list[bool]
    """True if a step of the controller ended with step k."""
    hashes: list[str]
    """Hash of the whole world at the end of step k."""
    exit_code: int | None
    """Exit code of the controller, if it ended by itself."""
    printed: list[PrintedLine]
    """What the controller has printed."""

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self.commands)


def is_command(robot: Robot, tag: int, name: str) -> bool:
    """Return True for a command that changes something, False for a reading or a query."""
    codec = robot.devices[tag - 1].codec
    commands = () if codec is None else codec.commands.values()
    return any(command.name == name for command in commands) and not name.startswith(QUESTIONS)


class _CommandRecorder:
    """Records the commands and readings of a robot."""

    def __init__(self, robot: Robot, observer: RunObserver | None) -> None:
        self.robot = robot
        self.commands: list[dict[Key, Values]] = []
        self.sent: list[list[SentPacket]] = []
        self.readings: list[list[Reading]] = []
        self.answered: list[bool] = []
        self.hashes: list[str] = []
        self._state: dict[Key, Values] = {}
        self._sent_now: list[SentPacket] = []
        self._received: list[Reading] = []
        self._unsent: dict[int, Callable[..., None]] = {}
        """Sends the reading of each sensor that has measured but not sent yet."""
        robot.observer = self._record
        filters = {} if observer is None else observer.begin(robot)
        for tag, change in filters.items():
            self._filter_readings(tag, change)
        if 0 not in filters:
            self._filter_readings(0, lambda values: values)
        if observer is not None:
            self._observe_steps(robot, observer)

    def _filter_readings(self, tag: int, change: Filter) -> None:
        """Filter what a sensor, or the battery of the robot, sends from now on."""
        sender: Any = self.robot if tag == 0 else self.robot.devices[tag - 1]
        if tag and not isinstance(sender, Sensor):
            return
        is_receiver = isinstance(sender, Receiver)
        message = BATTERY if tag == 0 else PACKET if is_receiver else sender.MESSAGE
        way = "send" if is_receiver else "send_newest"
        send = getattr(sender, way)

        def changed(name: str, *values: Any) -> None:
            if name == message:
                values = change(values)
                self._unsent[tag] = partial(send, name)
            send(name, *values)
            if name == message and tag == 0:
                self._record(0, BATTERY, values)

        sender.__dict__[way] = changed

    def _observe_steps(self, robot: Any, observer: RunObserver) -> None:
        """Call the observer in each step, between measuring and sending."""
        sample = robot.sample

        def sampled(*now: float) -> None:
            sample(*now)
            robot.samples.spread()
            step = robot.simulation.steps - 1
            state = StepState(step, dict(self._state), list(self._sent_now), set(self._unsent))
            for tag, values in observer.observe_step(state).items():
                if values is not None:
                    self._unsent[tag](*values)
                else:
                    _discard_reading(robot.devices[tag - 1])

        robot.__dict__["sample"] = sampled

    def _record(self, tag: int, name: str, values: Values) -> None:
        if tag == 0:
            self._unsent.pop(0, None)
            self._received.append(Reading(0, BATTERY, values))
        elif name == SEND:
            channel, _, data = values
            self._sent_now.append(SentPacket(tag, channel, bytes(data)))
        elif is_command(self.robot, tag, name):
            self._state[tag, name] = tuple(values)
        elif not name.startswith(QUESTIONS):
            self._unsent.pop(tag, None)
            self._received.append(Reading(tag, name, tuple(values)))

    def take(self, simulation: Simulation) -> None:
        """Record a step that has ended, after waiting controllers were answered."""
        if simulation.steps == 0:
            return
        self.commands.append(dict(self._state))
        self.sent.append(self._sent_now)
        self.readings.append(self._received)
        self.answered.append(self.robot.answer.sent_time == simulation.time_ms)
        self.hashes.append(simulation.hash())
        self._received, self._sent_now = [], []


def _discard_reading(sensor: Sensor) -> None:
    """Discard the reading that a sensor is about to send."""
    sensor.outbox = [message for message in sensor.outbox if message[0] != sensor.message_code]


def record(
    world: World,
    robot: str,
    program: Path,
    steps: int,
    observer: RunObserver | None = None,
    base: RunOptions | None = None,
) -> Reference:
    """Run a world with a controller on the desktop.

    Args:
        world: freshly loaded, without errors.
        robot: name of the robot that the program drives; the others have the controllers of the world.
        program: of the controller.
        steps: maximum number of basic time steps.
        observer: follows the run.
        base: other options of the run, such as those of a page; None: the usual ones.

    Raises:
        DesktopRunError: the controller did not start, or failed.
    """
    with open(os.devnull, "wb") as null:
        text = DesktopText(robot)
        options = replace(
            base or RunOptions(launcher=Launcher(MERGED), variables={robot: UNBUFFERED}),
            controllers={robot: str(program)},
            output=Output(null.fileno(), tap=text.add),
            timeout_s=LONGEST_STEP_S,
        )
        with Runner(world, options) as runner:
            text.runner = runner
            runner.actors.append(text)
            found = runner.simulation.robots.find(robot)
            assert found is not None, "the robot of the hardware map is in the world"
            listener = _CommandRecorder(found, observer)
            runner.on_step = listener.take
            runner.limit = steps
            outcome = runner.run()
    if outcome.reason == WAIT_TIMED_OUT:
        raise DesktopRunError(
            f"on the desktop, a controller made no step for {LONGEST_STEP_S:g} s, after {outcome.steps} "
            f"steps of the world; check for a loop without wb_robot_step: {program}"
        )
    ended = next((controller for controller in outcome.controllers if controller.robot == robot), None)
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
        text.lines,
    )
