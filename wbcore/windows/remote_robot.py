"""Manual control of a robot on a wire, with or without a controller beside it."""

from __future__ import annotations

from typing import Protocol

from wbridge.wbcore.robots.robot import Robot
from wbridge.wbcore.robots.user import Keyboard
from wbridge.wbcore.robots.window import Window
from wbridge.wbcore.windows.remote_view import RemoteStep, RemoteView

ACKNOWLEDGE_HINT = "find the cause, then press Stop all"


class ManualControl(Protocol):
    """Forwards manual control to the robot; impossible requests raise ValueError."""

    def drive(self, on: bool) -> None:
        """Take the robot from its controller, or give it back."""

    def stop(self) -> None:
        """Take the robot and stop every motor."""

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""

    def set(self, tag: int, channel: str, value: object) -> None:
        """Set an actuator."""

    def enable(self, tag: int, function: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0 disables it."""

    def leave(self) -> None:
        """Stop the motors, disable the sensors, and give the robot back."""


class RemoteDrivenRobot:
    """The robot on the wire, as windows drive it (see
    `wbridge.wbcore.windows.request_handler.DrivenRobot`)."""

    number = 0

    def __init__(self, view: RemoteView, manual: ManualControl, host: Robot | None = None) -> None:
        """
        Args:
            view: what windows show of the robot.
            manual: drives the robot.
            host: answers the controller in place of a simulation; None if there is no controller.
        """
        self.view, self._manual, self._host = view, manual, host
        self.is_driven = False

    @property
    def name(self) -> str:
        """Name of the robot."""
        return self.view.table.name

    @property
    def driver(self) -> str:
        """The current driver: "window", "controller" or "nobody"."""
        return "window" if self.is_driven else "nobody" if self._host is None else "controller"

    @property
    def controller(self) -> str:
        """Name of the controller; "" if there is none."""
        return "" if self._host is None else self._host.controller

    @property
    def custom_data(self) -> str:
        """The field `customData`; "" if there is no controller."""
        return "" if self._host is None else str(self._host.node.get("customData"))

    @property
    def keyboard(self) -> Keyboard | None:
        """The keyboard that the controller reads; None if there is no controller."""
        return None if self._host is None else self._host.simulation.robots.user.keyboard

    def note(self, step: RemoteStep) -> str:
        """Apply a step; return a message if the robot has stopped or resumed answering or moving, else ""."""
        was_silent, fault = self.view.is_silent, self.view.fault
        self.view.take(step)
        if step.fault != fault:
            return f"{step.fault}; {ACKNOWLEDGE_HINT}" if step.fault else "the motors may move again"
        if was_silent == self.view.is_silent:
            return ""
        if step.is_silent:
            return "the robot does not answer"
        if self._host is not None and not self.is_driven:
            return "the robot answers again; its controller drives it"
        return "the robot answers again; its motors are stopped"

    def drive(self, on: bool) -> bool:
        """Take the robot from its controller or give it back; True if that changed anything.

        Raises:
            ValueError: the robot has no controller.
        """
        if self._host is None:
            raise ValueError("no controller drives this robot")
        if on == self.is_driven:
            return False
        self._manual.drive(on)
        self.is_driven = on
        return True

    def stop(self) -> None:
        """Take control and stop every motor."""
        self._manual.stop()
        self.is_driven = self._host is not None

    def acknowledge(self) -> None:
        """Let the robot move again after a fault of its board."""
        if self.view.fault:
            self._manual.acknowledge()

    def enable(self, tag: int, channel: str, period: int) -> None:
        """Sample a sensor every `period` ms; 0 disables it.

        Raises:
            ValueError: the sensor does not exist or cannot be enabled.
        """
        wanted = self.view.enable(tag, channel, period)
        if wanted is None:
            return
        try:
            self._manual.enable(tag, *wanted)
        except ValueError:
            self.view.own.pop((tag, wanted[0]), None)
            raise

    def set(self, tag: int, channel: str, value: bool | float | None) -> None:
        """Set an actuator; None means an infinite position.

        Raises:
            ValueError: the controller drives, the robot is silent, or the actuator or value is invalid.
        """
        given = self.view.command_value(tag, channel, value)
        if self._host is not None and not self.is_driven:
            raise ValueError(f'the controller drives "{self.name}"; take control first')
        if self.view.is_silent:
            raise ValueError("the robot does not answer, so commands that would move it later are refused")
        self._manual.set(tag, channel, given)

    def leave(self) -> None:
        """Stop the motors, disable the windows' sensors, and give the robot back."""
        self._manual.leave()
        self.view.own.clear()
        self.is_driven = False

    def set_custom_data(self, text: str) -> None:
        """Set the field `customData`.

        Raises:
            ValueError: the robot has no controller.
        """
        if self._host is None:
            raise ValueError("no controller reads the custom data of this robot")
        self._host.simulation.set_field(self._host.node, "customData", text)

    def send_to_controller(self, text: str) -> None:
        """Send a window's message to the controller.

        Raises:
            ValueError: the robot has no controller, or too many messages are queued.
        """
        window = self._window
        if window is None:
            raise ValueError(f'robot "{self.name}" has no controller')
        window.send(text)

    def messages_to_window(self) -> list[bytes]:
        """Messages of the controller, without the NUL that ends texts."""
        window = self._window
        return [] if window is None else [message.removesuffix(b"\0") for message in window.take_messages()]

    def shown_pictures(self) -> dict[int | str, tuple[int, int, bytes]]:
        """Pictures for which the controller opens windows of its own (see `Window.shown_pictures`)."""
        window = self._window
        return {} if window is None else window.shown_pictures()

    @property
    def _window(self) -> Window | None:
        part = self._host.part("window") if self._host is not None else None
        return part if isinstance(part, Window) else None
