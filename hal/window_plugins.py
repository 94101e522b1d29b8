"""Where robot-window plugins in Python are found: in the project, and in installed packages.

A plugin is a module with functions of these names; those in parentheses may be missing:

    wbw_init() -> bool          the controller is connected; False: the plugin cannot work with this robot
    wbw_cleanup()               the controller ends
    wbw_update_gui()            the controller waits for the simulator: once in each step at least
    (wbw_pre_update_gui())      right before the request of a step leaves
    (wbw_write_actuators())     the last word about actuators before a step
    (wbw_read_sensors())        the sensors have their new values
    (wbw_show())                somebody opens the window
    (wbw_robot_window_custom_function(arg))    answers wb_robot_window_custom_function

or of those that libraries of HTML windows have since R2022b:

    wb_robot_window_init()    wb_robot_window_step(time_step)    wb_robot_window_cleanup()

They use the functions of `hal.api`.
"""

from __future__ import annotations

from pathlib import Path, PurePath
from types import ModuleType

from hal.plugins import PluginError, Plugins, place_of

__all__ = ["MANDATORY", "find_window_plugin"]

PLUGINS = Plugins("robot_windows")
"""Their entry points name modules."""
MANDATORY = ("wbw_init", "wbw_cleanup", "wbw_update_gui")
SINCE_R2022B = ("wb_robot_window_init", "wb_robot_window_step", "wb_robot_window_cleanup")


def find_window_plugin(name: str, project: str = "") -> ModuleType | None:
    """The module of a plugin, loaded anew; None: there is none in Python.

    Args:
        name: what the simulator says of the robot's window: a path, of a library, too; or a name.
        project: the folder of the project; "": there is none.

    Raises:
        PluginError: it cannot be loaded, or lacks functions.
    """
    path = PurePath(name)
    stem = path.stem if path.suffix == ".py" else path.stem.removeprefix("lib") if path.suffix else name
    file = PLUGINS.file(stem, project) or (Path(path) if path.suffix == ".py" else None)
    if file is not None:
        return _checked(PLUGINS.load(stem, file), str(file))
    entry = PLUGINS.installed().get(stem)
    return None if entry is None else _checked(PLUGINS.load_installed(entry), place_of(entry))


def _checked(found: object, place: str) -> ModuleType:
    """A module that has all that a plugin must have."""
    if not isinstance(found, ModuleType):
        raise PluginError(f"{place}: a module is expected")
    if not any(callable(getattr(found, name, None)) for name in SINCE_R2022B):
        missing = [name for name in MANDATORY if not callable(getattr(found, name, None))]
        if missing:
            raise PluginError(f"{place}: lacks {', '.join(missing)}")
    return found
