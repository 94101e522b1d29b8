"""Python controllers inside of this process, as greenlets: the bytes of the link go by function call.

    with InlineControllers() as inline:
        inline.start(lockstep.session(robot), "controllers/arm/arm.py", ["fast"])
        while inline.running:
            inline.pump()
            if lockstep.is_ready:
                lockstep.step()

A controller runs until it waits for an answer, in the thread that calls `pump`; then the next one runs. So
there is no waiting for other processes, and a run is the same each time. What a controller cannot do here:
`input()`, `time.sleep` and endless loops without a step hold up the whole run, and threads must not make
steps. Modules, `sys.argv`, `sys.path`, `__main__`, the current folder and `atexit` are each controller's own;
signals, locales and other settings of the process are shared.
"""

from __future__ import annotations

import builtins
import logging
import os
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from greenlet import GreenletExit, getcurrent, greenlet

from hal.modes.faults import print_fault
from hal.modes.session import activate, cleanup
from hal.protocol.errors import ProtocolError
from wbcore.controllers.exchange import ControllerExchange
from wbcore.controllers.isolation import IsolatedWorld, WorldSwitch
from wbcore.controllers.lockstep import ControllerSession
from wbcore.engine import _engine

if TYPE_CHECKING:
    from types import TracebackType

    from wbcore.controllers.direct_stepping import DirectStepping

__all__ = ["InlineControllers"]

_LOG = logging.getLogger(__name__)
KILLED = -9
"""The exit code of a controller that was stopped, as of a process that is killed."""
INTERRUPTED = 130
TRIES = 10
"""How often a controller that catches its own end is stopped again."""
_stubborn: list[greenlet] = []
"""Those that never ended; Python would try to end them again if it freed them."""


class InlineChannel:
    """A controller's end of the link (see hal.modes.channel.Channel)."""

    __slots__ = ("answers", "hub", "is_open", "is_ready", "native", "requests")

    def __init__(self, hub: greenlet) -> None:
        """
        Args:
            hub: runs while the controller waits.
        """
        self.hub = hub
        self.native = _engine
        self.requests: list[bytes] = []
        """What the simulator has not taken yet."""
        self.answers: deque[bytes] = deque()
        self.is_open = True
        self.is_ready = False
        """The controller need not wait."""

    def send(self, packet: bytes) -> None:
        """Leave a request for the simulator, which takes it when the controller waits."""
        self.requests.append(packet)

    def receive(self) -> bytes:
        """Let the others run until there is an answer.

        Raises:
            ProtocolError: none will come.
        """
        answers = self.answers
        while not answers:
            if not self.is_open:
                raise ProtocolError("the simulator has closed the connection")
            self.hub.switch()
        packet = answers.popleft()
        self.is_ready = bool(answers) or not self.is_open
        return packet

    def deliver(self, packet: bytes) -> None:
        """Take an answer of the simulator."""
        if packet:
            self.answers.append(packet)
            self.is_ready = True

    def close(self) -> None:
        """The controller leaves, or the simulator does."""
        self.is_open, self.is_ready = False, True


class InlineController:
    """One controller: its greenlet, its robot in the API, and its world."""

    def __init__(self, session: ControllerSession, world: IsolatedWorld) -> None:
        self.session = session
        self.world = world
        self.exit_code: int | None = None
        """None while it runs."""
        self.channel: InlineChannel | None = None
        self.robot: Any = None
        """Of hal.modes; None before it is connected."""
        self._activate = activate
        self._connects, self._board = self._connect, world.board
        self._hub: greenlet = getcurrent()
        self._greenlet = greenlet(self._run)

    @property
    def can_run(self) -> bool:
        """True when it does not wait for an answer."""
        return self.channel is None or self.channel.is_ready

    def stop(self) -> None:
        """End it at once."""
        for _ in range(TRIES):
            if self.exit_code is None:
                self.resume(GreenletExit)
        if self.exit_code is None:
            self.exit_code = KILLED
            _stubborn.append(self._greenlet)

    def resume(self, *thrown: type[BaseException]) -> None:
        """Let it run until it waits for an answer, or ends; the process stays in its world.

        Args:
            thrown: what is raised where it waits.
        """
        hub = getcurrent()
        if hub is not self._hub:
            self._move_to(hub)
        activate = self._activate
        robot, connect = activate(self.robot, self._connects)
        self._board.switch_to(self.world)
        try:
            if thrown:
                self._greenlet.throw(*thrown)
            else:
                self._greenlet.switch()
        finally:
            self.robot, _ = activate(robot, connect)

    def _move_to(self, hub: greenlet) -> None:
        """Another greenlet lets the controllers run from now on."""
        self._hub = self._greenlet.parent = hub
        if self.channel is not None:
            self.channel.hub = hub

    def _connect(self) -> InlineChannel:
        """What the API calls to find its simulator."""
        self.channel = InlineChannel(self._hub)
        return self.channel

    def take_requests(self) -> None:
        """Let the simulator take what the controller has sent."""
        channel = self.channel
        if channel is None or not channel.requests:
            return
        requests, channel.requests = channel.requests, []
        exchange = self.session.exchange
        try:
            for packet in requests:
                if exchange is None:
                    exchange = ControllerExchange(self.session.robot)
                    self.session.connect(exchange, channel.deliver)
                answer = exchange.feed(packet)
                if answer:
                    channel.deliver(answer)
        except ProtocolError as problem:
            name = self.session.robot.name
            _LOG.warning('warning: the controller of robot "%s" was disconnected: %s', name, problem)
            channel.close()

    # In the controller's greenlet.

    def _run(self) -> None:
        code = KILLED
        try:
            code = self._program()
        except KeyboardInterrupt:
            code = INTERRUPTED
            raise
        finally:
            self.exit_code = code

    def _program(self) -> int:
        code = _code_of(self._script)
        while self.world.exits:
            function, args, kwargs = self.world.exits.pop()
            _code_of(partial(function, *args, **kwargs))
        _code_of(_leave)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        return code

    def _script(self) -> None:
        main, script = self.world.main, self.world.script
        main.__dict__.update(__file__=str(script), __builtins__=builtins)
        exec(compile(script.read_bytes(), str(script), "exec"), main.__dict__)


class InlineControllers:
    """Python controllers as greenlets of this thread.

    Whoever runs the simulation calls `start` for each controller, `pump` before each step, and `close` at the
    end. Seats, links and answers are those of `Lockstep`; `Lockstep.quit` tells these controllers, too, and
    the next `pump` lets them end.
    """

    def __init__(
        self,
        on_end: Callable[[ControllerSession, int], object] | None = None,
        direct_stepping: DirectStepping | None = None,
    ) -> None:
        """
        Args:
            on_end: is called when a controller has ended, with its exit code: 0, what it gave to `sys.exit`,
                1 after an exception (whose traceback is on stderr then), -9 after `stop`.
            direct_stepping: steps the engine without packets while there is only one controller.
        """
        self._on_end = on_end
        self._direct_stepping = direct_stepping
        self._controllers: dict[ControllerSession, InlineController] = {}
        self._board = WorldSwitch()

    def start(
        self,
        session: ControllerSession,
        script: str | os.PathLike[str],
        arguments: Sequence[str] = (),
        *,
        environment: Mapping[str, str] | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        """Give a session a controller. Its code begins to run in the next `pump`.

        Args:
            session: of the robot that it drives; it is expected from now on.
            script: the controller's file. Errors in it are reported as of a process, on stderr.
            arguments: of the controller.
            environment: variables that it shall see besides those of this process.
            stdout: where it prints; None: where this process does.
            stderr: where it prints errors.

        Raises:
            OSError: the folder of the script cannot be opened.
            ValueError: the session has a controller already.
        """
        if session in self._controllers:
            raise ValueError(f'robot "{session.robot.name}" has a controller already')
        path = Path(script).absolute()
        world = IsolatedWorld(self._board, path, arguments, environment, stdout, stderr)
        self._controllers[session] = InlineController(session, world)
        session.expected = True

    @property
    def running(self) -> list[ControllerSession]:
        """The sessions whose controllers have not ended."""
        return list(self._controllers)

    def pump(self) -> None:
        """Let all controllers run, in the order of their start, until each waits for the end of a step.

        Raises:
            KeyboardInterrupt: the user's interruption, if a controller does not catch it.
            Exception: what goes wrong in the simulator while it carries out requests.
        """
        able = [one for one in self._controllers.values() if one.channel is None or one.channel.is_ready]
        while able:
            try:
                for one in able:
                    if one.exit_code is None:
                        self._resume(one)
            finally:
                self._board.switch_to(None)
            if self._direct_stepping is not None:
                self._direct_stepping.finish()
            for one in able:
                one.take_requests()
                if one.exit_code is not None and self._controllers.get(one.session) is one:
                    self._end(one.session, one)
            able = [one for one in able if one.exit_code is None and one.can_run]

    def _resume(self, one: InlineController) -> None:
        """Let a controller run; a single one may make direct steps."""
        stepping = self._direct_stepping
        if stepping is None or len(self._controllers) > 1:
            one.resume()
            return
        stepping.open(one.session, one.robot and one.robot.exchange)
        try:
            one.resume()
        finally:
            stepping.close()

    def stop(self, session: ControllerSession) -> None:
        """End the controller of a session at once, whatever it does; without one do nothing."""
        one = self._controllers.get(session)
        if one is not None:
            try:
                one.stop()
            finally:
                self._board.switch_to(None)
            self._end(session, one)

    def close(self) -> None:
        """End all controllers, and give the process its own world back."""
        for session in self.running:
            self.stop(session)
        self._board.close()

    def __enter__(self) -> InlineControllers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _end(self, session: ControllerSession, one: InlineController) -> None:
        del self._controllers[session]
        if self._direct_stepping is not None:
            self._direct_stepping.forget()
        one.world.close()
        session.leave(expected=False)
        if self._on_end is not None:
            self._on_end(session, one.exit_code or 0)


def _leave() -> None:
    """What the client does at the end of a program."""
    cleanup()


def _code_of(work: Callable[[], object]) -> int:
    """Do a part of a program; the exit code that Python would have after it. Problems are on stderr."""
    try:
        work()
    except (GreenletExit, KeyboardInterrupt):
        raise
    except SystemExit as end:
        return _exit_code(end)
    except BaseException as error:
        _print_traceback(error)
        return 1
    return 0


def _exit_code(end: SystemExit) -> int:
    """The exit code of a program that ends so; a text goes to stderr."""
    if end.code is None:
        return 0
    if isinstance(end.code, int):
        return end.code
    print(end.code, file=sys.stderr)
    return 1


def _print_traceback(error: BaseException) -> None:
    """Print the traceback without the frames of this file, as for a process."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename == __file__:
        trace = trace.tb_next
    print_fault(error.with_traceback(trace))
