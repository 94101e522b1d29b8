"""Synchronizes simulation steps with controllers.

As in Webots, commands act when they arrive. Once every synchronous robot waits for the end of a step, the
physics makes one; then due sensors are sampled, and controllers whose step has ended are answered.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from wbridge.wbcore.controllers.exchange import SLACK_MS, ControllerExchange
from wbridge.wbcore.controllers.link_quality import IDEAL, LinkQuality
from wbridge.wbcore.robots.robot import Robot

if TYPE_CHECKING:
    from wbridge.wbcore.controllers.emulated_link import EmulatedLink
    from wbridge.wbcore.simulation import Simulation


class ControllerSession:
    """The connection state of one robot and its controller."""

    def __init__(
        self, robot: Robot, is_awaited: bool = False, make_link: Callable[[], EmulatedLink] | None = None
    ) -> None:
        """
        Args:
            robot: the robot of this session.
            is_awaited: the simulation waits for its controller, regardless of its field `synchronization`.
            make_link: makes the link of a controller; None: an ideal one.
        """
        self._make_link = make_link
        self.robot = robot
        self._is_awaited = is_awaited
        self.exchange: ControllerExchange | None = None
        self.send: Callable[[bytes], None] = _nowhere
        """Sends bytes to the controller."""
        self.tell: Callable[[float], bool] = _never
        """Delivers an answer at this time (ms) without a packet; False if that is not possible."""
        self.expected = False
        """A controller was started or will connect; the simulation waits for it if the robot is
        synchronous."""
        self.has_stepped: bool | None = None
        """True if the last controller made a step; None if none has connected yet."""

    @property
    def is_extern(self) -> bool:
        """True if the user starts the controller."""
        return self.robot.controller == "<extern>"

    @property
    def is_free(self) -> bool:
        """True when the simulation never waits for this robot's controller."""
        return not (self._is_awaited or self.robot.is_synchronous)

    @property
    def is_ready(self) -> bool:
        """True when the simulation need not wait for this robot."""
        if self.is_free:
            return True
        if self.exchange is None:
            return not self.expected
        return self.exchange.due is not None

    def connect(self, exchange: ControllerExchange, send: Callable[[bytes], None]) -> None:
        """Attach a controller."""
        self.exchange, self.send, self.expected = exchange, send, True
        if self._make_link is not None:
            exchange.link = self._make_link()

    def leave(self, expected: bool) -> None:
        """Detach the controller; `expected` is True if another one will connect."""
        if self.exchange is not None:
            self.has_stepped = self.exchange.asked is not None
        self.exchange, self.send, self.expected = None, _nowhere, expected
        self.tell = _never


class Lockstep:
    """Makes the steps of a simulation in lockstep with its controllers."""

    def __init__(
        self,
        simulation: Simulation,
        awaits_all: bool = False,
        quality: LinkQuality = IDEAL,
        seed: int = 0,
    ) -> None:
        """
        Args:
            simulation: the simulation to step.
            awaits_all: wait for all robots, regardless of their field `synchronization`.
            quality: of the links between controllers and robots.
            seed: of their delays and losses.
        """
        self.simulation = simulation
        self._awaits_all, self._quality, self._seed = awaits_all, quality, seed
        self.sessions = [self._session(robot) for robot in simulation.robots]

    def _session(self, robot: Robot) -> ControllerSession:
        if self._quality == IDEAL:
            return ControllerSession(robot, self._awaits_all)
        from wbridge.wbcore.controllers.emulated_link import EmulatedLink  # start-up: not for ideal links

        make_link = partial(EmulatedLink, robot, self._quality, self._seed)
        return ControllerSession(robot, self._awaits_all, make_link)

    def session(self, robot: Robot) -> ControllerSession:
        """The session of a robot."""
        return next(session for session in self.sessions if session.robot is robot)

    def has_controller(self, robot: Robot) -> bool:
        """True if a controller is connected; a robot being added or removed may have no session."""
        return any(session.robot is robot and session.exchange is not None for session in self.sessions)

    def add(self, robot: Robot) -> ControllerSession:
        """Add a session for a new robot."""
        session = self._session(robot)
        self.sessions.append(session)
        return session

    def remove(self, session: ControllerSession) -> None:
        """Remove the session of a removed robot."""
        self.sessions.remove(session)

    def awaited(self) -> list[ControllerSession]:
        """Sessions that the next step waits for."""
        return [session for session in self.sessions if not session.is_ready]

    @property
    def is_ready(self) -> bool:
        """True when the next step can be made."""
        for session in self.sessions:
            exchange = session.exchange
            if (exchange is None or exchange.due is None) and not session.is_ready:
                return False
        return True

    def step(self) -> None:
        """Make one basic time step, measure, and answer.

        Raises:
            UnstableError: a body is in an invalid state.
        """
        self.deliver()
        self.simulation.step()
        self.answer()

    def deliver(self) -> None:
        """Carry out the commands that have arrived over emulated links."""
        if self._quality != IDEAL:
            for session in self.sessions:
                if session.exchange is not None and session.exchange.link is not None:
                    session.exchange.link.deliver()

    def restart_time(self) -> None:
        """Adjust pending steps after simulated time has jumped."""
        for session in self.sessions:
            if session.exchange is not None:
                session.exchange.restart_time()

    def answer(self) -> None:
        """Sample the robots whose controllers wait, and answer those whose step has ended."""
        now = self.simulation.time_ms
        for session in self.sessions:
            exchange = session.exchange
            if exchange is None or (due := exchange.due) is None:
                continue
            robot = session.robot
            robot.sample(now)
            if exchange.link is not None:
                exchange.link.collect(now)
            if now >= due - SLACK_MS:
                if session.tell(now):
                    exchange.follow(exchange.asked, None)
                    continue
                packet = exchange.routine_answer(now)
                session.send(exchange.answer(now) if packet is None else packet)

    def quit(self) -> None:
        """Tell all controllers that the simulation ends."""
        for session in self.sessions:
            if session.exchange is not None:
                session.send(session.exchange.quit())


def _never(now: float) -> bool:
    """Answers need packets."""
    return False


def _nowhere(data: bytes) -> None:
    """Discard bytes while no controller is connected."""
