"""Between a robot at a wire and the windows that show it: publishes its state, and passes on wishes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbcore.robots.user import Keyboard
from wbcore.robots.window import Window
from wbcore.windows.attendant import Attendant, Audience, Wish
from wbcore.windows.far import FarRobot, FarStep

if TYPE_CHECKING:
    from wbcore.robots.robot import Robot

__all__ = ["FarDesk", "Helm"]

REAL_TIME = 1


class Helm(Protocol):
    """Drives the robot; what it cannot do it says as ValueError."""

    def drive(self, on: bool) -> None:
        """Take the robot from its controller, or give it back."""

    def stop(self) -> None:
        """Take it, and let all motors stand still."""

    def set(self, tag: int, channel: str, value: Any) -> None:
        """Let an actuator have a value."""

    def enable(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0: no more."""

    def leave(self) -> None:
        """Nobody looks on any more: motors stop, sensors off, the robot given back."""


class FarDesk(Attendant):
    """Attends to windows of one robot, which has the number 0."""

    def __init__(
        self,
        audience: Audience,
        take: Callable[[], list[Any]],
        robot: FarRobot,
        helm: Helm,
        host: Robot | None = None,
    ) -> None:
        """
        Args:
            audience: who watches.
            take: gives the wishes since the last call.
            robot: what is shown.
            helm: drives it.
            host: what its controller talks to beside the robot; None: it has no controller.
        """
        super().__init__(audience, take)
        self.robot, self._helm, self._host = robot, helm, host
        self.is_driven = False
        """By a window, in the place of a controller."""

    def note(self, step: FarStep) -> None:
        """The robot has made a step."""
        was_silent = self.robot.is_silent
        self.robot.take(step)
        if was_silent != self.robot.is_silent:
            text = (
                "the robot does not answer" if step.is_silent else "the robot is back; its motors stand still"
            )
            if not step.is_silent and self._host is not None and not self.is_driven:
                text = "the robot is back; its controller drives it again"
            self.audience.say(text, "warning", self.robot.table.name)

    def publish(self, now: float) -> None:
        """Give the newest state of the robot."""
        name, robot = self.robot.table.name, self.robot
        for message in self._messages():
            self.audience.send(name, message)
        driver = "window" if self.is_driven else "nobody" if self._host is None else "controller"
        values = {
            **robot.values(),
            "number": 0,
            "driver": driver,
            "controller": "" if self._host is None else self._host.controller,
            "customData": "" if self._host is None else str(self._host.node.get("customData")),
        }
        run = {
            "time": robot.time,
            "step": 0.0,
            "mode": REAL_TIME,
            "speed": 1.0,
            "factor": 1.0,
            "steps": robot.steps,
            "labels": [],
            "drivers": {0: self.is_driven},
            "silent": robot.is_silent,
        }
        self.audience.publish(run, {0: values}, None)

    def _messages(self) -> list[bytes]:
        part = self._host.part("window") if self._host is not None else None
        return [one.removesuffix(b"\0") for one in part.take_messages()] if isinstance(part, Window) else []

    # Wishes.

    @property
    def keyboard(self) -> Keyboard | None:
        """That of the controller's user."""
        return None if self._host is None else self._host.simulation.robots.user.keyboard

    def _do_control(self, wish: Wish) -> None:
        on = bool(wish.values["on"])
        if self._host is None:
            raise ValueError("there is no controller that drives this robot")
        if on != self.is_driven:
            self._helm.drive(on)
            self.is_driven = on
            self.say_driven(on, self.robot.table.name)

    def _do_stop(self, wish: Wish) -> None:
        self._helm.stop()
        self.is_driven = self._host is not None
        more = "; the window drives" if self.is_driven else ""
        self.audience.say(f"all motors stopped{more}", "info", self.robot.table.name)

    def _do_enable(self, wish: Wish) -> None:
        tag = wish.values["device"]
        wanted = self.robot.enable(tag, wish.values["channel"], wish.values["period"])
        if wanted is None:
            return
        try:
            self._helm.enable(tag, *wanted)
        except ValueError:
            self.robot.own.pop((tag, wanted[0]), None)
            raise

    def _do_set(self, wish: Wish) -> None:
        tag, channel = wish.values["device"], wish.values["channel"]
        given = self.robot.command_value(tag, channel, wish.values["value"])
        if self._host is not None and not self.is_driven:
            raise ValueError(f'the controller drives "{self.robot.table.name}"; take control first')
        if self.robot.is_silent:
            raise ValueError("the robot does not answer: it is not told what would move it some time later")
        self._helm.set(tag, channel, given)

    def _do_custom(self, wish: Wish) -> None:
        if self._host is None:
            raise ValueError("there is no controller that reads the custom data")
        self._host.simulation.set_field(self._host.node, "customData", wish.values["text"])

    def _do_message(self, wish: Wish) -> None:
        part = self._host.part("window") if self._host is not None else None
        if not isinstance(part, Window) or wish.values["robot"] != self.robot.table.name:
            raise ValueError(f'there is no controller of a robot "{wish.values["robot"]}"')
        part.send(wish.values["text"])

    def _do_left(self, wish: Wish) -> None:
        """A page has gone; after the last one nobody holds keys, drives or watches."""
        self._do_release(wish)
        if not self.audience.is_watched or (self.is_driven and 0 not in self.audience.watched):
            self._helm.leave()
            self.robot.own.clear()
            self.is_driven = False
