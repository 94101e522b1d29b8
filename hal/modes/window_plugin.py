"""Call a robot-window plugin in each step of its controller (manual of 8.3.1, chapter Robot).

The order in a step: wbw_write_actuators, wbw_pre_update_gui, the request to the simulator, wbw_update_gui
until the answer arrives, wbw_read_sensors, wb_robot_window_step.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol

from hal.modes import messages, report
from hal.modes.connection import SocketConnection
from hal.modes.faults import print_fault
from hal.plugins import PluginError
from hal.ready import readable
from hal.window_plugins import find_window_plugin, is_library

if TYPE_CHECKING:
    from hal.modes.exchange import Exchange
    from hal.native_window import NativeWindow
    from hal.protocol.configure import RobotInfo

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
    """A robot-window plugin in the controller's process. Its errors are reported once and do not stop it."""

    def __init__(self, robot: WindowRobot, module: ModuleType | NativeWindow, name: str) -> None:
        self._robot, self._module, self._name = robot, module, name
        self._broken: set[str] = set()
        self._is_inside = False
        self._step_begin, self._step_end, self._cleanup = robot.step_begin, robot.step_end, robot.cleanup

    def start(self) -> bool:
        """Initialize the plugin; False if it does not support this robot."""
        # A plugin without wbw_init supports every robot.
        if self.call("wbw_init", default=True) is False or "wbw_init" in self._broken:
            return False
        self.call("wb_robot_window_init")
        return "wb_robot_window_init" not in self._broken

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
        robot.exchange.step_call = None  # it would pass by these methods
        robot.exchange.messages.add(self)
        if robot.info.show_window:
            self.take_show_window()

    def call(self, function: str, *arguments: Any, default: Any = None) -> Any:
        """Call a function of the plugin, if it exists."""
        found = getattr(self._module, function, None)
        if not callable(found) or function in self._broken:
            return default
        was_inside, self._is_inside = self._is_inside, True
        try:
            return found(*arguments)
        except Exception as error:  # errors of a window do not stop the controller
            self._broken.add(function)
            print(f'Robot window "{self._name}": {function} failed and is disabled:', file=sys.stderr)
            print_fault(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
            return default
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
    module: ModuleType | NativeWindow | None
    try:
        module = find_window_plugin(name, robot.info.project_path)
        if module is None and is_library(name):
            from hal.native_window import NativeWindow  # start-up: few robots have a window in C

            module = NativeWindow(name, robot.exchange)
    except PluginError as error:
        print(f"Robot window: {error}; the controller goes on without it", file=sys.stderr)
        return
    if module is None:
        return
    plugin = WindowPlugin(robot, module, module.__name__.removeprefix("project_robot_window_"))
    if plugin.start():
        plugin.hook()
    else:
        print(f'Robot window "{name}" does not work with this robot', file=sys.stderr)
