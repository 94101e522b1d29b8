"""Breakpoints that pages set in controllers in Python: the world waits while a program is paused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from wbridge.wbcore.controllers.debugging.debugger import COMMANDS, Debugger
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.controllers.task import PYTHON
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.windows.code_handler import NOT_ALLOWED, CodeHandler
from wbridge.wbcore.windows.interventions import Done
from wbridge.wbcore.windows.request_handler import WindowRequest


class DebugHandler:
    """Carries out the requests `breakpoints` and `debug` of pages."""

    def __init__(
        self, runner: Runner, code: CodeHandler, answer: Callable[[WindowRequest], Done], may_write: bool
    ) -> None:
        """
        Args:
            runner: the run.
            code: knows the robots, and the files that pages see.
            answer: returns what tells a page how its request went.
            may_write: whether pages may change controllers; others see no breakpoints.
        """
        self._runner, self._code, self._answer, self._may_write = runner, code, answer, may_write
        self._debugger: Debugger | None = None

    def requests(self) -> Mapping[str, Callable[[WindowRequest], None]]:
        """Return the handlers of requests, by name."""
        return {"breakpoints": self._breakpoints, "debug": self._debug}

    def shown(self) -> Mapping[str, object] | None:
        """Return the lines with breakpoints, by file, and by the number of the robot where its program is
        paused, or None while it runs."""
        if self._debugger is None:
            return None
        names = {str(path): name for name, _, path in self._code.files()}
        lines = {name: self._debugger.breakpoints(path) for path, name in names.items()}
        programs = self._debugger.shown()
        robots = {}
        for robot in self._runner.simulation.robots.list:
            if robot.name in programs:
                place = programs[robot.name]
                robots[robot.number] = place and {**place, "name": names.get(str(place.get("file")), "")}
        return {"lines": {name: at for name, at in lines.items() if at}, "robots": robots}

    def close(self) -> None:
        """Let all programs go: no page looks any more."""
        if self._debugger is not None:
            self._debugger.close()
            self._debugger = None

    def _breakpoints(self, request: WindowRequest) -> None:
        if not self._may_write:
            raise ValueError(NOT_ALLOWED)
        _, path = self._code.file(request.values["name"])
        self._own().set_breakpoints(str(path), request.values["lines"])
        self._answer(request)("")

    def _debug(self, request: WindowRequest) -> None:
        command = request.values["command"]
        if not self._may_write:
            raise ValueError(NOT_ALLOWED)
        robot = self._code.robot(request.robot)
        if command in COMMANDS:
            self._own().do(robot.name, command)
        else:
            self._start(robot, command == "start")
        self._answer(request)("")

    def _start(self, robot: Robot, with_breakpoints: bool) -> None:
        """Start a robot's controller anew, so that it can be paused or as usual."""
        controllers = self._runner.controllers
        if controllers.is_inside:
            raise ValueError("controllers inside the simulator cannot be paused: leave out --inline")
        task = next((one for one in controllers.tasks if one.robot == robot.name), None)
        if task is None or task.needs_none or task.is_extern:
            raise ValueError(f'the controller of robot "{robot.name}" is not started here')
        if task.program().type.LABEL != PYTHON:
            raise ValueError(f"breakpoints work in Python only; {task.controller} is another program")
        debugger = self._own()
        (debugger.attach if with_breakpoints else debugger.detach)(task)
        self._runner.restart_controller(robot)

    def _own(self) -> Debugger:
        if self._debugger is None:
            self._debugger = Debugger(self._runner.server)
        return self._debugger
