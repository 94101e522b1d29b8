"""The functions of a robot-window plugin: loaded, called, and disabled if they fail."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from wbridge.hal.plugins import PluginError
from wbridge.hal.reports.faults import print_fault
from wbridge.hal.window_plugins import find_window_plugin

PREFIX = "project_robot_window_"
"""Of the names of modules from project folders."""


class WindowCalls:
    """Calls functions of a plugin. Their errors are reported once and do not stop the controller."""

    def __init__(self, plugin: Any) -> None:
        """Use a module, or an object with functions of the same names."""
        self.name: str = plugin.__name__.removeprefix(PREFIX)
        self._plugin = plugin
        self._broken: set[str] = set()

    def start(self) -> bool:
        """Initialize the plugin; False if it does not support this robot."""
        return self.succeeds("wbw_init", 0) and self.succeeds("wb_robot_window_init", 0)

    def call(self, function: str, *arguments: object, default: object = None) -> Any:
        """Call a function of the plugin, if it exists."""
        found = getattr(self._plugin, function, None)
        if not callable(found) or function in self._broken:
            return default
        try:
            return found(*arguments)
        except Exception as error:  # errors of a window do not stop the controller
            self._broken.add(function)
            print(f'Robot window "{self.name}": {function} failed and is disabled:', file=sys.stderr)
            print_fault(error.with_traceback(error.__traceback__ and error.__traceback__.tb_next))
            return default

    def succeeds(self, function: str, duration: int) -> bool:
        """Call a function of the plugin, if it exists; False if it fails or answers False.

        Args:
            duration: of the step, in ms.
        """
        arguments = (duration,) if function == "wb_robot_window_step" else ()
        return self.call(function, *arguments, default=True) is not False and function not in self._broken


def load_window(name: str, project: str, library: Callable[[str], object]) -> WindowCalls | None:
    """Load a robot's plugin; None, with a message if it cannot be used, if there is none.

    Args:
        name: the robot window as the simulator sends it.
        project: the project folder; "" for none.
        library: loads a plugin in C from a file, or returns None.
    """
    try:
        plugin = find_window_plugin(name, project) or library(name)
    except PluginError as error:
        print(f"Robot window: {error}; the controller goes on without it", file=sys.stderr)
        return None
    return None if plugin is None else WindowCalls(plugin)


def tell_unfit(name: str) -> None:
    """Say that a window has refused its robot."""
    print(f'Robot window "{name}" does not work with this robot', file=sys.stderr)
