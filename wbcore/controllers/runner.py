"""A run: steps a world together with its controllers until it ends.

    with Runner(load_world("worlds/two_wheels.wbt"), RunOptions(seed=7)) as runner:
        runner.limit = 1000
        outcome = runner.run()
    print(outcome.status, runner.simulation.hash())

The runner is the host of its simulation: it queues requests of supervisors for the run and carries them out
between two packets or two steps.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from wbridge.hal.closing import Closing
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.hal.protocol.names import TOKEN_VARIABLE
from wbridge.wbcore.controllers.admission import Admission
from wbridge.wbcore.controllers.launcher import Launcher
from wbridge.wbcore.controllers.link_quality import IDEAL, LinkQuality
from wbridge.wbcore.controllers.manager import ControllerManager, Ended
from wbridge.wbcore.controllers.no_server import NoServer
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.server import Server
from wbridge.wbcore.physics.seed import seed_of
from wbridge.wbcore.physics_plugins.options import PluginOptions
from wbridge.wbcore.scene.checks import checked, load_checked
from wbridge.wbcore.scene.load import LoadOptions, World
from wbridge.wbcore.world.pace import MOST_LATE_S, Pace

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.lockstep import ControllerSession, Lockstep
    from wbridge.wbcore.robots.robot import Robot
    from wbridge.wbcore.simulation import Simulation

__all__ = ["Outcome", "RunOptions", "Runner", "StepActor"]

_LOG = logging.getLogger(__name__)
PAUSED, REAL_TIME, FAST = 0, 1, 2
PATIENCE_S = 3.0
"""Time (s) after which the run reports who it is waiting for."""
INTERRUPTED = 130
WAIT_TIMED_OUT = "timed out waiting for a controller"
"""The reason for the end of a run whose wait timed out."""
LOOK_S = 0.02
"""Interval (s) at which the sockets are polled if no controller is waited for."""
IDLE_S, IDLE_SHARE = 0.02, 0.7
"""Devices load what they may need after waiting for the first step this long: IDLE_S seconds, or IDLE_SHARE
of the time that building the simulation took, whichever is longer. Controllers that take so long to start
mostly load large modules, to use these devices."""


@dataclass(frozen=True)
class RunOptions:
    """Options of a run."""

    speed: float | None = None
    """Simulated seconds per second; None: as fast as possible."""
    seed: int | None = None
    """Replaces WorldInfo's seed."""
    threads: int | None = None
    """Maximum number of threads of the physics, instead of WorldInfo's."""
    solver: str | None = None
    """Solver of exact steps (see wbridge.wbcore.physics.solvers)."""
    port: int | None = None
    host: str = "127.0.0.1"
    admission: Admission | None = None
    """Who may connect; None: this user's programs on this computer, and those with a random token."""
    dialect: Dialect = R2025A
    """Dialect of libraries that connect by TCP, or by the folder of R2023b and later."""
    serves_on_demand: bool = False
    """Open the port only for a controller in a process of its own: for programs with many runs."""
    inline: bool = False
    """Run Python controllers inside this process."""
    wait: Callable[[float], object] | None = None
    """Waits for a time (s) where there are no sockets, as in a web page; all controllers then run inside."""
    synchronous: bool = False
    """Wait for the controllers of all robots, even if their field `synchronization` is FALSE."""
    link: LinkQuality = IDEAL
    """Delays and losses between controllers and their robots."""
    timeout_s: float | None = None
    """Maximum time to wait for controllers (s)."""
    fail_on_error: bool = False
    """End with status 1 as soon as a controller fails."""
    controllers: Mapping[str, str] = field(default_factory=dict)
    """Controllers that replace those in the world, by robot name; "" is the only robot."""
    variables: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """Variables added to the environment of controllers, by robot name."""
    launcher: Launcher = Launcher()
    build: Callable[[Path], Path | None] | None = None
    """Called with a controller's folder before its program is searched there; raises CannotStart. Returns the
    folder of the C API library if the program does not find it by itself."""
    plugin: PluginOptions | None = None
    """How to load the physics plugin; None: only if it is built."""
    output: Output = Output()
    load: LoadOptions = LoadOptions()
    has_windows: bool = False
    """Pages show the run, and the pictures for which controllers open windows of their own."""
    view_size: tuple[int, int] = (1280, 720)
    """Width and height of exported pictures of the main view (pixels)."""
    has_fine_looks: bool = False
    """Whether people see soft shadows, light from the sky that is seen, and a tone map as of film."""
    has_fine_cameras: bool = False
    """Whether cameras of robots see the same."""


class Outcome(NamedTuple):
    """The result of a run."""

    status: int
    """Exit status: as requested by a supervisor, 1 after a failure, 128 + n after signal n, else 0."""
    reason: str
    """In words."""
    steps: int
    """Steps made, including those before a reset."""
    controllers: list[Ended]
    """Controllers that ended by themselves or never started."""


class StepActor(Protocol):
    """Acts in each step of a run, from outside of the world."""

    def before_step(self) -> None:
        """Act when the next step is due, before the requests of supervisors."""

    def after_step(self) -> None:
        """Act after a step, before controllers are answered."""

    def was_reset(self) -> None:
        """React to a reset of the simulation."""


class Runner(Closing):
    """Runs a world with its controllers."""

    ENDS_ATTENDED = False
    """If True, a run with an observer (`on_wait`) also ends when its controllers have ended."""

    def __init__(
        self, world: World, options: RunOptions | None = None, simulation: Simulation | None = None
    ) -> None:
        """Start the controllers, and build the simulation while they start.

        Args:
            world: the world.
            options: of the run.
            simulation: of the world, if it has been built.

        Raises:
            OSError: the port is in use, or the instance's folder cannot be created.
            UnknownRobot: see RunOptions.controllers.
            WorldError: the world has errors.
        """
        self.options = options or RunOptions()
        self.on_step: Callable[[Simulation], object] = _nothing
        """Called before the first step, and after every `look_every`th step."""
        self.look_every = 1
        """Larger intervals make a run faster (see wbridge.wbcore.controllers.direct_stepping)."""
        self.actors: list[StepActor] = []
        """What acts in each step."""
        self.on_wait: Callable[[], object] | None = None
        """Called several times a second while no step is made: for an observer that may pause and resume the
        run, which therefore has no end of its own."""
        self.speed = self.options.speed
        """Simulated seconds per second in real-time mode."""
        self._single_steps = 0
        self.limit: int | None = None
        """Maximum number of basic time steps; None: until the controllers have ended."""
        self.steps = 0
        """Number of steps made."""
        self.elapsed_s = 0.0
        """Real time from the first step to the end (s)."""
        self._start = 0.0
        self._outcome: tuple[int, str] | None = None
        self._requests: list[Callable[[], None]] = []
        self._restarting: dict[Robot, None] = {}
        self._next_look = 0.0
        self._idle_s = IDLE_S
        self._may_load = False
        """True until devices have loaded what they may need, if they have something to load."""
        self._pace: Pace | None = None
        self.server = _server(self.options)
        self.controllers = ControllerManager(self.server, self.options.output, self.options.inline)
        self.controllers.on_error, self.controllers.build = self._controller_failed, self.options.build
        try:
            if self.options.inline:
                from wbridge.wbcore.controllers.direct_stepping import DirectStepping  # start-up: 100 ms

                self.controllers.direct_stepping = DirectStepping(self)
            self._open(checked(world), self.options.controllers, simulation)
        except BaseException:
            self.close()
            raise

    def _window_variables(self) -> dict[str, str]:
        """Return the variable by which controllers know that windows show their pictures."""
        return {"WBRIDGE_WINDOWS": "1"} if self.options.has_windows else {}

    def _open(self, world: World, controllers: Mapping[str, str], built: Simulation | None = None) -> None:
        """Start the controllers of a world and build its simulation."""
        seed = _seed_of(world, self.options.seed)
        if not world.report.errors:
            variables = {} if seed is None else {"WBRIDGE_SEED": str(seed)}
            variables |= self._window_variables()
            variables[TOKEN_VARIABLE] = self.server.admission.token
            self.controllers.start_all(
                world,
                controllers,
                variables=variables,
                of_robots=self.options.variables,
                launcher=self.options.launcher,
            )
        started = time.monotonic()
        from wbridge.wbcore.controllers.lockstep import (
            Lockstep,  # start-up: 340 ms, in which the controllers start
        )
        from wbridge.wbcore.simulation import Simulation  # start-up: as Lockstep

        options = self.options
        self.simulation = built or Simulation(world, seed, plugin=options.plugin, solver=options.solver)
        if self.options.threads is not None:
            self.simulation.physics.use_threads(self.options.threads)
        self.simulation.host = self
        self.simulation.mode = FAST if self.options.speed is None else REAL_TIME
        self.simulation.console = self._console
        self.simulation.view_size = self.options.view_size
        self.simulation.has_fine_looks = self.options.has_fine_looks
        self.simulation.has_fine_cameras = self.options.has_fine_cameras
        quality, synchronous = self.options.link, self.options.synchronous
        self.lockstep: Lockstep = Lockstep(self.simulation, synchronous, quality, seed or 0)
        self.controllers.attach_sessions(self.lockstep)
        self.mode_changed(self.simulation.mode)
        self._idle_s = max(IDLE_S, IDLE_SHARE * (time.monotonic() - started))
        self._may_load = True

    def _console(self, robot: Robot, text: str, is_error: bool) -> None:
        self.options.output.write(robot.name, text, is_error)

    # The loop.

    def run(self) -> Outcome:
        """Step until the run ends, then end the controllers.

        If there are controllers but none could be started, it makes no step and ends with status 1, because
        the result would be meaningless. With an observer the run continues: windows may still drive the
        robots.

        Raises:
            UnstableError: a body is in an invalid state.
            PluginError: the physics plugin has failed.
        """
        try:
            self.on_step(self.simulation)
            if self.controllers.is_missing and self.on_wait is None:
                self.end(1, "no controller could be started")
            while self._outcome is None:
                self._step()
        except KeyboardInterrupt:
            self.end(INTERRUPTED, "interrupted")
        finally:
            self.simulation.close()
        if self.steps:
            self.elapsed_s = time.perf_counter() - self._start
        self.controllers.close()
        status, reason = self._outcome or (0, "")
        return Outcome(status, reason, self.steps, self.controllers.ended)

    def _step(self) -> None:
        if self.steps == self.limit:
            self.end(0, "reached the requested time")
        elif self._await():
            self._make_step()

    def _make_step(self) -> None:
        if not self.steps:
            self._start = time.perf_counter()
        for actor in self.actors:
            actor.before_step()
        self.lockstep.deliver()
        self.simulation.step()
        self.steps += 1
        for actor in self.actors:
            actor.after_step()
        self._single_steps = max(0, self._single_steps - 1)
        if self._pace is not None:
            self._pace.step()
        if self._requests:
            self._carry_out()
        self.answer_step()

    def advance(self, steps: int = 1) -> bool:
        """Make steps until the controllers wait for another one: for programs that act between steps, in
        place of `run`.

        Args:
            steps: number of basic time steps; 0: only serve the controllers until they wait.

        Returns:
            False if the run has ended; `ending` tells why.

        Raises:
            UnstableError: a body is in an invalid state.
            PluginError: the physics plugin has failed.
        """
        for _ in range(steps):
            self.limit = self.steps + 1  # no controller may make steps by itself
            if not self._await():
                return False
            self._make_step()
        self.limit = self.steps
        return self._await()

    @property
    def ending(self) -> str:
        """Why the run has ended; "" while it runs."""
        return "" if self._outcome is None else self._outcome[1]

    def answer_step(self) -> None:
        """Finish a step: sample sensors, answer controllers, notify observers."""
        if self._outcome is None:
            self.lockstep.answer()
        if self.steps % self.look_every == 0:
            self.on_step(self.simulation)

    def free_steps(self) -> tuple[int, float]:
        """Return how many steps a controller may make by itself, and for how long (s), because nothing
        observes the run (see wbridge.wbcore.controllers.direct_stepping); (0, 0) if each step is observed."""
        if self._outcome is not None or self._requests or self._pace is not None:
            return 0, 0.0
        if self.on_wait is not None or self.actors:
            return 0, 0.0
        if not self.steps or self.simulation.mode != FAST or self.controllers.has_free:
            return 0, 0.0
        # The last step before an observation is not free.
        free = sys.maxsize if self.limit is None else self.limit - self.steps - 1
        if self.on_step is not _nothing:
            free = min(free, self.look_every - 1 - self.steps % self.look_every)
        return max(free, 0), self._next_look - time.monotonic()

    def look(self) -> None:
        """Serve the controllers that are not waited for."""
        self._next_look = time.monotonic() + LOOK_S
        self.server.poll(0)

    def _await(self) -> bool:
        """Serve the controllers until the next step can be made; return False if the run has ended."""
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
                self._load_ahead(time.monotonic() - started)
            if self.lockstep.is_ready or self._is_given_up(now - started):
                continue
            if self._pace is not None and now - started > MOST_LATE_S:
                self._pace.pause()  # a slow or missing controller does not count as a late simulation
            if not told and now - started >= PATIENCE_S:
                told = True
                _LOG.info("waiting for %s", self._awaited())

    def _is_free(self) -> bool:
        """Return True if the next step can be made; the run may also end here."""
        now = time.monotonic()
        if now >= self._next_look or self.controllers.has_free:
            self.look()
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

    def _load_ahead(self, waited: float) -> None:
        """Let devices load what they may need, if the controllers take long to start."""
        if not self._may_load or self.simulation.steps or waited < self._idle_s:
            return
        self._may_load = False
        for robot in self.simulation.robots:
            for device in robot.devices:
                device.load_ahead()

    def _pause_s(self) -> float:
        """Return the maximum time to wait for controllers (s)."""
        longest = 0.5 if self.on_wait is None else LOOK_S
        if self._may_load and not self.simulation.steps:
            longest = min(longest, self._idle_s)
        if self._pace is not None and self.lockstep.is_ready and self.simulation.mode != PAUSED:
            return min(longest, self._pace.wait_s())
        limit = self.options.timeout_s
        return longest if limit is None else min(longest, max(limit, 0.01))

    def _is_given_up(self, waited: float) -> bool:
        limit = self.options.timeout_s
        if limit is None or waited < limit:
            return False
        _LOG.error("error: gave up after %g s of waiting for %s", limit, self._awaited())
        self.end(1, WAIT_TIMED_OUT)
        return True

    def _awaited(self) -> str:
        sessions = self.lockstep.awaited()
        found = [task.waiting_for() for task in self.controllers.tasks if task.session in sessions]
        more = f" and {len(found) - 3} more" if len(found) > 3 else ""
        return ", ".join(found[:3]) + more

    def _end_if_stuck(self) -> None:
        """End a paused run unless a computing controller can resume it."""
        if all(
            session.exchange is None or session.exchange.due is not None for session in self.lockstep.sessions
        ):
            self.end(0, "a supervisor has paused the simulation")

    @property
    def is_over(self) -> bool:
        """True if no further step will be made."""
        return self._outcome is not None

    def end(self, status: int, reason: str) -> None:
        """End the run, unless it has already ended."""
        if self._outcome is None:
            self._outcome = status, reason

    def close(self) -> None:
        """End all controllers, and remove the run's files."""
        try:
            self.controllers.close()
        finally:
            self.server.close()

    def _controller_failed(self) -> None:
        if self.options.fail_on_error:
            self.end(1, "a controller has failed")

    # Requests of supervisors (see wbridge.wbcore.robots.simulation_host.SimulationHost).

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
        self.server.mark_loading(True)
        try:
            is_same = os.path.abspath(path) == os.path.abspath(self.simulation.world.path)
            load = self.options.load if is_same else replace(self.options.load, fields={})
            world = load_checked(path, load)
            self.simulation.close()
            self._open(world, self.options.controllers if is_same else {})
        finally:
            self.server.mark_loading(False)
        self._requests.clear()
        self.on_step(self.simulation)

    def restart_controller(self, robot: Robot) -> None:
        """End the robot's controller and start it again."""
        self._restarting[robot] = None
        self._requests.append(lambda: self._restart(robot))

    def _restart(self, robot: Robot) -> None:
        """Restart a controller once, however often it was requested."""
        if robot in self._restarting:
            del self._restarting[robot]
            self._with_session(robot, self.controllers.restart)

    def was_reset(self) -> None:
        """Adjust pending steps: the simulation is back at time 0."""
        self.lockstep.restart_time()
        for actor in self.actors:
            actor.was_reset()

    def mode_changed(self, mode: int) -> None:
        """Apply the mode; only real time has a schedule."""
        self._pace = None
        if mode == REAL_TIME:
            speed = self.speed or 1.0
            self._pace = Pace(self.simulation.step_s, speed, on_late=self._late)

    def play(self, speed: float | None) -> None:
        """Resume at this many simulated seconds per second; None: as fast as possible."""
        self.speed, self._single_steps = speed, 0
        self.simulation.set_mode(FAST if speed is None else REAL_TIME)

    def play_step(self) -> None:
        """Make one step and pause."""
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
        """Create a session and start the controller for a robot added to the world."""
        self._requests.append(lambda: self.controllers.add(self.lockstep.add(robot), self.simulation.world))

    def robot_removed(self, robot: Robot) -> None:
        """End the controller of a robot removed from the world."""
        self._requests.append(lambda: self._with_session(robot, self._drop))

    def _drop(self, session: ControllerSession) -> None:
        self.controllers.remove(session)
        self.lockstep.remove(session)

    def _with_session(self, robot: Robot, work: Callable[[ControllerSession], None]) -> None:
        """Call `work` with a robot's session, unless the robot has been removed."""
        for session in self.lockstep.sessions:
            if session.robot is robot:
                work(session)
                return


def _server(options: RunOptions) -> Server:
    """Return what the controllers of a run connect to."""
    if options.wait is not None:
        return NoServer(options.wait)
    return Server(
        port=options.port,
        host=options.host,
        dialect=options.dialect,
        on_demand=options.serves_on_demand,
        admission=options.admission,
    )


def _nothing(simulation: Simulation) -> None:
    """Ignore a step: the run has no observer."""


def _seed_of(world: World, given: int | None) -> int | None:
    """Return the seed of a run, which controllers also receive; None for a world without WorldInfo."""
    info = world.first("WorldInfo")
    if given is not None or info is None:
        return given
    return seed_of(int(info.get("randomSeed")))
