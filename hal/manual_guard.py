"""Manual control of a robot without a watchdog, in a guard: a process that stops the robot if this one dies.

As in `wbridge.hal.gateway.guard`, the guard runs the plugin and owns the wire, and each side watches the
other. Another guard replaces one that is silent, after the robot was stopped; it moves with the next command.
"""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Sequence
from multiprocessing import connection
from multiprocessing.connection import Connection, Pipe
from typing import Any

from wbridge.hal.gateway.guard import (
    HUNG_S,
    START_S,
    SilentGuards,
    report_loss,
    report_no_replacement,
    report_replacement,
    silent,
    start_guard,
)
from wbridge.hal.gateway.patient_output import make_output_patient, printed_later
from wbridge.hal.manual_robot import ManualRobot, ManualStep, PluginError, Unable
from wbridge.hal.table import DeviceTable

__all__ = ["GuardedManualRobot", "main"]


END: type[Connection] = getattr(connection, "PipeConnection", Connection)
"""An end of a pipe, by its number; Windows has another class for it."""
CONNECT_S = 30.0
"""Time to connect to a robot, in s."""
DONE, UNABLE, REFUSED = "done", "unable", "refused"
"""Kinds of answers."""
Arguments = tuple[Any, ...]


class GuardedManualRobot:
    """One robot under manual control, as `ManualRobot`."""

    def __init__(self, table: DeviceTable, plugin: str, project: str = "", world_path: str = "") -> None:
        """
        Args, Raises: as of `ManualRobot`.
        """
        self.table = table
        self._named = plugin, project, world_path
        self._url = ""
        self._is_lost = self._was_silent = False
        self._silent = SilentGuards()
        self._periods: dict[tuple[int, str], int] = {}
        """Enabled sensors, by tag and function, for a guard that replaces this one."""
        self._begin()

    def _begin(self) -> None:
        """Start a guard; raises PluginError."""
        self._pipe, other = Pipe()
        with other:
            file = other.fileno()
            self._process = start_guard("wbridge.hal.manual_guard", [str(file)], [file]).process
        try:
            self._ask(START_S, self.table.canonical(), *self._named)
        except PluginError:
            self.close()
            raise

    @property
    def pid(self) -> int:
        """The guard's process."""
        return self._process.pid

    def start(self, url: str) -> bool:
        """Connect; False if that failed, with the reason on stderr."""
        self._url = url
        return bool(self._ask(CONNECT_S, "start", url))

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Set a channel from the next step on; raises Unable as `ManualRobot.set`."""
        self._ask(HUNG_S, "set", tag, channel, value)

    def enable(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor every `period` ms; raises Unable as `ManualRobot.enable`."""
        self._ask(HUNG_S, "enable", tag, function, period)
        self._periods[tag, function] = period

    def stop(self) -> None:
        """Stop every motor."""
        self._ask(HUNG_S, "stop")

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""
        self._ask(HUNG_S, "acknowledge")

    def step(self, period: int) -> ManualStep:
        """Wait `period` ms and collect what the robot has sent."""
        step = self._ask(period / 1000 + HUNG_S, "step", period)
        if step is None:
            return ManualStep(float(period), [], [], True, not self._replace())
        self._silent.note_step()
        return ManualStep(*step)

    def kill(self) -> None:
        """Kill the guard, to see that the next step stops the robot."""
        self._process.kill()

    def close(self) -> None:
        """Stop the robot and disconnect."""
        self._pipe.close()
        try:
            self._process.wait(CONNECT_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _ask(self, patience: float, *request: Any) -> Any:
        """Send a request; its result, or None if the guard is lost.

        Args:
            patience: time for the answer, in s.
            request: name and arguments.
        """
        if self._is_lost:
            return None
        try:
            self._pipe.send(request)
            self._was_silent = not self._pipe.poll(patience)
            if self._was_silent:
                raise EOFError(silent(patience))
            kind, result = self._pipe.recv()
        except (OSError, EOFError) as problem:
            self._lose(str(problem) or "has ended")
            return None
        if kind == UNABLE:
            raise Unable(result)
        if kind == REFUSED:
            raise PluginError(result)
        return result

    def _lose(self, how: str) -> None:
        """Stop the robot in this process, in place of a lost guard."""
        self._is_lost = True
        self._process.kill()
        self._process.wait()
        with printed_later():
            report_loss(how)
            self._stop_robot()

    def _replace(self) -> bool:
        """Connect another guard in place of one that was silent, unless too many have made no step."""
        if not self._silent.may_replace(self._was_silent):
            return False
        self._pipe.close()
        self._is_lost = False
        try:
            self._begin()
        except (OSError, PluginError) as problem:  # the robot stands
            self._is_lost = True
            report_no_replacement(problem)
            return False
        if not self.start(self._url):
            return False
        for (tag, function), period in self._periods.items():
            self.enable(tag, function, period)
        if not self._is_lost:
            report_replacement()
        return not self._is_lost

    def _stop_robot(self) -> None:
        if self._url:
            robot = ManualRobot(self.table, *self._named)
            if robot.start(self._url):
                robot.close()


# The guard's process.


def main(arguments: Sequence[str]) -> int:
    """Serve the process that has started this one, until it ends."""
    make_output_patient()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with the process that has started it
    with END(int(arguments[0])) as pipe:
        table, plugin, project, world_path = pipe.recv()
        try:
            robot = ManualRobot(DeviceTable.from_json(table.encode()), plugin, project, world_path)
        except PluginError as problem:
            pipe.send((REFUSED, str(problem)))
            return 1
        pipe.send((DONE, None))
        try:
            _serve(pipe, robot)
        finally:
            robot.close()
    return 0


def _serve(pipe: Connection, robot: ManualRobot) -> None:
    while True:
        try:
            if not pipe.poll(HUNG_S):
                robot.halt()  # no step: the other side hangs
            name, *values = pipe.recv()
            pipe.send(_answer(robot, name, tuple(values)))
        except (EOFError, OSError):
            return


def _answer(robot: ManualRobot, name: str, values: Arguments) -> tuple[str, Any]:
    try:
        result = getattr(robot, name)(*values)
    except Unable as problem:
        return UNABLE, str(problem)
    return DONE, tuple(result) if isinstance(result, ManualStep) else result
