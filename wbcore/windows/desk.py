"""Between a run and the windows that show it: publishes what they watch, and does what they ask for.

All of this happens in the thread of the simulation, between two steps; while no window is open, nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from wbcore.devices.emitter import Emitter
from wbcore.robots.user import Keyboard
from wbcore.windows.attendant import Attendant, Audience, Wish
from wbcore.windows.outlines import Outlines
from wbcore.windows.watch import MOST_PACKETS, WatchedRobot, packet_text

if TYPE_CHECKING:
    from wbcore.controllers.runner import Runner
    from wbcore.simulation import Simulation

__all__ = ["Desk", "LogTap"]

PLACES_S = LABELS_S = 1 / 20
PAUSED = 0


class Desk(Attendant):
    """Attends to a run for the windows."""

    def __init__(
        self,
        runner: Runner,
        audience: Audience,
        take: Callable[[], list[Any]],
        show: Callable[[Desk], object],
    ) -> None:
        """Attach to a run.

        Args:
            runner: the run; what else listens to its steps still does.
            audience: who watches.
            take: gives the wishes (`Wish`) since the last call.
            show: is called with this when there is another world, or robots have come or gone.
        """
        super().__init__(audience, take)
        self.runner, self._show = runner, show
        self._before = runner.on_step
        self._next_places = self._next_labels = 0.0
        self._labels: list[list[Any]] = []
        self._places: Mapping[str, Any] | None = None
        self._pace: tuple[float, float] | None = None
        self._speed = 0.0
        self._time = 0.0
        """Of the simulation, when the state was published last."""
        self._told = 0
        """Packets of emitters that were told since the state was published."""
        self.robots: list[WatchedRobot] = []
        self._open(runner.simulation)
        runner.on_step = self._step
        runner.on_wait = self.attend

    def _open(self, simulation: Simulation) -> None:
        self.simulation = simulation
        known = {one.robot: one for one in self.robots}
        self.robots = [known.get(one) or WatchedRobot(one) for one in simulation.robots]
        self._known = [*simulation.robots.list]
        self._tables = [one.table for one in self._known]
        self._radio = simulation.robots.radio
        self._find_sampling()
        self.outlines = Outlines(simulation)
        self._places = None
        self._show(self)

    def _find_sampling(self) -> None:
        """Robots with sensors that windows have enabled: the others need not be asked in each step."""
        self._sampling = [one for one in self.robots if one.has_enabled]

    # The moments of a run.

    def _step(self, simulation: Simulation) -> None:
        self._before(simulation)
        if self.audience.is_watched:
            for one in self._sampling:
                one.sample()
            if self._radio.packets:
                self._listen_to_radio()

    # To the windows.

    def publish(self, now: float) -> None:
        """Give the newest state of the run and of the robots that are watched."""
        simulation = self.runner.simulation
        if simulation is not self.simulation or simulation.robots.list != self._known or self._is_rebuilt():
            self._open(simulation)
        audience, watched = self.audience, self.audience.watched
        self._told = 0
        if simulation.time < self._time:
            for one in self.robots:
                one.forget_values()
        self._time = simulation.time
        states = {}
        for one in self.robots:
            robot = one.robot
            one.has_controller = self.runner.lockstep.has_controller(robot)
            one.look(robot.number in watched)
            for message in one.messages_to_window():
                audience.send(robot.name, message)
            if robot.number in watched:
                for text in one.packets():
                    audience.say(text, "packet", robot.name)
                states[robot.number] = one.news()
                one.forget_messages()
        audience.publish(self._run(now), states, self._where(now))

    def _is_rebuilt(self) -> bool:
        """A robot has got or lost devices since the world was shown."""
        return any(one.table is not table for one, table in zip(self._known, self._tables, strict=True))

    def _run(self, now: float) -> dict[str, Any]:
        simulation = self.simulation
        if self._pace is None or now - self._pace[0] >= 0.5 or simulation.time < self._pace[1]:
            if self._pace is not None and now > self._pace[0]:
                self._speed = round(max(0.0, (simulation.time - self._pace[1]) / (now - self._pace[0])), 2)
            self._pace = (now, simulation.time)
        if now >= self._next_labels:
            self._next_labels = now + LABELS_S
            self._labels = [[one.text, one.x, one.y, one.size, one.color] for one in simulation.labels]
        return {
            "time": simulation.time,
            "step": simulation.step_s,
            "mode": simulation.mode,
            "speed": self.runner.speed,
            "factor": self._speed,
            "steps": self.runner.steps,
            "labels": self._labels,
            "drivers": {one.robot.number: one.is_driven for one in self.robots},
        }

    def _where(self, now: float) -> Mapping[str, Any] | None:
        if not self.audience.wants_places:
            self._places = None
        elif self._places is None or now >= self._next_places:
            self._next_places = now + PLACES_S
            self._places = self.outlines.places()
        return self._places

    def _listen_to_radio(self) -> None:
        watched = self.audience.watched
        if not watched or self._told >= MOST_PACKETS:
            return
        for packet in self._radio.packets:
            sender = packet.sender
            self._told += 1
            if isinstance(sender, Emitter) and sender.robot.number in watched:
                text = f"{sender.name} -> channel {packet.channel}: {packet_text(packet.data)}"
                self.audience.say(text, "packet", sender.robot.name)

    # From the windows.

    @property
    def keyboard(self) -> Keyboard:
        """The world's user has one for all robots."""
        return self.simulation.robots.user.keyboard

    def _robot(self, wish: Wish) -> WatchedRobot:
        for one in self.robots:
            if one.robot.number == wish.robot and one.robot in self.simulation.robots.list:
                one.renew()  # it is about to change
                return one
        raise ValueError(f"there is no robot {wish.robot}")

    def _do_pause(self, wish: Wish) -> None:
        self.runner.simulation.set_mode(PAUSED)

    def _do_play(self, wish: Wish) -> None:
        self.runner.play(wish.values["speed"])

    def _do_step(self, wish: Wish) -> None:
        self.runner.play_step()

    def _do_reset(self, wish: Wish) -> None:
        self.runner.start_again()

    def _do_control(self, wish: Wish) -> None:
        one, on = self._robot(wish), bool(wish.values["on"])
        if one.is_driven != on:
            one.drive(on)
            self.say_driven(on, one.robot.name)

    def _do_stop(self, wish: Wish) -> None:
        one = self._robot(wish)
        one.stop()
        self.audience.say("all motors stopped; the window drives", "info", one.robot.name)

    def _do_enable(self, wish: Wish) -> None:
        self._robot(wish).enable(wish.values["device"], wish.values["channel"], wish.values["period"])
        self._find_sampling()

    def _do_set(self, wish: Wish) -> None:
        self._robot(wish).set(wish.values["device"], wish.values["channel"], wish.values["value"])

    def _do_custom(self, wish: Wish) -> None:
        self._robot(wish).set_custom_data(wish.values["text"])

    def _do_message(self, wish: Wish) -> None:
        for one in self.robots:
            if one.robot.name == wish.values["robot"]:
                one.send_to_controller(wish.values["text"])
                return
        raise ValueError(f'there is no robot "{wish.values["robot"]}"')

    def _do_left(self, wish: Wish) -> None:
        """A page has gone; after the last one nobody holds keys, drives or watches."""
        self._do_release(wish)
        for one in self.robots:
            if not self.audience.is_watched or (
                one.is_driven and one.robot.number not in self.audience.watched
            ):
                one.leave()


class LogTap(logging.Handler):
    """Shows warnings and errors of the simulator in the windows, too."""

    def __init__(self, audience: Audience) -> None:
        super().__init__(logging.INFO)
        self._audience = audience

    def emit(self, record: logging.LogRecord) -> None:
        """Add a line to the log, unless it is meant for the terminal alone."""
        if getattr(record, "is_private", False):
            return
        text, robot = record.getMessage(), _robot_of(record)
        if robot:
            text = text.replace(f'robot "{robot}": ', "", 1)
        kind = "error" if record.levelno >= logging.ERROR else record.levelname.lower()
        self._audience.say(text, kind if kind in ("error", "warning") else "info", robot)


def _robot_of(record: logging.LogRecord) -> str:
    """The name of the robot that a message is about, as messages put it; "" for the others."""
    before, found, _ = str(record.msg).partition('robot "%s"')
    known = found and "%" not in before and isinstance(record.args, tuple) and record.args
    return str(record.args[0]) if known else ""  # type: ignore[index]
