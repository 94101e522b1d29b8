"""Record what a controller on the desktop prints, with the step of each line."""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.controllers.runner import Runner

MERGED = ("sh", "-c", 'exec "$@" 2>&1', "sh")
"""Starts a controller with its errors in its output: a board has one line for both."""
UNBUFFERED = {"PYTHONUNBUFFERED": "1"}
"""Environment of a controller in Python that prints at once; the C library does so by itself."""


class PrintedLine(NamedTuple):
    """A line that a controller has printed."""

    step: int
    """The step at whose beginning it was complete; after the last step: the number of steps."""
    text: str
    """Without its end."""


class DesktopText:
    """Reads the output of a robot's controller: `add` is the tap of an `Output`, and the object is a
    `StepActor`."""

    def __init__(self, robot: str) -> None:
        self.lines: list[PrintedLine] = []
        self.runner: Runner | None = None
        """The run, once it exists."""
        self._robot, self._step, self._rest = robot, 0, ""

    def add(self, robot: str, text: str, is_error: bool) -> None:
        """Take text that a controller has printed."""
        del is_error  # see MERGED
        if robot != self._robot:
            return
        *lines, self._rest = (self._rest + text).split("\n")
        self.lines += [PrintedLine(self._step, line) for line in lines]

    # The methods of a `StepActor`. A controller that waits for the end of its step has printed everything
    # that belongs to the step.

    def before_step(self) -> None:
        """Do nothing."""

    def after_step(self) -> None:
        """Read what was printed in the step that has ended."""
        assert self.runner is not None, "it acts in a run"
        for task in self.runner.controllers.tasks:
            for pump in task.process.pumps if task.robot == self._robot and task.process else ():
                while pump.pump():
                    pass
        self._step += 1

    def was_reset(self) -> None:
        """Do nothing: a controller on a board cannot reset the world."""
