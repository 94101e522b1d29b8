"""A simulation whose robots are served over the robot link, in real time or step by step.

with Bridge(Simulation("worlds/two_wheels.wbt"), {"two wheels": ["tcp://127.0.0.1:8080"]}) as bridge:
    bridge.run()
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence

from wbridge.hal.closing import Closing
from wbridge.hal.link.messages import REASONS, REFUSED_TABLE
from wbridge.hal.link.server import Server
from wbridge.hal.link.slave import Slave, SlaveOptions
from wbridge.hal.link.transports import listen
from wbridge.hal.ready import readable
from wbridge.wbcore.bridge.listeners import Listeners
from wbridge.wbcore.bridge.sent_pictures import RAW, SentPictures
from wbridge.wbcore.bridge.simulated_robot import SimulatedRobot
from wbridge.wbcore.devices.camera import Camera
from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.simulation import Simulation
from wbridge.wbcore.world.pace import Pace

_LOG = logging.getLogger(__name__)
LISTEN_S = 0.05
"""Maximum time (s) between two checks of listeners without a file descriptor, and of watchdogs."""
POLL_S = 0.001
"""The same if no listener has a file descriptor (s)."""
_ADVICE = {
    REFUSED_TABLE: "its robot has other devices, or other values of them; build it for this world, or serve "
    "its world here",
}
"""Advice for a refusal, replacing the bare reason."""


class ServedRobot:
    """One robot of the simulation with its end of the link."""

    def __init__(
        self,
        robot: Robot,
        urls: Sequence[str],
        waits: bool,
        options: SlaveOptions | None = None,
        sent: SentPictures = RAW,
    ) -> None:
        """
        Raises:
            AddressError: a URL is invalid.
            ConnectionLost: an address is in use, or a broker is unreachable.
            MessageError: the robot is too large for the link.
        """
        self.side = SimulatedRobot(robot, waits, sent)
        prepare_pictures(robot)
        given = options or SlaveOptions(build="simulation")
        slave = Slave(self.side.table, self.side, given._replace(virtual=waits))
        listeners = []
        try:
            for url in urls:
                listeners.append(listen(url, self.side.table))
        except Exception:
            Listeners(listeners).close()
            raise
        self.urls = [listener.url for listener in listeners]
        """The URLs at which controllers reach it."""
        self.server = Server(listeners[0] if len(listeners) == 1 else Listeners(listeners), slave)
        self._was_driven, self._sessions = False, 0
        self._was_up = True
        self._sent_away: tuple[str, int] | None = None
        self._unasked: str | None = None

    @property
    def name(self) -> str:
        """Name of the robot."""
        return self.side.robot.name

    @property
    def is_driven(self) -> bool:
        """A controller has a session."""
        return self.server.slave.driven

    @property
    def has_begun(self) -> bool:
        """True if it has ever had a controller."""
        return self.server.slave.sessions > 0

    def tell_change(self) -> None:
        """Log that a controller has connected or left; it may have done both since the last call."""
        has_come, self._sessions = self.server.slave.sessions > self._sessions, self.server.slave.sessions
        for is_driven in (has_come or self._was_driven, self.is_driven):
            if is_driven != self._was_driven:
                self._was_driven = is_driven
                what = (
                    "a controller drives it"
                    if is_driven
                    else "its controller has left; its motors are stopped"
                )
                _LOG.info('robot "%s": %s', self.name, what)
        sent_away = self.server.slave.sent_away
        if sent_away != self._sent_away and sent_away is not None:
            build, reason = sent_away
            why = _ADVICE.get(reason, REASONS.get(reason, f"reason {reason}"))
            _LOG.warning('robot "%s": the controller "%s" is refused: %s', self.name, build, why)
        self._sent_away = sent_away
        self._tell_unasked()
        self._tell_broker()

    def _tell_broker(self) -> None:
        """Log that the connection to a broker was lost or restored."""
        is_up = all(getattr(pipe, "is_up", True) for pipe in self.server.pipes)
        if is_up != self._was_up:
            self._was_up = is_up
            what = "is connected again" if is_up else "is unreachable; trying to reconnect"
            _LOG.warning('robot "%s": the broker %s', self.name, what)

    def _tell_unasked(self) -> None:
        """Log, once per build, that a controller connected and left without any request."""
        slave = self.server.slave
        if slave.unasked == self._unasked:
            return
        self._unasked = slave.unasked
        options = slave.options
        _LOG.warning(
            'robot "%s": the controller "%s" connected but sent no request. A board with firmware of the '
            "flavor hil does so if messages (here: up to %d bytes, with reals of %d) do not match its "
            "hardware map; name that map: wbridge bridge ... --board MAP",
            *(self.name, slave.unasked, options.reply_limit, options.real),
        )


def prepare_pictures(robot: Robot) -> None:
    """Draw a first picture of each camera: it takes longer than the watchdogs of controllers allow."""
    for camera in robot.devices:
        if isinstance(camera, Camera):
            camera.prepare()


class Bridge(Closing):
    """Steps a simulation and serves its robots. Robots that are not served do not move."""

    def __init__(
        self,
        simulation: Simulation,
        urls: Mapping[str, Sequence[str]],
        speed: float | None = 1.0,
        options: SlaveOptions | None = None,
        sent: SentPictures = RAW,
    ) -> None:
        """
        Args:
            simulation: the simulation, which nothing else may step.
            urls: the URLs of each robot, by its name.
            speed: simulated seconds per second; None: time passes only in the steps of controllers, and
                begins when each robot has one; a robot whose controller has left is not waited for.
            options: options of the robots' ends of the link; by default, message size is unlimited.
            sent: how pictures travel.

        Raises:
            KeyError: a robot name is unknown.
            LinkError: see `ServedRobot`.
        """
        self.simulation = simulation
        self.on_step: Callable[[Simulation], object] = lambda simulation: None
        """Called after each step."""
        self.steps = 0
        """Number of steps made."""
        self.limit: int | None = None
        """Maximum number of basic time steps."""
        self._over = False
        self._pace = None if speed is None else Pace(simulation.step_s, speed, on_late=_late)
        self.robots: list[ServedRobot] = []
        try:
            for name, where in urls.items():
                robot = simulation.robots.find(name)
                if robot is None:
                    raise KeyError(name)
                self.robots.append(ServedRobot(robot, where, speed is None, options, sent))
        except BaseException:
            self.close()
            raise

    def run(self) -> None:
        """Serve until `end` is called or the limit is reached.

        Raises:
            UnstableError: a body is in an invalid state.
        """
        while not self._over and self.steps != self.limit:
            if self._is_time():
                self._step()
            self.listen(self._wait_s())

    def end(self) -> None:
        """Make `run` return; may be called from a signal handler."""
        self._over = True

    def close(self) -> None:
        """End all connections."""
        for robot in self.robots:
            robot.server.close()
        self.robots = []

    # Time.

    def _is_time(self) -> bool:
        """Return True if the next step is due: by the clock, or because all controllers wait for it."""
        if self._pace is not None:
            return self._pace.wait_s() == 0
        driven = [robot.side.due is not None for robot in self.robots if robot.is_driven]
        return bool(driven) and all(driven) and all(robot.has_begun for robot in self.robots)

    def _wait_s(self) -> float:
        if any(robot.server.has_unread() for robot in self.robots):
            return 0.0
        if self._pace is not None:
            return min(self._pace.wait_s(), LISTEN_S)
        return 0.0 if self._is_time() else LISTEN_S

    def _step(self) -> None:
        self.simulation.step()
        self.steps += 1
        if self._pace is not None:
            self._pace.step()
        now = self.simulation.time_ms
        for robot in self.robots:
            if robot.is_driven:
                robot.side.robot.sample(now)
            if robot.side.is_due(now):
                robot.side.due = None
                robot.server.finish()
        self.on_step(self.simulation)

    # Controllers.

    def listen(self, timeout: float) -> None:
        """Receive what controllers have sent; wait for it up to `timeout` s."""
        if timeout > 0:
            self._sleep(timeout)
        for robot in self.robots:
            robot.server.poll(0.0)
            robot.tell_change()

    def _sleep(self, timeout: float) -> None:
        """Wait until there may be something to do."""
        files = [number for robot in self.robots for number in robot.server.filenos()]
        if not all(robot.server.filenos() for robot in self.robots):
            timeout = min(timeout, POLL_S)
        if not files:
            time.sleep(timeout)
            return
        try:
            readable(files, timeout)
        except (OSError, ValueError):
            return  # one was closed meanwhile; its server will notice


def _late() -> None:
    _LOG.warning("warning: the simulation cannot keep up with real time")
