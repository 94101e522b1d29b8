"""Find robot-window plugins in Python: in the project and in installed packages.

A plugin is a module with the following functions; those in parentheses are optional:

    wbw_init() -> bool          the controller has connected; return False if the robot is not supported
    wbw_cleanup()               the controller ends
    wbw_update_gui()            the controller waits for the simulator; at least once per step
    (wbw_pre_update_gui())      immediately before the request of a step is sent
    (wbw_write_actuators())     last opportunity to command actuators before a step
    (wbw_read_sensors())        the sensors have new values
    (wbw_show())                the window is opened
    (wbw_robot_window_custom_function(arg))    answers wb_robot_window_custom_function

or of those that libraries of HTML windows have since R2022b:

    wb_robot_window_init()    wb_robot_window_step(time_step)    wb_robot_window_cleanup()

They use the functions of `wbridge.hal.api`.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from types import ModuleType

from wbridge.hal.plugins import PluginError, Plugins, place_of

PLUGINS = Plugins("robot_windows")
"""Their entry points name modules."""
MANDATORY = ("wbw_init", "wbw_cleanup", "wbw_update_gui")
SINCE_R2022B = ("wb_robot_window_init", "wb_robot_window_step", "wb_robot_window_cleanup")


def find_window_plugin(name: str, project: str = "") -> ModuleType | None:
    """Load the module of a plugin; None if it does not exist in Python.

    Args:
        name: the robot window as the simulator sends it: a path (possibly of a library) or a name.
        project: the project folder; "" for none.

    Raises:
        PluginError: the module cannot be loaded or lacks functions.
    """
    path = PurePath(name)
    stem = path.stem if path.suffix == ".py" else path.stem.removeprefix("lib") if path.suffix else name
    file = PLUGINS.file(stem, project) or (Path(path) if path.suffix == ".py" else None)
    if file is not None:
        return _checked(PLUGINS.load(stem, file), str(file))
    entry = PLUGINS.installed().get(stem)
    return None if entry is None else _checked(PLUGINS.load_installed(entry), place_of(entry))


def is_library(name: str) -> bool:
    """True if a robot window, as the simulator sends it, is a plugin in C or C++."""
    return name.endswith(".so") and Path(name).is_file()


def _checked(found: object, place: str) -> ModuleType:
    """Check that an object is a complete plugin module."""
    if not isinstance(found, ModuleType):
        raise PluginError(f"{place}: not a module")
    if not any(callable(getattr(found, name, None)) for name in SINCE_R2022B):
        missing = [name for name in MANDATORY if not callable(getattr(found, name, None))]
        if missing:
            raise PluginError(f"{place}: lacks {', '.join(missing)}")
    return found
