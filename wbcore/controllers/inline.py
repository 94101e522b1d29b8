"""Python controllers inside this process, as greenlets; the link's bytes are passed by function calls.

    with InlineControllers() as inline:
        inline.start(lockstep.session(robot), "controllers/arm/arm.py", ["fast"])
        while inline.running:
            inline.pump()
            if lockstep.is_ready:
                lockstep.step()

A controller runs until it waits for an answer, in the thread that calls `pump`; then the next one runs. No
process waits for another, and every run is identical. Restrictions: `input()`, `time.sleep` and endless loops
without a step block the whole run, and threads must not make steps. Each controller has its own modules,
`sys.argv`, `sys.path`, `__main__`, current folder and `atexit`; signals, locales and other process settings
are shared. Until `close`, this process has the mathematical functions of `wbridge.hal.portable_math`.
"""

from __future__ import annotations

import builtins
import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

from greenlet import GreenletExit, getcurrent, greenlet

from wbridge.hal.client.native import HostedExchange, NativeRobot, attach
from wbridge.hal.client.session import activate, cleanup
from wbridge.hal.closing import Closing
from wbridge.hal.protocol.errors import ProtocolError
from wbridge.hal.protocol.packet import DELIVERED
from wbridge.hal.reports.faults import print_fault
from wbridge.wbcore.controllers import inline_thread
from wbridge.wbcore.controllers.direct_round import Round
from wbridge.wbcore.controllers.direct_stepping import DirectStepping, Seat
from wbridge.wbcore.controllers.exchange import ControllerExchange, Pending
from wbridge.wbcore.controllers.global_names import compiled
from wbridge.wbcore.controllers.inline_connection import InlineConnection, LoggedConnection
from wbridge.wbcore.controllers.isolation import ProcessState, StateSwitch
from wbridge.wbcore.controllers.lockstep import ControllerSession
from wbridge.wbcore.controllers.readings import Logs, Past, Readings
from wbridge.wbcore.engine import _engine

_LOG = logging.getLogger(__name__)
KILLED = -9
"""Exit code of a stopped controller, equal to that of a killed process."""
INTERRUPTED = 130
TRIES = 10
"""Number of attempts to stop a controller that catches its own exit."""
_stubborn: list[greenlet] = []
"""Greenlets that never ended; if they were freed, Python would try to end them again."""


class InlineController:
    """One controller: its greenlet, its robot in the API, and its isolated process state."""

    def __init__(self, session: ControllerSession, state: ProcessState, seat: Seat | None) -> None:
        """
        Args:
            session: of its robot.
            state: its process state.
            seat: its direct steps; None: it makes none.
        """
        self.session = session
        self.state = state
        self.seat = seat
        self.readings: Readings | None = None
        """The log of what it gets and asks for, with which it makes no direct steps; None: it has none."""
        self.past: Past | None = None
        """What it has to go through before it takes part in the simulation."""
        self.exit_code: int | None = None
        """None while the controller runs."""
        self.connection: InlineConnection | None = None
        self.robot: NativeRobot | None = None
        """None before the controller connects."""
        self._activate = activate
        self._connects, self._switch = self._connect, state.switch
        self._hub: greenlet = getcurrent()
        self._greenlet = greenlet(self._run)

    @property
    def client(self) -> HostedExchange | None:
        """The client of the robot; None before the controller connects."""
        return None if self.robot is None else self.robot.exchange

    @property
    def can_run(self) -> bool:
        """True if the controller is not waiting for an answer."""
        return self.connection is None or self.connection.is_ready

    def stop(self) -> None:
        """Stop the controller at once."""
        for _ in range(TRIES):
            if self.exit_code is None:
                self.resume(GreenletExit)
        if self.exit_code is None:
            self.exit_code = KILLED
            _stubborn.append(self._greenlet)

    def release(self) -> None:
        """Free the memory of its robot after the end."""
        if self._greenlet.dead and self.robot is not None and self.connection is not None:
            self.connection.close()
            self.robot.cleanup()

    def resume(self, *thrown: type[BaseException]) -> None:
        """Run the controller until it waits for an answer or ends; the process keeps its isolated state.

        Args:
            thrown: exception to raise at the place where it waits.
        """
        hub = getcurrent()
        if hub is not self._hub:
            self._move_to(hub)
        activate = self._activate
        robot, connect = activate(self.robot, self._connects)
        self._switch.switch_to(self.state)
        try:
            if thrown:
                self._greenlet.throw(*thrown)
            else:
                self._greenlet.switch()
        finally:
            self.robot, _ = activate(robot, connect)

    def _move_to(self, hub: greenlet) -> None:
        """Make another greenlet the one that schedules the controllers."""
        self._hub = self._greenlet.parent = hub
        if self.connection is not None:
            self.connection.hub = hub

    def add_to(self, native: _engine.DirectRound, stepper: _engine.DirectStepper) -> None:
        """Add the controller, which is connected, to a round that this greenlet will run."""
        hub = getcurrent()
        if hub is not self._hub:
            self._move_to(hub)
        assert self.connection is not None, "it is connected"
        deliver = partial(self.connection.deliver, DELIVERED)
        state = self.state
        native.add(stepper, self._greenlet.switch, deliver, state.fields, state, self.robot, self._connects)

    def _connect(self) -> NativeRobot:
        """Connect the robot and make it the current one; called by the API.

        A program whose robot has ended may begin it again; that one makes no direct steps.
        """
        if self.connection is not None:
            self.take_requests()
            self.session.leave(expected=True)
            self.seat = None
            if self.readings is not None:
                self.readings.give_up("a controller has begun its robot twice")
        if self.readings is None:
            self.connection = InlineConnection(self._hub)
        else:
            self.connection = LoggedConnection(self._hub, self.readings, self.past)
        self.session.tell = self._tell
        return attach(self.connection)

    def _tell(self, now: float) -> bool:
        if self.seat is None or self.connection is None or not self.seat.tell(now):
            return False
        self.connection.deliver(DELIVERED)
        return True

    def take_requests(self) -> None:
        """Pass the controller's requests to the simulator."""
        connection = self.connection
        if connection is None or not connection.requests:
            return
        requests, connection.requests = connection.requests, []
        exchange = self.session.exchange
        try:
            for packet in requests:
                if exchange is None:
                    exchange = ControllerExchange(self.session.robot)
                    self.session.connect(exchange, connection.deliver)
                answer = exchange.feed(packet)
                if answer:
                    connection.deliver(answer)
        except ProtocolError as problem:
            name = self.session.robot.name
            _LOG.warning('warning: the controller of robot "%s" was disconnected: %s', name, problem)
            connection.close()

    def keep_readings(self, readings: Readings, past: Past | None = None) -> None:
        """Log what the controller gets and asks for from its start on, unless it has begun.

        Args:
            readings: the log.
            past: what it has to go through first.
        """
        if self.connection is None:
            self.readings, self.past, self.seat = readings, past, None

    def take_part(self, pending: Pending) -> None:
        """Take part in the simulation at the end of the past, in the middle of a step."""
        assert self.connection is not None and self.past is not None, "it has gone through its past"
        self.past = None
        exchange = ControllerExchange(self.session.robot)
        exchange.go_on(pending)
        self.session.connect(exchange, self.connection.deliver)

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
        while self.state.exits:
            function, args, kwargs = self.state.exits.pop()
            _code_of(partial(function, *args, **kwargs))
        _code_of(_leave)
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        return code

    def _script(self) -> None:
        main, script = self.state.main, self.state.script
        main.__dict__.update(__file__=str(script), __builtins__=builtins)
        exec(compiled(script.read_bytes(), str(script)), main.__dict__)


class InlineControllers(Closing):
    """Runs Python controllers as greenlets of this thread.

    Call `start` for each controller, `pump` before each step, and `close` at the end. Sessions and answers
    are those of `Lockstep`; `Lockstep.quit` also informs these controllers, and they end in the next `pump`.
    """

    def __init__(
        self,
        on_end: Callable[[ControllerSession, int], object] | None = None,
        direct_stepping: DirectStepping | None = None,
    ) -> None:
        """
        Args:
            on_end: called when a controller has ended, with its exit code: 0, the argument of `sys.exit`,
                1 after an exception (with its traceback on stderr), -9 after `stop`.
            direct_stepping: lets the controllers make steps without packets.
        """
        self._on_end = on_end
        self._direct_stepping = direct_stepping
        self._controllers: dict[ControllerSession, InlineController] = {}
        self._switch = StateSwitch()
        self._round = Round(direct_stepping, self._switch) if direct_stepping is not None else None
        self.logs: Logs | None = None
        """The logs of controllers that start from now on; None: they have none."""
        self.makes_rounds = True
        """False if each controller is to be resumed by a call of `resume`."""

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
        """Start a controller for a session. Its code begins to run in the next `pump`.

        Args:
            session: session of the robot; its controller is expected from now on.
            script: the controller's file. Its errors are reported on stderr, as for a process.
            arguments: of the controller.
            environment: additional environment variables of the controller.
            stdout: its standard output; None for that of this process.
            stderr: its standard error.

        Raises:
            OSError: the folder of the script cannot be opened.
            ValueError: the session already has a controller.
            InlineThreadError: another thread runs inline controllers.
        """
        inline_thread.enter(self)
        if session in self._controllers:
            raise ValueError(f'robot "{session.robot.name}" already has a controller')
        path = Path(script).absolute()
        state = ProcessState(self._switch, path, arguments, environment, stdout, stderr)
        seat = self._direct_stepping.seat(session) if self._direct_stepping is not None else None
        self._controllers[session] = InlineController(session, state, seat)
        session.expected = True
        if self.logs is not None:
            self._controllers[session].keep_readings(self.logs.make())

    @property
    def running(self) -> list[ControllerSession]:
        """The sessions whose controllers have not ended."""
        return list(self._controllers)

    def keep_readings(self, logs: Logs) -> None:
        """Log what controllers get and ask for, if they have not begun; those that have begun have no log."""
        self.logs = logs
        for controller in self._controllers.values():
            controller.keep_readings(logs.make())

    def readings(self, session: ControllerSession) -> Readings | None:
        """Return the log of the controller of a session, if it has one."""
        controller = self._controllers.get(session)
        return None if controller is None else controller.readings

    def run_again(self, session: ControllerSession, readings: Readings, pending: Pending) -> str:
        """Run a controller that has just been started through its past, without the simulation.

        Args:
            session: of the controller.
            readings: its log, which ends where it takes part again.
            pending: the request whose answer it waits for then.

        Returns:
            "" if it stands where it stood; otherwise, for users, where it did something else. It then takes
            no part, and has to be started again.

        Raises:
            KeyboardInterrupt: the user interrupts, and the controller does not catch it.
        """
        controller, past = self._controllers[session], Past(readings)
        controller.keep_readings(readings, past)
        try:
            controller.resume()
        finally:
            self._switch.switch_to(None)
        if controller.exit_code is None and past.is_through:
            controller.take_part(pending)
            return ""
        return past.progress if controller.exit_code is None else f"ended {past.progress}"

    def pump(self) -> None:
        """Run all controllers in the order of their start until each waits for the end of a step.

        Raises:
            KeyboardInterrupt: the user interrupts, and the controller does not catch it.
            InlineThreadError: they were started in another thread.
            Exception: the simulator fails while it handles requests.
        """
        inline_thread.require_own(self)
        while able := self._able():
            last: list[InlineController] = []
            try:
                if self._round is not None and self.makes_rounds and len(able) == len(self._controllers):
                    found = self._round.run(able)
                    if found is not None:
                        last, able = found, [one for one in self._able() if one not in found]
                for one in able:
                    if one.exit_code is None:
                        self.resume(one)
            finally:
                self._switch.switch_to(None)
            if self._direct_stepping is not None:
                self._direct_stepping.finish()
            for one in (*last, *able):
                one.take_requests()
                if one.exit_code is not None and self._controllers.get(one.session) is one:
                    self._end(one.session, one)

    def _able(self) -> list[InlineController]:
        """The controllers that need not wait."""
        controllers = self._controllers.values()
        return [one for one in controllers if one.connection is None or one.connection.is_ready]

    def resume(self, one: InlineController) -> None:
        """Run a controller, with a direct step if that is possible."""
        seat = one.seat
        if seat is None:
            one.resume()
            return
        seat.open(one.client)
        try:
            one.resume()
        finally:
            seat.close()

    def stop(self, session: ControllerSession) -> None:
        """Stop the controller of a session at once, if there is one."""
        one = self._controllers.get(session)
        if one is not None:
            try:
                one.stop()
            finally:
                self._switch.switch_to(None)
            self._end(session, one)

    def close(self) -> None:
        """End all controllers and restore the state of the process."""
        for session in self.running:
            self.stop(session)
        self._switch.close()
        inline_thread.leave(self)

    def _end(self, session: ControllerSession, one: InlineController) -> None:
        del self._controllers[session]
        if self._round is not None:
            self._round.forget()
        one.seat = None
        one.release()
        one.state.close()
        session.leave(expected=False)
        if self._on_end is not None:
            self._on_end(session, one.exit_code or 0)


def _leave() -> None:
    """Disconnect, as the client does at the end of a program."""
    cleanup()


def _code_of(work: Callable[[], object]) -> int:
    """Run a part of a program and return the exit code that Python would use; errors are printed on
    stderr."""
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
    """Return the exit code of a SystemExit; a text is printed on stderr."""
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
