"""Robot-window plugins of controllers that use the binding of the C library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbridge.hal.window_calls import WindowCalls, load_window, tell_unfit
from wbridge.hal.window_plugins import is_library

if TYPE_CHECKING:
    from wbridge.hal.client.native import NativeRobot
    from wbridge.hal.native_window import NativeWindow

__all__ = ["attach"]


def attach(robot: NativeRobot, name: str) -> WindowCalls | None:
    """Load the plugin of a robot, if it has one; the client calls it in each step.

    Args:
        name: the robot window as the simulator sends it.
    """

    def library(file: str) -> NativeWindow | None:
        if not is_library(file):
            return None
        from wbridge.hal.native_window import NativeWindow  # start-up: few robots have a window in C

        return NativeWindow(
            file, robot.configuration() or b"", lambda it: robot.use_relay(it.commands, it.take)
        )

    calls = load_window(name, robot.get_project_path(), library)
    if calls is not None and not robot.use_window(calls.succeeds):
        tell_unfit(name)
        return None
    return calls
