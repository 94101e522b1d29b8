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

import sys
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any

__all__ = ["GROUP", "MANDATORY", "WindowPluginError", "find_window_plugin"]

GROUP = "wbridge.robot_windows"
"""Of entry points of installed packages: each names a module."""
MANDATORY = ("wbw_init", "wbw_cleanup", "wbw_update_gui")
SINCE_R2022B = ("wb_robot_window_init", "wb_robot_window_step", "wb_robot_window_cleanup")


class WindowPluginError(Exception):
    """A robot-window plugin that cannot be used."""


def find_window_plugin(name: str, project: str = "") -> ModuleType | None:
    """The module of a plugin, loaded anew; None: there is none in Python.

    Args:
        name: what the simulator says of the robot's window: a path, of a library, too; or a name.
        project: the folder of the project; "": there is none.

    Raises:
        WindowPluginError: it cannot be loaded, or lacks functions.
    """
    path = PurePath(name)
    stem = path.stem if path.suffix == ".py" else path.stem.removeprefix("lib") if path.suffix else name
    file = _in_project(stem, project) or (Path(path) if path.suffix == ".py" else None)
    if file is not None:
        return _checked(_load(stem, file), str(file))
    for entry in _entry_points():
        if entry.name == stem:
            try:
                return _checked(entry.load(), f"the entry point {entry.value}")
            except ImportError as error:
                raise WindowPluginError(f"the entry point {entry.value}: {error}") from None
    return None


def _in_project(name: str, project: str) -> Path | None:
    folder = Path(project) / "plugins" / "robot_windows"
    if not project or not name or PurePath(name).name != name:
        return None
    return next((f for f in (folder / name / f"{name}.py", folder / f"{name}.py") if f.is_file()), None)


def _load(name: str, file: Path) -> ModuleType:
    # Several robots may have the same window, in one process: each has its own module.
    spec = spec_from_file_location(f"project_robot_window_{name}", file)
    if spec is None or spec.loader is None:
        raise WindowPluginError(f"{file}: no Python module")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise WindowPluginError(f"{file}: {type(error).__name__}: {error}") from None
    return module


def _checked(found: Any, place: str) -> ModuleType:
    """A module that has all that a plugin must have."""
    if not isinstance(found, ModuleType):
        raise WindowPluginError(f"{place}: a module is expected")
    if not any(callable(getattr(found, name, None)) for name in SINCE_R2022B):
        missing = [name for name in MANDATORY if not callable(getattr(found, name, None))]
        if missing:
            raise WindowPluginError(f"{place}: lacks {', '.join(missing)}")
    return found


def _entry_points() -> Iterator[Any]:
    from importlib.metadata import entry_points

    yield from entry_points(group=GROUP)
