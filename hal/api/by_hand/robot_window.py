"""The one function by which a controller talks with its robot-window plugin."""

from __future__ import annotations

from hal.modes.session import current

__all__ = ["wb_robot_window_custom_function"]


def wb_robot_window_custom_function(argument: object) -> object:
    """What `wbw_robot_window_custom_function` of the window's plugin answers to `argument`; None without one.

    Webots has it for controllers in C and C++ only.
    """
    return current().window_custom_function(argument)
