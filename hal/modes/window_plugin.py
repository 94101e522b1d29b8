"""Call a robot-window plugin in each step of its controller (manual of 8.3.1, chapter Robot).

The order in a step: wbw_write_actuators, wbw_pre_update_gui, the request to the simulator, wbw_update_gui
until the answer arrives, wbw_read_sensors, wb_robot_window_step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from wbridge.hal.connection.sockets import SocketConnection
from wbridge.hal.ready import readable
from wbridge.hal.reports import messages, report
from wbridge.hal.window_calls import WindowCalls, load_window, tell_unfit
from wbridge.hal.window_plugins import is_library

if TYPE_CHECKING:
    from wbridge.hal.modes.exchange import Exchange
    from wbridge.hal.native_window import NativeWindow
    from wbridge.hal.protocol.configure import RobotInfo

__all__ = ["WindowPlugin", "attach"]

GUI_S = 0.02
"""Interval of the updates while the controller waits for the simulator, in s."""
END = -1


class WindowRobot(Protocol):
    """The part of the robot that the window plugin uses."""

    exchange: Exchange

    @property
    def info(self) -> RobotInfo:
        """The robot's configuration."""

    def step_begin(self, duration: int) -> int:
        """Begin a step."""

    def step_end(self) -> int:
        """End a step."""

    def cleanup(self) -> None:
        """Leave."""


class WindowPlugin:
    """A robot-window plugin in the controller's process."""

    def __init__(self, robot: WindowRobot, calls: WindowCalls) -> None:
        self._robot, self._calls = robot, calls
        self._is_inside = False
        self._step_begin, self._step_end, self._cleanup = robot.step_begin, robot.step_end, robot.cleanup

    def start(self) -> bool:
        """Initialize the plugin; False if it does not support this robot."""
        self._is_inside = True
        try:
            return self._calls.start()
        finally:
            self._is_inside = False

    def hook(self) -> None:
        """Wrap the robot's step and cleanup methods, so that the plugin is called in each step."""
        robot = self._robot
        for name, method in (
            ("step", self.step),
            ("step_begin", self.step_begin),
            ("step_end", self.step_end),
            ("cleanup", self.cleanup),
            ("window_plugin", self),
        ):
            setattr(robot, name, method)
        robot.exchange.messages.add(self)
        if robot.info.show_window:
            self.take_show_window()

    def call(self, function: str, *arguments: Any) -> Any:
        """Call a function of the plugin, if it exists."""
        was_inside, self._is_inside = self._is_inside, True
        try:
            return self._calls.call(function, *arguments)
        finally:
            self._is_inside = was_inside

    def take_show_window(self) -> None:
        """Show the window."""
        self.call("wbw_show")

    def custom_function(self, argument: Any) -> Any:
        """Call the plugin's custom function."""
        return self.call("wbw_robot_window_custom_function", argument)

    # These replace the robot's methods of the same names.

    def step(self, duration: int) -> int:
        """Make a step and call the plugin."""
        if self.step_begin(duration) == END:
            return END
        return self.step_end() if self._robot.exchange.stepping else 0

    def step_begin(self, duration: int) -> int:
        """Begin a step."""
        if self._is_inside:
            report.error("wb_robot_step", messages.step_of_window())
            return 0
        if not self._robot.exchange.stepping and not self._robot.exchange.closed:
            self.call("wbw_write_actuators")
            self.call("wbw_pre_update_gui")
        return self._step_begin(duration)

    def step_end(self) -> int:
        """End a step."""
        robot = self._robot
        if not robot.exchange.stepping:
            return self._step_end()
        self.call("wbw_update_gui")
        while self._keeps_waiting():
            self.call("wbw_update_gui")
        duration, result = robot.exchange.duration, self._step_end()
        self.call("wbw_read_sensors")
        self.call("wb_robot_window_step", duration)
        return result

    def _keeps_waiting(self) -> bool:
        """Wait briefly for the answer of a simulator; True if none has arrived."""
        connection, command_filter = self._robot.exchange.connection, self._robot.exchange.command_filter
        if not isinstance(connection, SocketConnection) or (
            command_filter is not None and command_filter.active
        ):
            return False
        try:
            file = connection.fileno()
            return not connection.has_waiting and not readable([file], GUI_S)
        except (OSError, ValueError):
            return False  # closed: the next read reports it

    def cleanup(self) -> None:
        """Clean up the plugin, then the robot."""
        self.call("wbw_cleanup")
        self.call("wb_robot_window_cleanup")
        self._cleanup()


def attach(robot: WindowRobot) -> None:
    """Load the window plugin of a configured robot, if it has one."""
    name = robot.info.window_library

    def library(file: str) -> NativeWindow | None:
        if not is_library(file):
            return None
        from wbridge.hal.native_window import NativeWindow  # start-up: few robots have a window in C

        return NativeWindow(file, robot.exchange.first_data, robot.exchange.use_relay)

    calls = load_window(name, robot.info.project_path, library)
    if calls is None:
        return
    plugin = WindowPlugin(robot, calls)
    if plugin.start():
        plugin.hook()
    else:
        tell_unfit(name)
