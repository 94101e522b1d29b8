"""Connect a run with the windows that show it: publish its state and carry out their requests.

Everything happens in the simulation's thread between two steps. Without open windows it costs nothing.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.devices.emitter import Emitter
from wbridge.wbcore.robots.user import Keyboard
from wbridge.wbcore.windows.allowed import NOTHING, Allowed
from wbridge.wbcore.windows.hands import Hands
from wbridge.wbcore.windows.outlines import Outlines
from wbridge.wbcore.windows.request_handler import DrivenRobot, RequestHandler, Subscribers, WindowRequest
from wbridge.wbcore.windows.simulated_view import MOST_PACKETS, SimulatedView, packet_text

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation
    from wbridge.wbcore.windows.scene_handler import SceneHandler

HARMLESS = frozenset("pick select tree shelf code breakpoints save look branch hold let".split())
"""Requests that a world in the past can answer."""
PLACES_S = LABELS_S = 1 / 20
PAUSED = 0


class SimulationHandler(RequestHandler):
    """Handles the windows of a simulation run."""

    def __init__(
        self,
        runner: Runner,
        subscribers: Subscribers,
        take: Callable[[], list[Any]],
        show: Callable[[SimulationHandler], object],
        scenes: Path | None = None,
        allowed: Allowed = NOTHING,
    ) -> None:
        """Attach to a run.

        Args:
            runner: the run; other listeners of its steps keep working.
            subscribers: the open windows.
            take: returns the requests (`WindowRequest`) since the last call.
            show: called with this handler when the world changes or robots are added or removed.
            scenes: the folder for the files of the 3D view; None: there is none.
            allowed: what pages may write.
        """
        super().__init__(subscribers, take)
        self.scenes = scenes
        self.scene_handler: SceneHandler | None = None
        """The 3D view, if there is one."""
        if scenes is not None:
            from wbridge.wbcore.windows.scene_handler import (
                SceneHandler,  # start-up: needs the groups of supervisors
            )

            self.scene_handler = SceneHandler(runner, scenes, allowed)
            self._doing.update(self.scene_handler.requests())
            self._doing = {name: self._in_present(name, act) for name, act in self._doing.items()}
            self.scene_handler.time_line.hands = self._hands
            self.scene_handler.time_line.act = lambda request: self._doing[request.name](request)
        self.runner, self._show = runner, show
        self._before = runner.on_step
        self._next_places = self._next_labels = 0.0
        self._labels: list[list[Any]] = []
        self._places: Mapping[str, Any] | None = None
        self._pace: tuple[float, float] | None = None
        self._speed = 0.0
        self._time = 0.0
        """Simulated time of the last publication (s)."""
        self._failed_at: dict[str, float] = {}
        """Simulated times (s) at which controllers failed, by the name of the robot."""
        self._logged = 0
        """Emitter packets logged since the last publication."""
        self.robots: list[SimulatedView] = []
        self.shown: Callable[[SimulatedView, dict[str, Any]], dict[str, Any]] = lambda view, state: state
        """Returns the state of a robot as windows show it."""
        self._open(runner.simulation)
        runner.on_step = self._step
        runner.on_wait = self.poll

    def _in_present(self, name: str, act: Callable[[WindowRequest], None]) -> Callable[[WindowRequest], None]:
        """Return to the present before a request that would change the past, and note what drives robots."""
        if name in HARMLESS or self.scene_handler is None:
            return act
        time_line = self.scene_handler.time_line

        def do(request: WindowRequest) -> None:
            time_line.return_to_present()
            time_line.note_input(request)
            act(request)

        return do

    def _hands(self) -> Hands:
        """Return what people do to robots now."""
        drives = bool(self.keyboard.keys) or any(view.is_driven for view in self.robots)
        return Hands(drives, tuple(view.enabled for view in self.robots))

    def _open(self, simulation: Simulation) -> None:
        self.simulation = simulation
        known = {view.robot: view for view in self.robots}
        self.robots = [known.get(robot) or SimulatedView(robot) for robot in simulation.robots]
        self._known = [*simulation.robots.list]
        self._tables = [robot.table for robot in self._known]
        self._radio = simulation.robots.radio
        self._find_sampling()
        if self.scene_handler is not None:
            self.scene_handler.renew()
        self.outlines = Outlines(simulation)
        self._places = None
        self._show(self)

    def _find_sampling(self) -> None:
        """Find the robots with sensors that windows have enabled; only these are sampled in each step."""
        self._sampling = [view for view in self.robots if view.has_enabled]

    # Events of the run.

    def _step(self, simulation: Simulation) -> None:
        self._before(simulation)
        if self.subscribers.is_watched:
            for view in self._sampling:
                view.sample()
            if self._radio.packets:
                self._listen_to_radio()

    # State for the windows.

    def publish(self, now: float) -> None:
        """Send the newest state of the run and of the watched robots."""
        simulation = self.runner.simulation
        if simulation is not self.simulation or simulation.robots.list != self._known or self._is_rebuilt():
            self._open(simulation)
        subscribers, watched = self.subscribers, self.subscribers.watched
        self._logged = 0
        if simulation.time < self._time:
            for info in self.robots:
                info.forget_values()
        self._time = simulation.time
        states = {}
        for info in self.robots:
            robot = info.robot
            info.has_controller = self.runner.lockstep.has_controller(robot)
            info.look(robot.number in watched)
            for message in info.messages_to_window():
                subscribers.send(robot.name, message)
            if robot.number in watched:
                for text in info.packets():
                    subscribers.say(text, "packet", robot.name)
                states[robot.number] = self.shown(info, {**info.news(), "pictures": info.pictures(now)})
                info.forget_messages()
        subscribers.publish(self._run(now), states, self._where(now), self._seen(now))

    def _is_rebuilt(self) -> bool:
        """True if a robot has gained or lost devices since the world was shown."""
        return any(robot.table is not table for robot, table in zip(self._known, self._tables, strict=True))

    def _run(self, now: float) -> dict[str, Any]:
        simulation = self.simulation
        if self._pace is None or now - self._pace[0] >= 0.5 or simulation.time < self._pace[1]:
            if self._pace is not None and now > self._pace[0]:
                self._speed = round(max(0.0, (simulation.time - self._pace[1]) / (now - self._pace[0])), 2)
            self._pace = (now, simulation.time)
        if now >= self._next_labels:
            self._next_labels = now + LABELS_S
            self._labels = [
                [label.text, label.x, label.y, label.size, label.color] for label in simulation.labels
            ]
        return {
            "time": simulation.time,
            "step": simulation.step_s,
            "mode": simulation.mode,
            "speed": self.runner.speed,
            "factor": self._speed,
            "steps": self.runner.steps,
            "labels": self._labels,
            "drivers": self.driving.pages(),
            "failures": self._failures(),
        }

    def _failures(self) -> list[dict[str, object]]:
        """Return the robots whose controllers have failed, unless others have connected since."""
        last = {end.robot: end for end in self.runner.controllers.ended}
        last = {robot: end for robot, end in last.items() if end.is_error}
        has_controller = self.runner.lockstep.has_controller
        failed = [view for view in self.robots if view.name in last and not has_controller(view.robot)]
        now = self.simulation.time
        self._failed_at = {view.name: self._failed_at.get(view.name, now) for view in failed}
        return [
            {
                "robot": view.number,
                "controller": last[view.name].controller,
                "text": last[view.name].text,
                "time": self._failed_at[view.name],
            }
            for view in failed
        ]

    def _where(self, now: float) -> Mapping[str, Any] | None:
        if not self.subscribers.wants_places:
            self._places = None
        elif self._places is None or now >= self._next_places:
            self._next_places = now + PLACES_S
            self._places = self.outlines.places()
        return self._places

    def _seen(self, now: float) -> Mapping[str, Any] | None:
        """Return what the 3D view shows; None if nobody looks."""
        subscribers = self.subscribers
        if self.scene_handler is None:
            return None
        return self.scene_handler.seen(now, subscribers.wants_scene, subscribers.drawings)

    def _listen_to_radio(self) -> None:
        watched = self.subscribers.watched
        if not watched or self._logged >= MOST_PACKETS:
            return
        for packet in self._radio.packets:
            sender = packet.sender
            self._logged += 1
            if isinstance(sender, Emitter) and sender.robot.number in watched:
                text = f"{sender.name} -> channel {packet.channel}: {packet_text(packet.data)}"
                self.subscribers.say(text, "packet", sender.robot.name)

    # Requests of the windows.

    @property
    def keyboard(self) -> Keyboard:
        """The keyboard of the world's user, which all robots share."""
        return self.simulation.robots.user.keyboard

    @property
    def driven_robots(self) -> Sequence[DrivenRobot]:
        """All robots of the world."""
        return self.robots

    def _robot(self, request: WindowRequest) -> SimulatedView:
        for view in self.robots:
            if view.number == request.robot and view.robot in self.simulation.robots.list:
                view.renew()  # its state is about to change
                return view
        raise ValueError(f"no robot with number {request.robot}")

    def _do_pause(self, request: WindowRequest) -> None:
        self.runner.simulation.set_mode(PAUSED)

    def _do_play(self, request: WindowRequest) -> None:
        self.runner.play(request.values["speed"])

    def _do_step(self, request: WindowRequest) -> None:
        self.runner.play_step()

    def _do_restart(self, request: WindowRequest) -> None:
        self.runner.restart_controller(self._robot(request).robot)

    def _do_reset(self, request: WindowRequest) -> None:
        if self.scene_handler is not None:
            self.scene_handler.interventions.start_again()
        else:
            self.runner.start_again()

    def _stop_driving(self, number: int, why: str) -> None:
        if self.scene_handler is not None:
            self.scene_handler.time_line.return_to_present()
            self.scene_handler.time_line.note_stop(number)
        super()._stop_driving(number, why)

    def _do_enable(self, request: WindowRequest) -> None:
        super()._do_enable(request)
        self._find_sampling()


class TakesLines(Protocol):
    """What shows or keeps lines."""

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Take a line."""


class LogTap(logging.Handler):
    """Copies warnings and errors of the simulator to windows or a recording."""

    def __init__(self, subscribers: TakesLines) -> None:
        super().__init__(logging.INFO)
        self._audience = subscribers

    def emit(self, record: logging.LogRecord) -> None:
        """Add a line to the log unless it is for the terminal only."""
        if getattr(record, "is_private", False):
            return
        text, robot = record.getMessage(), _robot_of(record)
        if robot:
            text = text.replace(f'robot "{robot}": ', "", 1)
        kind = "error" if record.levelno >= logging.ERROR else record.levelname.lower()
        self._audience.say(text, kind if kind in ("error", "warning") else "info", robot)


def _robot_of(record: logging.LogRecord) -> str:
    """Return the robot that a message names first; "" if it names none."""
    before, found, _ = str(record.msg).partition('robot "%s"')
    known = found and "%" not in before and isinstance(record.args, tuple) and record.args
    return str(record.args[0]) if known else ""  # type: ignore[index]
