"""All controllers of a run: starting, watching, restarting and ending them."""

from __future__ import annotations

import logging
import signal
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TextIO, cast

from wbcore.controllers.environment import arguments_of
from wbcore.controllers.kinds import CannotStart
from wbcore.controllers.output import Stream
from wbcore.controllers.station import Station
from wbcore.scene.absent import NO_CONTROLLER, AbsentRobot, absent_robots
from wbcore.scene.diagnostics import did_you_mean
from wbcore.scene.load import World
from wbcore.scene.node import Node
from wbcore.tables.device_tables import robots as robot_nodes

if TYPE_CHECKING:
    from pathlib import Path

    from wbcore.controllers.inline import InlineControllers
    from wbcore.controllers.lane import Lane
    from wbcore.controllers.lockstep import Lockstep, Seat
    from wbcore.controllers.output import Output
    from wbcore.controllers.process import Process
    from wbcore.controllers.server import Server

__all__ = ["Crew", "Ended", "UnknownRobot"]

_LOG = logging.getLogger(__name__)
GRACE_S = 1.0
"""What a controller has for its end after it was told, as in Webots."""
TERMINATION_S = 0.5
"""From the polite signal to the one that cannot be refused."""
LOCAL_KINDS = ("Python",)


class UnknownRobot(ValueError):
    """A controller was given to a robot that the world does not have."""


class Ended(NamedTuple):
    """How a controller ended."""

    robot: str
    controller: str
    exit_code: int | None
    """None: it never started."""

    @property
    def is_error(self) -> bool:
        """True when it did not start, or ended with another code than 0."""
        return self.exit_code != 0


class Crew:
    """The controllers of all robots. `hire` starts processes as soon as a world is read, `take_seats` brings
    them together with the robots of the simulation, `tend` is called whenever something may have happened."""

    def __init__(self, server: Server, output: Output, inline: bool = False) -> None:
        self.server = server
        self.output = output
        self.stations: list[Station] = []
        self.files: dict[str, Path] = {}
        """The files of the controllers that were started here, by the names of their robots."""
        self.ended: list[Ended] = []
        self.on_error: Callable[[], object] = lambda: None
        """Is called when a controller could not be started, or has failed."""
        self.build: Callable[[Path], Path | None] | None = None
        """See `RunOptions.build`."""
        self.had_any = False
        """There was a controller to wait for."""
        self.is_alive = False
        """Not all controllers have ended."""
        self.is_working = False
        """A controller takes part in the simulation, or is about to."""
        self.has_free = False
        """A robot is not waited for, so that it is heard only when the sockets are looked at."""
        self._wants_inline = inline
        self.lane: Lane | None = None
        """Makes steps for the only controller, if it runs inside of this process."""
        self._inline: InlineControllers | None = None
        self._leaving: set[Process] = set()
        server.on_connect, server.on_leave = self._connected, self._left

    @property
    def is_inside(self) -> bool:
        """True when controllers run in this process."""
        return self._inline is not None

    @property
    def is_missing(self) -> bool:
        """True when controllers were to start, and none could."""
        return bool(self.ended) and not self.had_any

    # Coming.

    def hire(
        self,
        world: World,
        instead: Mapping[str, str] | None = None,
        only: Node | None = None,
        variables: Mapping[str, str] | None = None,
        gateway: tuple[str, ...] = (),
        of_robots: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Start the controllers of a world that has just been read.

        Args:
            world: without errors.
            instead: controllers that take the place of those in the world, by the name of the robot.
            only: the only robot whose controller is started; None: all.
            variables: what is added to their environment.
            of_robots: more of that, by the name of the robot.
            gateway: starts those that are not in Python (see `Station.gateway`).

        Raises:
            UnknownRobot: the world has no robot of such a name.
        """
        nodes = robot_nodes(world.nodes) if only is None else [only]
        self.stations = [Station(node, world) for node in nodes]
        for one in self.stations:
            one.variables |= {**(variables or {}), **(of_robots or {}).get(one.robot, {})}
            one.gateway = gateway
        absent = absent_robots(world) if only is None else []
        for name, controller in (instead or {}).items():
            if name not in {one.name for one in absent}:
                self._replace(name, controller)
        for one in self.stations:
            self._engage(one)
        for robot in absent:
            self._miss(robot, (instead or {}).get(robot.name, robot.controller))
        self._update()

    def _miss(self, robot: AbsentRobot, controller: str) -> None:
        """A stand-in cannot be controlled: say so, unless nobody wants to."""
        if controller not in NO_CONTROLLER:
            stand_in = f'robot "{robot.name}" is a stand-in, as its model {robot.model} is missing'
            _LOG.error('error: %s: its controller "%s" does not run', stand_in, controller)
            self.ended.append(Ended(robot.name, controller, None))
            self.on_error()

    def _replace(self, name: str, controller: str) -> None:
        chosen = [one for one in self.stations if one.robot == name or (not name and len(self.stations) == 1)]
        if not chosen:
            names = [one.robot for one in self.stations]
            known = ", ".join(f'"{one}"' for one in names) or "none"
            ask = f"which robot is meant has to be said, ROBOT={controller}"
            what = f'there is no robot "{name}"' if name else ask
            raise UnknownRobot(f"{what}; the robots are {known}{did_you_mean(name, names)}")
        for one in chosen:
            one.node.set("controller", controller)

    def _engage(self, station: Station) -> None:
        """Open the door for a station's controller, and start it unless it is started elsewhere."""
        if station.controller in ("<none>", "none"):
            return
        station.door = self.server.offer(station.robot, "extern" if station.is_extern else "intern")
        station.door.seat = station.seat
        station.has_left = station.is_dismissed = False
        station.build = self.build
        if station.is_extern:
            station.is_awaited = self.had_any = True
        elif not station.needs_none:
            self._start(station)

    def _start(self, station: Station) -> None:
        try:
            if self._starts_inside(station):
                return
            program = station.start(self.server.instance.folder, self.output)
        except CannotStart as problem:
            _LOG.error('error: robot "%s" has no controller: %s', station.robot, problem)
            self.ended.append(Ended(station.robot, station.controller, None))
            self.on_error()
            return
        finally:
            self._tell_warnings(station)
        self.had_any = True
        self._watch(station)
        self.files[station.robot] = program.file
        _LOG.info('robot "%s": %s (%s)', station.robot, program.file, program.kind.LABEL)

    def _watch(self, station: Station) -> None:
        process = station.process
        assert process is not None
        self.server.watch_file(process.end_file, lambda: self._exited(station, process))
        for pump in process.pumps:
            self.server.watch_file(pump.file, pump.pump)
            pump.on_end = partial(self.server.forget_file, pump.file)

    def _starts_inside(self, station: Station) -> bool:
        """Keep a controller for this process, if it can run here."""
        if not self._wants_inline:
            return False
        program = station.program()
        if program.kind.LABEL not in LOCAL_KINDS:
            return False
        station.is_inline = self.had_any = True
        if station.seat is not None:
            self._start_inside(station, station.seat)
        return True

    def _start_inside(self, station: Station, seat: Seat) -> None:
        from wbcore.controllers.inline import InlineControllers  # start-up: 13 ms, not for processes

        if self._inline is None:
            self._inline = InlineControllers(self._ended_inside, self.lane)
        program = station.program()
        variables = station.own_variables(program)
        out, err = self._streams(station.robot)
        arguments = arguments_of(station.node)
        self._inline.start(seat, program.file, arguments, environment=variables, stdout=out, stderr=err)
        self._tell_warnings(station)
        self.files[station.robot] = program.file
        _LOG.info('robot "%s": %s (%s, inline)', station.robot, program.file, program.kind.LABEL)

    def _tell_warnings(self, station: Station) -> None:
        for warning in station.warnings:
            _LOG.warning("warning: %s", warning)
        station.warnings.clear()

    def _streams(self, robot: str) -> tuple[TextIO | None, TextIO | None]:
        """Where a controller inside of this process prints; None: where this process does."""
        if not self.output.is_changed:
            return None, None
        return cast(TextIO, Stream(self.output, robot, False)), cast(TextIO, Stream(self.output, robot, True))

    def take_seats(self, lockstep: Lockstep) -> None:
        """Bring the controllers together with the robots of the simulation."""
        self.server.seats = lockstep.seats
        for station, seat in zip(self.stations, lockstep.seats, strict=True):
            station.follow(seat)
            if station.is_inline:
                self._start_inside(station, seat)
        self._update()

    def add(self, seat: Seat, world: World) -> None:
        """A robot has come into the world: start its controller."""
        station = Station(seat.robot.node, world)
        station.seat = seat
        self.stations.append(station)
        self._engage(station)
        station.follow(seat)
        self._update()

    def _update(self) -> None:
        self.is_alive = any(one.is_alive for one in self.stations)
        self.is_working = any(one.is_working for one in self.stations)
        seats = [one.seat for one in self.stations if one.seat is not None and one.is_working]
        self.has_free = any(one.is_free for one in seats)

    # Going on.

    def tend(self) -> None:
        """Let controllers inside of this process run, and part with those whose process has ended."""
        if self._inline is not None:
            self._inline.pump()

    def bury(self) -> None:
        """Nothing has come: end the connections of processes that are no more.

        Something that such a process has started may still hold its connection open.
        """
        for one in self.stations:
            if one.process is not None and one.process.exit_code is not None and one.seat is not None:
                self.server.dismiss(one.seat)

    def _connected(self, seat: Seat) -> None:
        station = self._station(seat)
        if station is not None:
            station.has_left = False
            station.is_awaited = station.is_extern
            if station.is_extern:
                _LOG.info('robot "%s": a controller has connected', station.robot)
            self._update()

    def _left(self, seat: Seat) -> None:
        station = self._station(seat)
        if station is None:
            return
        station.has_left, station.is_awaited = True, False
        self._update()
        if station.is_extern:
            waits = self.is_working and not seat.is_free
            more = "; the others wait until one connects again" if waits else ""
            _LOG.info('robot "%s": its controller has left%s', station.robot, more)

    def _exited(self, station: Station, process: Process) -> None:
        """A process has ended; what it has sent may still wait to be read."""
        if not process.look():
            return
        self.server.forget_file(process.end_file)
        if station.seat is not None and station.seat.link is None:
            station.seat.expected = False
        if process in self._leaving or process is not station.process:
            return
        self._report(station, process.exit_code or 0)

    def _ended_inside(self, seat: Seat, code: int) -> None:
        station = self._station(seat)
        if station is not None and station.is_inline:
            station.is_inline = False
            self._update()
            if code > 0 or not station.is_dismissed:
                self._report(station, code)

    def _report(self, station: Station, code: int) -> None:
        from wbcore.controllers.process import exit_text  # start-up: 5 ms, not for inline controllers

        level = logging.ERROR if code else logging.INFO
        idle = "" if code else _idleness(station)
        _LOG.log(level, 'robot "%s": its controller %s%s', station.robot, exit_text(code), idle)
        if code == 1 and (lack := station.lacks()):
            _LOG.error('robot "%s": %s', station.robot, lack)
        station.is_noted = True
        self.ended.append(Ended(station.robot, station.controller, code))
        self._update()
        if code:
            self.on_error()

    def _station(self, seat: Seat) -> Station | None:
        return next((one for one in self.stations if one.seat is seat), None)

    # Ending.

    def restart(self, seat: Seat) -> None:
        """End the controller of a seat, and start it again."""
        station = self._station(seat)
        if station is not None:
            self._end([station])
            station.follow(seat)
            self._engage(station)
            station.follow(seat)
            self._update()

    def remove(self, seat: Seat) -> None:
        """The robot of a seat has left the world: end its controller."""
        station = self._station(seat)
        if station is not None:
            self._end([station])
            self.stations.remove(station)
            self._update()

    def dismiss(self) -> None:
        """End all controllers."""
        self._end(self.stations)
        self.stations = []

    def close(self) -> None:
        """End all controllers, and what they have started."""
        self.dismiss()
        if self._inline is not None:
            self._inline.close()
            self._inline = None

    def _end(self, stations: list[Station]) -> None:
        """Tell controllers that they end, give them a second, then end them."""
        self._leaving |= {one.process for one in stations if one.process is not None}
        for one in stations:
            self._tell(one)
        self._await(stations, GRACE_S)
        late = [one for one in stations if one.process is not None and one.process.exit_code is None]
        for one in late:
            assert one.process is not None
            _LOG.warning('warning: robot "%s": its controller did not end by itself: stopped', one.robot)
            one.process.signal(signal.SIGTERM)
        self._await(late, TERMINATION_S)
        for one in stations:
            self._clear(one)

    def _tell(self, station: Station) -> None:
        station.is_dismissed = True
        if station.seat is not None and station.seat.link is not None:
            station.seat.send(station.seat.link.quit())
        elif station.process is not None and station.process.exit_code is None:
            station.process.signal(signal.SIGTERM)

    def _await(self, stations: list[Station], seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while any(self._stays(one) for one in stations):
            left = deadline - time.monotonic()
            if left <= 0:
                return
            self.tend()
            self.server.poll(min(left, 0.05) if self._inline is not None else left)

    def _stays(self, station: Station) -> bool:
        if station.process is not None:
            return station.process.exit_code is None
        return station.is_inline or (station.seat is not None and station.seat.link is not None)

    def _clear(self, station: Station) -> None:
        if station.seat is not None:
            if station.is_inline and self._inline is not None:
                station.is_inline = False
                self._inline.stop(station.seat)
            self.server.dismiss(station.seat)
            station.seat.leave(expected=False)
        station.is_awaited = station.is_inline = False
        if station.door is not None:
            self.server.withdraw(station.door)
            station.door = None
        process, station.process = station.process, None
        if process is not None:
            self.server.forget_file(process.end_file)
            code = process.exit_code
            process.close()
            self._leaving.discard(process)
            if code is not None and code > 0 and not station.is_noted:
                self._report(station, code)


def _idleness(station: Station) -> str:
    """What a beginner has forgotten, if a controller has ended without moving anything; "" otherwise."""
    if station.seat is None or station.seat.link is not None or station.seat.has_stepped:
        return ""
    if station.seat.has_stepped is None:
        return "; it did not connect to the simulation (by Robot(), or wb_robot_init())"
    return "; it made no step, so no time passed for it (robot.step(), wb_robot_step())"
