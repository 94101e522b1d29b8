"""Communication between a controller and its robot-window plugin."""

from __future__ import annotations

from wbridge.hal.client.session import current


def wb_robot_window_custom_function(argument: object) -> object:
    """Call the plugin's `wbw_robot_window_custom_function`; None without a robot-window plugin.

    In Webots this function exists in C and C++ only.
    """
    return current().window_custom_function(argument)
