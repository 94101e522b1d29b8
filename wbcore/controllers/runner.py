"""A run: a world, its controllers, and the steps that they make together until it is over.

    with Runner(load_world("worlds/two_wheels.wbt"), RunOptions(seed=7)) as runner:
        runner.limit = 1000
        outcome = runner.run()
    print(outcome.status, runner.simulation.hash())

The runner is the host of its simulation: what supervisors wish for the run is noted when it comes and done
between two packets or two steps.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple

from hal.protocol.dialect import R2025A, Dialect
from wbcore.controllers.manager import ControllerManager, Ended
from wbcore.controllers.output import Output
from wbcore.controllers.server import Server
from wbcore.scene.load import LoadOptions, World, load_world
from wbcore.world.pace import MOST_LATE_S, Pace

if TYPE_CHECKING:
    from pathlib import Path

    from wbcore.controllers.lockstep import ControllerSession, Lockstep
    from wbcore.robots.robot import Robot
    from wbcore.simulation import Simulation

__all__ = ["Outcome", "RunOptions", "Runner"]

_LOG = logging.getLogger(__name__)
PAUSED, REAL_TIME, FAST = 0, 1, 2
PATIENCE_S = 3.0
"""After so long it is said who is waited for."""
INTERRUPTED = 130
IN_VAIN = "a controller was waited for in vain"
"""Why a run ended that had a limit for waiting."""
LOOK_S = 0.02
"""How often the sockets are looked at when no controller is waited for."""


@dataclass(frozen=True)
class RunOptions:
    """How to run."""

    speed: float | None = None
    """Simulated seconds per second; None: as fast as possible."""
    seed: int | None = None
    """In the place of WorldInfo's."""
    port: int | None = None
    host: str = "127.0.0.1"
    dialect: Dialect = R2025A
    """Of libraries that connect by TCP, or by the folder of R2023b and later."""
    inline: bool = False
    """Run Python controllers inside of this process."""
    synchronous: bool = False
    """Wait for the controllers of all robots, also of those whose field `synchronization` is FALSE."""
    timeout_s: float | None = None
    """Longest time to wait for controllers."""
    fail_on_error: bool = False
    """End with status 1 as soon as a controller fails."""
    controllers: Mapping[str, str] = field(default_factory=dict)
    """In the place of those in the world, by the name of the robot; "" is the only one."""
    variables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Added to the environment of controllers, by the name of the robot."""
    build: Callable[[Path], Path | None] | None = None
    """Called with the folder of a controller before its program is looked for there; raises CannotStart.
    Returns the folder with the library of the C API, where the program does not find it by itself."""
    output: Output = Output()
    load: LoadOptions = LoadOptions()


class Outcome(NamedTuple):
    """How a run ended."""

    status: int
    """For the process: what a supervisor asked for, 1 after a failure, 128 + n after signal n, else 0."""
    reason: str
    """In words."""
    steps: int
    """That were made; resets do not take them away."""
    controllers: list[Ended]
    """Controllers that have ended by themselves, or never started."""


class Runner:
    """Runs a world with its controllers."""

    ENDS_ATTENDED = False
    """With somebody who attends to it (`on_wait`), the run ends with its controllers all the same."""

    def __init__(self, world: World, options: RunOptions | None = None) -> None:
        """Start the controllers, and build the simulation while they start.

        Raises:
            OSError: the port is taken, or the instance's folder cannot be made.
            UnknownRobot: see RunOptions.controllers.
            WorldError: the world has errors.
        """
        self.options = options or RunOptions()
        self.on_step: Callable[[Simulation], object] = _nothing
        """Is called before the first step, and after each `look_every`th."""
        self.look_every = 1
        """A run in which somebody looks less often is faster (see wbcore.controllers.direct_stepping)."""
        self.on_wait: Callable[[], object] | None = None
        """Is called several times a second while no step is made: somebody attends to the run, may pause
        it and let it go on, so it has no end of its own."""
        self.speed = self.options.speed
        """Simulated seconds per second in the mode real time."""
        self._single_steps = 0
        self.limit: int | None = None
        """Most basic time steps; None: until the controllers have ended."""
        self.steps = 0
        """That were made."""
        self.elapsed_s = 0.0
        """Real time from the first step to the end."""
        self._start = 0.0
        self._outcome: tuple[int, str] | None = None
        self._requests: list[Callable[[], None]] = []
        self._restarting: dict[Robot, None] = {}
        self._next_look = 0.0
        self._pace: Pace | None = None
        self.server = Server(port=self.options.port, host=self.options.host, dialect=self.options.dialect)
        self.controllers = ControllerManager(self.server, self.options.output, self.options.inline)
        self.controllers.on_error, self.controllers.build = self._controller_failed, self.options.build
        if self.options.inline:
            from wbcore.controllers.direct_stepping import DirectStepping  # start-up: 100 ms for the engine

            self.controllers.direct_stepping = DirectStepping(self)
        try:
            self._open(world, self.options.controllers)
        except BaseException:
            self.close()
            raise

    def _open(self, world: World, controllers: Mapping[str, str]) -> None:
        """Start the controllers of a world and build its simulation."""
        seed = _seed_of(world, self.options.seed)
        if not world.report.errors:
            variables = {} if seed is None else {"WBRIDGE_SEED": str(seed)}
            self.controllers.start_all(
                world, controllers, variables=variables, of_robots=self.options.variables
            )
        from wbcore.controllers.lockstep import Lockstep  # start-up: 340 ms, in which the controllers start
        from wbcore.simulation import Simulation  # start-up: as Lockstep

        self.simulation = Simulation(world, seed)
        self.simulation.host = self
        self.simulation.mode = FAST if self.options.speed is None else REAL_TIME
        self.simulation.console = self._console
        self.lockstep: Lockstep = Lockstep(self.simulation, self.options.synchronous)
        self.controllers.attach_sessions(self.lockstep)
        self.mode_changed(self.simulation.mode)

    def _console(self, robot: Robot, text: str, is_error: bool) -> None:
        self.options.output.write(robot.name, text, is_error)

    # The loop.

    def run(self) -> Outcome:
        """Step until the run is over; controllers are ended then.

        Without a step, and with status 1, when there are controllers but none could be started: a result
        would not be what anybody wanted. Somebody who attends to the run may still drive the robots.

        Raises:
            UnstableError: the physics broke down.
        """
        try:
            self.on_step(self.simulation)
            if self.controllers.is_missing and self.on_wait is None:
                self.end(1, "no controller could be started")
            while self._outcome is None:
                self._step()
        except KeyboardInterrupt:
            self.end(INTERRUPTED, "interrupted")
        if self.steps:
            self.elapsed_s = time.perf_counter() - self._start
        self.controllers.close()
        status, reason = self._outcome or (0, "")
        return Outcome(status, reason, self.steps, self.controllers.ended)

    def _step(self) -> None:
        if self.steps == self.limit:
            self.end(0, "the time is over")
        elif self._await():
            if not self.steps:
                self._start = time.perf_counter()
            self.simulation.step()
            self.steps += 1
            self._single_steps = max(0, self._single_steps - 1)
            if self._pace is not None:
                self._pace.step()
            if self._requests:
                self._carry_out()
            self.answer_step()

    def answer_step(self) -> None:
        """A step has ended: measure, answer, and let others look."""
        if self._outcome is None:
            self.lockstep.answer()
        if self.steps % self.look_every == 0:
            self.on_step(self.simulation)

    def free_steps(self) -> tuple[int, float]:
        """How many steps a controller may make by itself, and for how long (s), as nobody looks on (see
        wbcore.controllers.direct_stepping); (0, 0) when each step is attended to."""
        if self._outcome is not None or self._requests or self._pace is not None or self.on_wait is not None:
            return 0, 0.0
        if not self.steps or self.simulation.mode != FAST or self.controllers.has_free:
            return 0, 0.0
        # The last step before somebody looks is not free.
        free = sys.maxsize if self.limit is None else self.limit - self.steps - 1
        if self.on_step is not _nothing:
            free = min(free, self.look_every - 1 - self.steps % self.look_every)
        return max(free, 0), self._next_look - time.monotonic()

    def _await(self) -> bool:
        """Listen to the controllers until the next step can be made; False when the run is over."""
        started, told = 0.0, False
        while True:
            self.controllers.poll()
            if self.on_wait is not None:
                self.on_wait()
            if self._requests:
                self._carry_out()
            if self._is_free() and self._is_time():
                return True
            if self.is_over:
                return False
            now = time.monotonic()
            started = started or now
            if not self.server.poll(self._pause_s()):
                self.controllers.reap()
            if self.lockstep.is_ready or self._is_given_up(now - started):
                continue
            if self._pace is not None and now - started > MOST_LATE_S:
                self._pace.pause()  # a controller that is slow, or is to come, makes no simulation late
            if not told and now - started >= PATIENCE_S:
                told = True
                _LOG.info("waiting for %s", self._awaited())

    def _is_free(self) -> bool:
        """True when the next step can be made; the run may also be over now."""
        now = time.monotonic()
        if now >= self._next_look or self.controllers.has_free:
            # Whoever is not waited for is heard here.
            self._next_look = now + LOOK_S
            self.server.poll(0)
        controllers = self.controllers
        if self.on_wait is not None and not self.ENDS_ATTENDED:
            is_paused = self.simulation.mode == PAUSED and not self._single_steps
            return self._outcome is None and not self._requests and self.lockstep.is_ready and not is_paused
        if controllers.had_any and not controllers.is_alive:
            self.end(0, "all controllers have ended")
        elif self.simulation.mode == PAUSED:
            self._end_if_stuck()
        elif self._outcome is None and not self._requests:
            return self.lockstep.is_ready and (controllers.is_working or not controllers.had_any)
        return False

    def _is_time(self) -> bool:
        return self._pace is None or self._pace.wait_s() == 0

    def _pause_s(self) -> float:
        """How long to listen at most."""
        longest = 0.5 if self.on_wait is None else LOOK_S
        if self._pace is not None and self.lockstep.is_ready and self.simulation.mode != PAUSED:
            return min(longest, self._pace.wait_s())
        limit = self.options.timeout_s
        return longest if limit is None else min(longest, max(limit, 0.01))

    def _is_given_up(self, waited: float) -> bool:
        limit = self.options.timeout_s
        if limit is None or waited < limit:
            return False
        _LOG.error("error: gave up after %g s of waiting for %s", limit, self._awaited())
        self.end(1, IN_VAIN)
        return True

    def _awaited(self) -> str:
        sessions = self.lockstep.awaited()
        found = [one.waiting_for() for one in self.controllers.tasks if one.session in sessions]
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        return ", ".join(found[:3]) + more

    def _end_if_stuck(self) -> None:
        """A paused simulation goes on only if a controller that computes says so."""
        if all(one.exchange is None or one.exchange.due is not None for one in self.lockstep.sessions):
            self.end(0, "a supervisor has paused the simulation")

    @property
    def is_over(self) -> bool:
        """True when no further step will be made."""
        return self._outcome is not None

    def end(self, status: int, reason: str) -> None:
        """Let the run be over, unless it is already."""
        if self._outcome is None:
            self._outcome = status, reason

    def close(self) -> None:
        """End all controllers, and remove what the run has left in the file system."""
        try:
            self.controllers.close()
        finally:
            self.server.close()

    def __enter__(self) -> Runner:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _controller_failed(self) -> None:
        if self.options.fail_on_error:
            self.end(1, "a controller has failed")

    # Requests of supervisors (see wbcore.robots.simulation_host.SimulationHost).

    def _carry_out(self) -> None:
        requests, self._requests = self._requests, []
        for request in requests:
            if self._outcome is None:
                request()

    def quit(self, status: int) -> None:
        """End the run with a status."""
        self._requests.append(lambda: self.end(status & 0xFF, "a supervisor has ended the simulation"))

    def reload(self) -> None:
        """Load the same world again, with new controllers."""
        self.load_world(self.simulation.world.path)

    def load_world(self, path: str) -> None:
        """Load another world."""
        self._requests.append(lambda: self._exchange(path))

    def _exchange(self, path: str) -> None:
        self.controllers.end_all()
        self.server.instance.mark_loading(True)
        try:
            is_same = os.path.abspath(path) == os.path.abspath(self.simulation.world.path)
            world = load_world(path, self.options.load)
            self._open(world, self.options.controllers if is_same else {})
        finally:
            self.server.instance.mark_loading(False)
        self._requests.clear()
        self.on_step(self.simulation)

    def restart_controller(self, robot: Robot) -> None:
        """End the robot's controller and start it again."""
        self._restarting[robot] = None
        self._requests.append(lambda: self._restart(robot))

    def _restart(self, robot: Robot) -> None:
        """Once, however often it was wished for."""
        if robot in self._restarting:
            del self._restarting[robot]
            self._with_session(robot, self.controllers.restart)

    def was_reset(self) -> None:
        """The simulation is back at time 0; pending steps go on."""
        self.lockstep.restart_time()

    def mode_changed(self, mode: int) -> None:
        """Follow the mode: real time has a schedule."""
        self._pace = None
        if mode == REAL_TIME:
            speed = self.speed or 1.0
            self._pace = Pace(self.simulation.step_s, speed, on_late=self._late)

    def play(self, speed: float | None) -> None:
        """Go on, at so many simulated seconds per second; None: as fast as possible."""
        self.speed, self._single_steps = speed, 0
        self.simulation.set_mode(FAST if speed is None else REAL_TIME)

    def play_step(self) -> None:
        """Make one step, and pause."""
        self._single_steps = 1
        if self.simulation.mode != PAUSED:
            self.simulation.set_mode(PAUSED)

    def start_again(self) -> None:
        """Reset the world and restart all controllers."""
        self.simulation.reset()
        self.was_reset()
        for session in self.lockstep.sessions:
            self.restart_controller(session.robot)

    def _late(self) -> None:
        _LOG.warning("warning: the simulation cannot keep up with real time")

    def robot_added(self, robot: Robot) -> None:
        """Give a robot that came into the world a session and its controller."""
        self._requests.append(lambda: self.controllers.add(self.lockstep.add(robot), self.simulation.world))

    def robot_removed(self, robot: Robot) -> None:
        """End the controller of a robot that has left the world."""
        self._requests.append(lambda: self._with_session(robot, self._drop))

    def _drop(self, session: ControllerSession) -> None:
        self.controllers.remove(session)
        self.lockstep.remove(session)

    def _with_session(self, robot: Robot, work: Callable[[ControllerSession], None]) -> None:
        """Do something with a robot's session, unless the robot has left meanwhile."""
        for session in self.lockstep.sessions:
            if session.robot is robot:
                work(session)
                return


def _nothing(simulation: Simulation) -> None:
    """Nobody looks on."""


def _seed_of(world: World, given: int | None) -> int | None:
    """The seed of a run, which controllers are told, too; None: a world without WorldInfo names none."""
    info = world.first("WorldInfo")
    if given is not None or info is None:
        return given
    from wbcore.physics.settings import seed_of  # start-up: 100 ms with the engine, not for a given seed

    return seed_of(int(info.get("randomSeed")))
