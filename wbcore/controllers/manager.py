"""All controllers of a run: starting, watching, restarting and ending them."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from wbridge.wbcore.controllers.environment import arguments_of
from wbridge.wbcore.controllers.launcher import Launcher
from wbridge.wbcore.controllers.output import Output, Stream
from wbridge.wbcore.controllers.program_types import CannotStart
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.controllers.task import ControllerTask
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.missing import NO_CONTROLLER, MissingRobot, missing_robots
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.tables.device_tables import robots as robot_nodes

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.direct_stepping import DirectStepping
    from wbridge.wbcore.controllers.inline import InlineControllers
    from wbridge.wbcore.controllers.lockstep import ControllerSession, Lockstep
    from wbridge.wbcore.controllers.process import Process

_LOG = logging.getLogger(__name__)
GRACE_S = 1.0
"""Time (s) that a controller has to end after the quit message, as in Webots."""
TERMINATION_S = 0.5
"""Time (s) between SIGTERM and SIGKILL."""
LOCAL_KINDS = ("Python",)
NO_LAUNCHER = Launcher()


class UnknownRobot(ValueError):
    """A controller was assigned to a robot that is not in the world."""


class Ended(NamedTuple):
    """The end of a controller."""

    robot: str
    controller: str
    exit_code: int | None
    """None if the controller never started."""

    @property
    def is_error(self) -> bool:
        """True if the controller did not start or its exit code is not 0."""
        return self.exit_code != 0

    @property
    def text(self) -> str:
        """Say how it ended, for users."""
        from wbridge.wbcore.controllers.process import exit_text  # start-up: 5 ms, not for inline controllers

        return "could not be started" if self.exit_code is None else exit_text(self.exit_code)


class ControllerManager:
    """Starts, watches and ends the controllers of all robots.

    `start_all` starts processes as soon as a world is loaded, `attach_sessions` connects them to the robots
    of the simulation, and the runner calls `poll` whenever something may have happened.
    """

    def __init__(self, server: Server, output: Output, inline: bool = False) -> None:
        self.server = server
        self.output = output
        self.tasks: list[ControllerTask] = []
        self.files: dict[str, Path] = {}
        """Files of the controllers that this process started, by robot name."""
        self.ended: list[Ended] = []
        self._lacks: set[str] = set()
        """Reported advice on missing modules."""
        self.on_error: Callable[[], object] = lambda: None
        """Called when a controller could not be started or has failed."""
        self.build: Callable[[Path], Path | None] | None = None
        """See `RunOptions.build`."""
        self.had_any = False
        """True once there was a controller to wait for."""
        self.is_alive = False
        """True until all controllers have ended."""
        self.is_working = False
        """True while a controller takes part in the simulation or is about to."""
        self.has_free = False
        """True if a robot is asynchronous: its requests are read only when the sockets are polled."""
        self._wants_inline = inline
        self.direct_stepping: DirectStepping | None = None
        """Steps the engine without packets for a single inline controller."""
        self._inline: InlineControllers | None = None
        self._prepare: Callable[[InlineControllers], object] | None = None
        self._inner_streams: dict[str, tuple[Stream, Stream]] = {}
        """Standard output and error of inline controllers, by robot name."""
        self._leaving: set[Process] = set()
        server.on_connect, server.on_leave = self._connected, self._left

    @property
    def is_inside(self) -> bool:
        """True when controllers run in this process."""
        return self._inline is not None

    @property
    def inline(self) -> InlineControllers | None:
        """The controllers inside this process; None before the first one starts."""
        return self._inline

    @property
    def is_missing(self) -> bool:
        """True if controllers should have started and none did."""
        return bool(self.ended) and not self.had_any

    # Starting.

    def start_all(
        self,
        world: World,
        instead: Mapping[str, str] | None = None,
        only: Node | None = None,
        variables: Mapping[str, str] | None = None,
        gateway: tuple[str, ...] = (),
        of_robots: Mapping[str, Mapping[str, str]] | None = None,
        launcher: Launcher = NO_LAUNCHER,
    ) -> None:
        """Start the controllers of a newly loaded world.

        Args:
            world: without errors.
            instead: controllers that replace those in the world, by robot name.
            only: start only this robot's controller; None starts all.
            variables: added to the environment of every controller.
            of_robots: added to the environment of one controller, by robot name.
            gateway: command line that starts them in remote control (see `ControllerTask.gateway`).
            launcher: starts all controllers.

        Raises:
            UnknownRobot: the world has no robot of that name.
        """
        nodes = robot_nodes(world.nodes) if only is None else [only]
        self.tasks = [ControllerTask(node, world) for node in nodes]
        for task in self.tasks:
            task.variables |= {**(variables or {}), **(of_robots or {}).get(task.robot, {})}
            task.gateway, task.launcher = gateway, launcher
        absent = missing_robots(world) if only is None else []
        for name, controller in (instead or {}).items():
            if name not in {robot.name for robot in absent}:
                self._replace(name, controller)
        for task in self.tasks:
            self._open(task)
        for robot in absent:
            self._miss(robot, (instead or {}).get(robot.name, robot.controller))
        self._update()

    def _miss(self, robot: MissingRobot, controller: str) -> None:
        """Report that a robot replaced by a placeholder cannot run its controller."""
        if controller not in NO_CONTROLLER:
            placeholder = f'robot "{robot.name}" is a placeholder because its model {robot.model} is missing'
            _LOG.error('error: %s: its controller "%s" does not run', placeholder, controller)
            self.ended.append(Ended(robot.name, controller, None))
            self.on_error()

    def _replace(self, name: str, controller: str) -> None:
        chosen = [task for task in self.tasks if task.robot == name or (not name and len(self.tasks) == 1)]
        if not chosen:
            names = [task.robot for task in self.tasks]
            known = ", ".join(f'"{name}"' for name in names) or "none"
            ask = f"several robots have controllers; name one as ROBOT={controller}"
            what = f'no robot "{name}"' if name else ask
            raise UnknownRobot(f"{what}; the robots are {known}{did_you_mean(name, names)}")
        for task in chosen:
            task.node.set("controller", controller)

    def _open(self, task: ControllerTask) -> None:
        """Open the endpoint of a controller and start it, unless it is extern."""
        if task.controller in ("<none>", "none"):
            return
        if task.is_extern or not self.server.on_demand:
            self._open_endpoint(task)
        task.has_left = task.is_ending = task.was_asked_to_end = False
        task.build = self.build
        if task.is_extern:
            task.is_awaited = self.had_any = True
        elif not task.needs_none:
            self._start(task)

    def _open_endpoint(self, task: ControllerTask) -> None:
        task.endpoint = self.server.open_endpoint(task.robot, "extern" if task.is_extern else "intern")
        task.endpoint.session = task.session

    def _start(self, task: ControllerTask) -> None:
        try:
            if self._starts_inside(task):
                return
            if task.endpoint is None:
                self._open_endpoint(task)
            program = task.start(self.server.instance.folder, self.output, self.server.only_port)
        except CannotStart as problem:
            _LOG.error('error: robot "%s" has no controller: %s', task.robot, problem)
            self.ended.append(Ended(task.robot, task.controller, None))
            self.on_error()
            return
        finally:
            self._report_warnings(task)
        self.had_any = True
        self._watch(task)
        self.files[task.robot] = program.file
        _LOG.info('robot "%s": %s (%s)', task.robot, program.file, program.type.LABEL)

    def _watch(self, task: ControllerTask) -> None:
        process = task.process
        assert process is not None
        self.server.watch_file(process.end_file, lambda: self._exited(task, process))
        for pump in process.pumps:
            self.server.watch_file(pump.file, pump.pump)
            pump.on_end = partial(self.server.forget_file, pump.file)

    def _starts_inside(self, task: ControllerTask) -> bool:
        """Mark a controller to run inside this process if it can; return whether it can."""
        if not self._wants_inline:
            return False
        program = task.program()
        if program.type.LABEL not in LOCAL_KINDS:
            return False
        task.is_inline = self.had_any = True
        if task.session is not None:
            self._start_inside(task, task.session)
        return True

    def _start_inside(self, task: ControllerTask, session: ControllerSession) -> None:
        from wbridge.wbcore.controllers.inline import InlineControllers  # start-up: 13 ms, not for processes

        if self._inline is None:
            self._inline = InlineControllers(self._ended_inside, self.direct_stepping)
            if self._prepare is not None:
                self._prepare(self._inline)
        program = task.program()
        variables = task.own_variables(program)
        out, err = self._streams(task.robot)
        arguments = arguments_of(task.node)
        self._inline.start(session, program.file, arguments, environment=variables, stdout=out, stderr=err)
        self._report_warnings(task)
        self.files[task.robot] = program.file
        _LOG.info('robot "%s": %s (%s, inline)', task.robot, program.file, program.type.LABEL)

    def _report_warnings(self, task: ControllerTask) -> None:
        for warning in task.warnings:
            _LOG.warning("warning: %s", warning)
        task.warnings.clear()

    def _streams(self, robot: str) -> tuple[TextIO | None, TextIO | None]:
        """Standard output and error of an inline controller; None means those of this process."""
        if not self.output.is_changed and self._prepare is None:
            return None, None
        out, err = Stream(self.output, robot, False), Stream(self.output, robot, True)
        self._inner_streams[robot] = out, err
        return cast("TextIO", out), cast("TextIO", err)

    def attach_sessions(self, lockstep: Lockstep) -> None:
        """Connect the controllers to the robots of the simulation."""
        self.server.sessions = lockstep.sessions
        for task, session in zip(self.tasks, lockstep.sessions, strict=True):
            task.follow(session)
            if task.is_inline:
                self._start_inside(task, session)
        self._update()

    def add(self, session: ControllerSession, world: World) -> None:
        """Start the controller of a robot that was added to the world."""
        task = ControllerTask(session.robot.node, world)
        task.session = session
        self.tasks.append(task)
        self._open(task)
        task.follow(session)
        self._update()

    def _update(self) -> None:
        self.is_alive = any(task.is_alive for task in self.tasks)
        self.is_working = any(task.is_working for task in self.tasks)
        sessions = [task.session for task in self.tasks if task.session is not None and task.is_working]
        self.has_free = any(session.is_free for session in sessions)

    # Running again.

    def prepare_inline(self, prepare: Callable[[InlineControllers], object]) -> None:
        """Have a function called with the controllers inside this process, now or when there are some; their
        output can be muted from their next starts on."""
        self._prepare = prepare
        if self._inline is not None:
            prepare(self._inline)

    def end_each(self) -> None:
        """End all controllers, which may be opened again."""
        self._end(self.tasks)

    def open_again(self, session: ControllerSession) -> tuple[Stream, Stream] | None:
        """Start a controller that was ended; return its output if it runs inside this process."""
        task = self._task_of(session)
        if task is None:
            return None
        task.follow(session)
        self._open(task)
        task.follow(session)
        self._update()
        return self._inner_streams.get(task.robot) if task.is_inline else None

    # Running.

    def poll(self) -> None:
        """Run inline controllers until each waits for a step."""
        if self._inline is not None:
            self._inline.pump()

    def reap(self) -> None:
        """Close the connections of processes that have ended.

        A child of such a process may still hold its connection open.
        """
        for task in self.tasks:
            if task.process is not None and task.process.exit_code is not None and task.session is not None:
                self.server.disconnect(task.session)

    def _connected(self, session: ControllerSession) -> None:
        task = self._task_of(session)
        if task is not None:
            task.has_left = False
            task.is_awaited = task.is_extern
            if task.is_extern:
                _LOG.info('robot "%s": a controller has connected', task.robot)
            self._update()

    def _left(self, session: ControllerSession) -> None:
        task = self._task_of(session)
        if task is None:
            return
        task.has_left, task.is_awaited = True, False
        self._update()
        if task.is_extern:
            waits = self.is_working and not session.is_free
            more = "; the others wait until one connects again" if waits else ""
            _LOG.info('robot "%s": its controller has left%s', task.robot, more)

    def _exited(self, task: ControllerTask, process: Process) -> None:
        """Handle the end of a process; its last bytes may still wait to be read."""
        if not process.look():
            return
        self.server.forget_file(process.end_file)
        if task.session is not None and task.session.exchange is None:
            task.session.expected = False
        if process in self._leaving or process is not task.process:
            return
        self._report(task, process.exit_code or 0)

    def _ended_inside(self, session: ControllerSession, code: int) -> None:
        task = self._task_of(session)
        if task is not None and task.is_inline:
            task.is_inline = False
            self._update()
            if code > 0 or not task.is_ending:
                self._report(task, code)

    def _report(self, task: ControllerTask, code: int) -> None:
        end = Ended(task.robot, task.controller, code)
        if code > 0 and task.was_asked_to_end:
            # Loops that ignore the end often fail on the last values; the run itself went well.
            _LOG.info('robot "%s": its controller %s after the simulation had ended', task.robot, end.text)
            task.is_noted = True
            return
        level = logging.ERROR if code else logging.INFO
        idle = "" if code else _idleness(task)
        _LOG.log(level, 'robot "%s": its controller %s%s', task.robot, end.text, idle)
        if code == 1 and (lack := task.lacks()) and lack not in self._lacks:
            self._lacks.add(lack)  # robots with the same controller lack the same
            _LOG.error('robot "%s": %s', task.robot, lack)
        task.is_noted = True
        self.ended.append(end)
        self._update()
        if code:
            self.on_error()

    def _task_of(self, session: ControllerSession) -> ControllerTask | None:
        return next((task for task in self.tasks if task.session is session), None)

    # Ending.

    def restart(self, session: ControllerSession) -> None:
        """Restart the controller of a session."""
        task = self._task_of(session)
        if task is not None:
            self._end([task])
            task.follow(session)
            self._open(task)
            task.follow(session)
            self._update()

    def remove(self, session: ControllerSession) -> None:
        """End the controller of a robot that was removed from the world."""
        task = self._task_of(session)
        if task is not None:
            self._end([task])
            self.tasks.remove(task)
            self._update()

    def end_all(self) -> None:
        """End all controllers."""
        self._end(self.tasks)
        self.tasks = []

    def close(self) -> None:
        """End all controllers and release what they use."""
        self.end_all()
        if self._inline is not None:
            self._inline.close()
            self._inline = None

    def _end(self, tasks: list[ControllerTask]) -> None:
        """Ask controllers to end, wait a second, then stop them."""
        self._leaving |= {task.process for task in tasks if task.process is not None}
        for task in tasks:
            self._tell(task)
        self._await(tasks, GRACE_S)
        late = [task for task in tasks if task.process is not None and task.process.exit_code is None]
        for task in late:
            assert task.process is not None
            _LOG.warning(
                'warning: robot "%s": its controller did not end by itself and was stopped', task.robot
            )
            task.process.signal(signal.SIGTERM)
        self._await(late, TERMINATION_S)
        for task in tasks:
            self._clear(task)

    def _tell(self, task: ControllerTask) -> None:
        task.is_ending = True
        if task.session is not None and task.session.exchange is not None:
            task.was_asked_to_end = True
            task.session.send(task.session.exchange.quit())
        elif task.process is not None and task.process.exit_code is None:
            task.process.signal(signal.SIGTERM)

    def _await(self, tasks: list[ControllerTask], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while any(self._stays(task) for task in tasks):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            self.poll()
            if any(self._stays(task) for task in tasks):  # inline controllers may have ended in this call
                self.server.poll(min(left, 0.05) if self._inline is not None else left)

    def _stays(self, task: ControllerTask) -> bool:
        if task.process is not None:
            return task.process.exit_code is None
        return task.is_inline or (task.session is not None and task.session.exchange is not None)

    def _clear(self, task: ControllerTask) -> None:
        if task.session is not None:
            if task.is_inline and self._inline is not None:
                task.is_inline = False
                self._inline.stop(task.session)
            self.server.disconnect(task.session)
            task.session.leave(expected=False)
        task.is_awaited = task.is_inline = False
        if task.endpoint is not None:
            self.server.close_endpoint(task.endpoint)
            task.endpoint = None
        process, task.process = task.process, None
        if process is not None:
            self.server.forget_file(process.end_file)
            code = process.exit_code
            process.close()
            self._leaving.discard(process)
            if code is not None and code > 0 and not task.is_noted:
                self._report(task, code)


def _idleness(task: ControllerTask) -> str:
    """Return which call is missing if a controller ended without a step; "" otherwise."""
    if task.session is None or task.session.exchange is not None or task.session.has_stepped:
        return ""
    if task.session.has_stepped is None:
        return "; it did not connect to the simulation (by Robot(), or wb_robot_init())"
    return "; it made no step, so it simulated no time (robot.step(), wb_robot_step())"
