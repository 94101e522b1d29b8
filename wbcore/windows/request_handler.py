"""Carry out the requests of robot windows and decide when to publish the state.

Simulated robots and robots on a wire are driven by the same requests ("manual control"): a window takes a
robot from its controller, sets actuators, enables sensors, and gives the robot back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import Any, Protocol

from wbridge.wbcore.robots.user import Keyboard
from wbridge.wbcore.windows.driving_pages import KEYBOARD, DrivingPages

PERIOD_S = 1 / 60
"""Minimum time between two publications of the state, in s."""


class WindowRequest(Protocol):
    """One request of a window."""

    @property
    def name(self) -> str:
        """Name of the request."""

    @property
    def robot(self) -> int:
        """Number of the robot; -1 for the whole world."""

    @property
    def values(self) -> Mapping[str, Any]:
        """Arguments."""

    @property
    def page(self) -> int:
        """The page that sent it; `NO_PAGE`: this program."""


class Subscribers(Protocol):
    """The open windows; every method returns at once."""

    is_watched: bool
    watched: frozenset[int]
    wants_places: bool
    wants_scene: bool
    drawings: frozenset[str]

    @property
    def has_commands(self) -> bool:
        """True if requests are waiting."""

    def publish(
        self,
        run: Mapping[str, object],
        robots: Mapping[int, Mapping[str, object]],
        places: Mapping[str, object] | None,
        scene: Mapping[str, object] | None = None,
    ) -> None:
        """Send the newest state."""

    def say(self, text: str, kind: str = "info", robot: str = "") -> None:
        """Add a line to the log."""

    def send(self, robot: str, message: bytes) -> None:
        """Send a controller's message to its window."""


class DrivenRobot(Protocol):
    """A robot under manual control; requests that are not possible raise ValueError."""

    is_driven: bool
    """A window drives the robot in place of its controller."""

    @property
    def name(self) -> str:
        """Name of the robot."""

    @property
    def number(self) -> int:
        """Number of the robot in its world."""

    def drive(self, on: bool) -> bool:
        """Take the robot from its controller or give it back; True if that changed anything."""

    def stop(self) -> None:
        """Take control and stop every motor."""

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""

    def enable(self, tag: int, channel: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0 disables it."""

    def set(self, tag: int, channel: str, value: bool | float | None) -> None:
        """Set an actuator; None means an infinite position."""

    def leave(self) -> None:
        """Stop the motors, disable the windows' sensors, and give the robot back."""

    def set_custom_data(self, text: str) -> None:
        """Set the field `customData`."""

    def send_to_controller(self, text: str) -> None:
        """Send a window's message to the controller."""


class RequestHandler:
    """Carries out requests: the method `_do_NAME` handles the request NAME."""

    def __init__(self, subscribers: Subscribers, take: Callable[[], Sequence[WindowRequest]]) -> None:
        """
        Args:
            subscribers: the open windows.
            take: returns the requests (`WindowRequest`) since the last call.
        """
        self.subscribers, self._take = subscribers, take
        self.driving = DrivingPages()
        self._next = 0.0
        self._doing: dict[str, Callable[[Any], None]] = {
            name.removeprefix("_do_"): getattr(self, name) for name in dir(self) if name.startswith("_do_")
        }

    def poll(self) -> None:
        """Carry out requests and publish the state if it is due; call often."""
        if self.subscribers.has_commands:
            self.handle_requests()
        for number in self.driving.expired():
            self._stop_driving(number, "its page is not active")
        if self.subscribers.is_watched and perf_counter() >= self._next:
            now = perf_counter()
            self._next = now + PERIOD_S
            self.publish(now)

    def publish(self, now: float) -> None:
        """Send the newest state; `now` is a time of `time.perf_counter`, in s."""
        raise NotImplementedError

    @property
    def keyboard(self) -> Keyboard | None:
        """The simulated keyboard of the user; None if there is no controller to read it."""
        raise NotImplementedError

    @property
    def driven_robots(self) -> Sequence[DrivenRobot]:
        """All robots that windows can drive."""
        raise NotImplementedError

    def _robot(self, request: WindowRequest) -> DrivenRobot:
        """The robot of a request.

        Raises:
            ValueError: the robot does not exist.
        """
        raise NotImplementedError

    def handle_requests(self) -> None:
        """Carry out all waiting requests and report the impossible ones."""
        for request in self._take():
            try:
                self._doing.get(request.name, _refuse)(request)
            except ValueError as problem:
                self.subscribers.say(str(problem), "error")

    # Manual control.

    def _do_control(self, request: WindowRequest) -> None:
        robot, on = self._robot(request), bool(request.values["on"])
        if on and self.driving.is_driven_by_another(robot.number, request.page):
            self.driving.let(robot.number)
            robot.stop()
            self.subscribers.say("another page drives; all motors stopped", "info", robot.name)
        if not on:
            self.driving.let(robot.number)
        if robot.drive(on):
            self.subscribers.say("taken from the controller" if on else "given back", "info", robot.name)

    def _do_stop(self, request: WindowRequest) -> None:
        robot = self._robot(request)
        robot.stop()
        robot.acknowledge()  # a person who stops the robot knows of its fault
        more = "; the window drives" if robot.is_driven else ""
        self.subscribers.say(f"all motors stopped{more}", "info", robot.name)

    def _do_enable(self, request: WindowRequest) -> None:
        values = request.values
        self._robot(request).enable(values["device"], values["channel"], values["period"])

    def _do_set(self, request: WindowRequest) -> None:
        values, robot = request.values, self._robot(request)
        self.driving.take(robot.number, request.page)
        robot.set(values["device"], values["channel"], values["value"])

    def _do_hold(self, request: WindowRequest) -> None:
        self.driving.hold(request.robot, request.page)

    def _do_let(self, request: WindowRequest) -> None:
        """The page is hidden, or has lost the focus."""
        for number in self.driving.leave(request.page):
            self._stop_driving(number, "its page is not active")

    def _stop_driving(self, number: int, why: str) -> None:
        """Stop what a page has driven."""
        if number == KEYBOARD and self.keyboard is not None:
            self.keyboard.release_all()
        for robot in self.driven_robots:
            if robot.number == number:
                robot.stop()
                self.subscribers.say(f"all motors stopped: {why}", "warning", robot.name)

    def _do_custom(self, request: WindowRequest) -> None:
        self._robot(request).set_custom_data(request.values["text"])

    def _do_left(self, request: WindowRequest) -> None:
        """A page was closed: stop what it drove, release the keys, and the robots that are on no page now."""
        for number in self.driving.leave(request.page):
            self._stop_driving(number, "its page was closed")
        self._do_release(request)
        subscribers = self.subscribers
        for robot in self.driven_robots:
            if not subscribers.is_watched or (robot.is_driven and robot.number not in subscribers.watched):
                robot.leave()

    # Input for controllers.

    def _do_message(self, request: WindowRequest) -> None:
        name = request.values["robot"]
        for robot in self.driven_robots:
            if robot.name == name:
                robot.send_to_controller(request.values["text"])
                return
        known = ", ".join(f'"{robot.name}"' for robot in self.driven_robots) or "none"
        raise ValueError(f'no robot named "{name}"; available: {known}')

    def _do_key(self, request: WindowRequest) -> None:
        keyboard, values = self.keyboard, request.values
        if keyboard is None:
            return
        if values["down"]:
            self.driving.let(KEYBOARD)  # any page may press keys
            self.driving.take(KEYBOARD, request.page)
            keyboard.press(values["key"], shift=values["shift"], control=values["control"], alt=values["alt"])
        else:
            keyboard.release(values["key"])

    def _do_release(self, request: WindowRequest) -> None:
        if self.keyboard is not None:
            self.keyboard.release_all()


def _refuse(request: WindowRequest) -> None:
    raise ValueError(f"{request.name}: not possible here")
