"""Steps of a simulation together with its controllers: who is waited for, and who is answered when.

The order is Webots': commands act when they arrive; when every synchronous robot waits for the end of a step,
the physics makes one; then due sensors are measured and those are answered whose step has ended.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from wbcore.controllers.link import SLACK_MS, Link
from wbcore.robots.robot import Robot

if TYPE_CHECKING:
    from wbcore.simulation import Simulation

__all__ = ["Lockstep", "Seat", "tell_events"]


class Seat:
    """A robot's place for a controller."""

    def __init__(self, robot: Robot, is_awaited: bool = False) -> None:
        """
        Args:
            robot: whose seat it is.
            is_awaited: the simulation waits for its controller, whatever its field `synchronization` says.
        """
        self.robot = robot
        self._is_awaited = is_awaited
        self.link: Link | None = None
        self.send: Callable[[bytes], None] = _nowhere
        """Gives bytes to the controller."""
        self.expected = False
        """A controller was started or is to connect from outside: a synchronous robot waits for it."""
        self.has_stepped: bool | None = None
        """The controller that was here last made a step; None: none was here yet."""

    @property
    def is_extern(self) -> bool:
        """True when the controller is started elsewhere."""
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
        if self.link is None:
            return not self.expected
        return self.link.due is not None

    def connect(self, link: Link, send: Callable[[bytes], None]) -> None:
        """A controller takes the seat."""
        self.link, self.send, self.expected = link, send, True

    def leave(self, expected: bool) -> None:
        """The controller is gone; `expected` tells whether another one is to come."""
        if self.link is not None:
            self.has_stepped = self.link.asked is not None
        self.link, self.send, self.expected = None, _nowhere, expected


class Lockstep:
    """Makes steps of a simulation with whoever sits in the seats."""

    def __init__(self, simulation: Simulation, awaits_all: bool = False) -> None:
        """
        Args:
            simulation: that makes the steps.
            awaits_all: wait for all robots, whatever their field `synchronization` says.
        """
        self.simulation = simulation
        self._awaits_all = awaits_all
        self.seats = [Seat(robot, awaits_all) for robot in simulation.robots]

    def seat(self, robot: Robot) -> Seat:
        """The seat of a robot."""
        return next(one for one in self.seats if one.robot is robot)

    def has_controller(self, robot: Robot) -> bool:
        """True when a controller is connected; a robot that comes or goes has no seat for a moment."""
        return any(one.robot is robot and one.link is not None for one in self.seats)

    def add(self, robot: Robot) -> Seat:
        """A seat for a robot that has come into the world."""
        seat = Seat(robot, self._awaits_all)
        self.seats.append(seat)
        return seat

    def remove(self, seat: Seat) -> None:
        """The robot of a seat has left the world."""
        self.seats.remove(seat)

    def awaited(self) -> list[Seat]:
        """Whom the next step waits for."""
        return [one for one in self.seats if not one.is_ready]

    @property
    def is_ready(self) -> bool:
        """True when the next step can be made."""
        for seat in self.seats:
            link = seat.link
            if (link is None or link.due is None) and not seat.is_ready:
                return False
        return True

    def step(self) -> None:
        """Make one basic time step, measure, and answer.

        Raises:
            UnstableError: the physics broke down.
        """
        self.simulation.step()
        self.answer()

    def restart_time(self) -> None:
        """The simulation went back, or on, to another time."""
        for seat in self.seats:
            if seat.link is not None:
                seat.link.restart_time()

    def answer(self) -> None:
        """Measure with robots whose controller waits; answer those whose step has ended."""
        now = self.simulation.time_ms
        for seat in self.seats:
            link = seat.link
            if link is None or (due := link.due) is None:
                continue
            robot = seat.robot
            robot.sample(now)
            if now >= due - SLACK_MS:
                packet = link.routine_answer(now)
                seat.send(link.answer(now) if packet is None else packet)

    def quit(self) -> None:
        """Tell all controllers that the simulation ends."""
        for seat in self.seats:
            if seat.link is not None:
                seat.send(seat.link.quit())


def tell_events(seats: Iterable[Seat]) -> float | None:
    """Wake controllers that wait for an event of the user, if it or the end of their time has come.

    Returns:
        seconds (real time) until this has to be called again; None: nobody waits.
    """
    soonest: float | None = None
    for seat in seats:
        left = seat.link.time_to_event if seat.link is not None else None
        if seat.link is None or left is None:
            continue
        if left == 0:
            seat.send(seat.link.event())
        elif soonest is None or left < soonest:
            soonest = left
    return soonest


def _nowhere(data: bytes) -> None:
    """Nobody is connected."""
