"""Measures where the time of a run goes, by spans around the calls of a step.

    profile = Profile()
    profile.watch(runner)
    runner.run()
    for row in profile.finish().rows:
        print(row.name, row.calls, row.time_ns)

The spans replace methods of this run's objects, so that other runs cost nothing. They do not change what is
simulated. Rounds of inline controllers (see wbridge.wbcore.controllers.direct_round) are off, so that each of
them is measured.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from wbridge.wbcore.controllers.lockstep import ControllerSession
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.profiling.processes import ProcessTimes
from wbridge.wbcore.profiling.robots import RobotSpans
from wbridge.wbcore.profiling.spans import Spans, Usage, replace
from wbridge.wbcore.profiling.trace import Trace
from wbridge.wbcore.simulation import Simulation

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.inline import InlineController, InlineControllers

ENGINE, STEP, PACKETS = "engine", "simulation step", "packets"
WAITING = "waiting for controllers"
IDLE = {0: "paused", 1: "waiting for real time", 2: WAITING}
"""The row of the time in which the next step could be made, by mode; fast runs wait for controllers to
end."""


class Report(NamedTuple):
    """Where the time of a run went."""

    steps: int
    elapsed_ns: int
    """Real time from the first step to the end (ns), the sum of the rows."""
    rows: list[Usage]
    """Those with the most time first."""
    processes: list[Usage]
    """How long each controller process computed, by robot, while the simulator waited or worked."""


class Profile:
    """The spans of one run."""

    def __init__(self, spans: Spans | None = None, trace: Trace | None = None) -> None:
        """
        Args:
            spans: the spans to use.
            trace: also gets each span.
        """
        self.spans = spans or Spans()
        self._trace = trace
        self._processes = ProcessTimes(self.spans.now, trace)
        self._robots = RobotSpans(self.spans)
        self._simulation: Simulation | None = None
        self._inline: InlineControllers | None = None
        self._has_started = False
        self._steps = 0
        self._report: Report | None = None

    def timed(self, name: str, function: Callable[..., object]) -> Callable[..., Any]:
        """Return a function that calls another one in a span of a row."""
        return self.spans.timed(self.spans.row(name), function)

    def watch(self, runner: Runner) -> None:
        """Measure a run; call it last, when all others observe the run."""
        on_step = runner.on_step
        if runner.on_wait is not None:
            runner.on_wait = self.timed("windows", runner.on_wait)
            on_step = self.timed("windows", on_step)

        def look(simulation: Simulation) -> None:
            self._follow(runner, simulation)
            on_step(simulation)

        runner.on_step = look
        self._watch_server(runner)
        self._before(runner.controllers, "close", self.finish)
        self._follow(runner, runner.simulation)

    def watch_physics(self, simulation: Simulation) -> None:
        """Measure the steps of a simulation without its robots."""
        self._simulation = simulation
        self._time(simulation.physics, "step", ENGINE)
        replace(simulation, "step", self._counted(simulation.step))

    def finish(self) -> Report:
        """End the measurement; later calls return the same report."""
        if self._report is None:
            rows = self.spans.stop()
            elapsed_ns = sum(row.time_ns for row in rows)
            self._report = Report(self._steps, elapsed_ns, rows, self._processes.stop())
        return self._report

    def _start(self) -> None:
        """Begin with the first step: the time before is that of starting the controllers."""
        self._has_started = True
        self.spans.start()
        self._processes.start()
        if self._trace is not None:
            self._trace.start(self.spans.start_ns)
            self.spans.on_span = self._trace.add

    def _counted(self, step: Callable[[int], None]) -> Callable[[int], None]:
        timed = self.timed(STEP, step)

        def make(count: int = 1) -> None:
            if not self._has_started:
                self._start()
            timed(count)
            self._steps += count

        return make

    # What a run may replace between two steps: its world, and the list of its inline controllers.

    def _follow(self, runner: Runner, simulation: Simulation) -> None:
        if simulation is not self._simulation:
            self.watch_physics(simulation)
            self._robots.watch(simulation)
            self._watch_lockstep(runner)
        inline = runner.controllers.inline
        if inline is not self._inline:
            self._inline = inline
            if inline is not None:
                self._watch_inline(inline)

    def _watch_inline(self, inline: InlineControllers) -> None:
        resume, spans = inline.resume, self.spans

        def measure(controller: InlineController) -> None:
            spans.enter(spans.row(f"controller: {controller.session.robot.name}"))
            try:
                resume(controller)
            finally:
                spans.leave()

        replace(inline, "resume", measure)
        inline.makes_rounds = False

    def _watch_lockstep(self, runner: Runner) -> None:
        lockstep = runner.lockstep
        self._time(lockstep, "answer", PACKETS)
        add = lockstep.add

        def watched(*arguments: Any) -> ControllerSession:
            session = add(*arguments)
            self._watch_session(runner, session)
            return session

        replace(lockstep, "add", watched)
        for session in lockstep.sessions:
            self._watch_session(runner, session)

    def _watch_session(self, runner: Runner, session: ControllerSession) -> None:
        connect = session.connect

        def watched(*arguments: Any) -> None:
            connect(*arguments)
            self._watch_exchange(runner, session)

        replace(session, "connect", watched)
        if session.exchange is not None:
            self._watch_exchange(runner, session)

    def _watch_exchange(self, runner: Runner, session: ControllerSession) -> None:
        assert session.exchange is not None, "it has just connected"
        self._time(session.exchange, "feed", PACKETS)
        is_inline = any(task.session is session and task.is_inline for task in runner.controllers.tasks)
        if not is_inline:
            self._processes.watch(session)

    def _watch_server(self, runner: Runner) -> None:
        poll, spans = runner.server.poll, self.spans

        def measure(timeout: float | None = 0.0) -> bool:
            idle = IDLE[runner.simulation.mode] if runner.lockstep.is_ready else WAITING
            spans.enter(spans.row(PACKETS if timeout == 0 else idle))
            try:
                return poll(timeout)
            finally:
                spans.leave()

        replace(runner.server, "poll", measure)

    def _time(self, owner: object, name: str, row: str) -> None:
        replace(owner, name, self.timed(row, getattr(owner, name)))

    def _before(self, owner: object, name: str, first: Callable[[], object]) -> None:
        method = getattr(owner, name)

        def call() -> None:
            first()
            method()

        replace(owner, name, call)
