"""Where remote-control plugins are found: in the project, built in, and in installed packages."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path, PurePath
from types import ModuleType
from typing import Any

from hal.remote import RemoteControl

__all__ = ["PluginError", "find_plugin", "plugin_name", "plugins"]

BUILT_IN = "remote_controls"
GROUP = "wbridge.remote_controls"
"""Of entry points of installed packages: each names a class."""
CLASS = "Plugin"
NONE = ("", "void", "<none>", "none")
LIBRARIES = (".so", ".dll", ".dylib")


class PluginError(Exception):
    """A remote-control plugin that cannot be found or used."""


def plugin_name(field: str) -> str:
    """The name in a field `remoteControl`, or in the path of the library that a simulator makes of it."""
    path = PurePath(field)
    if path.suffix in LIBRARIES:
        return path.stem.removeprefix("lib")
    return "" if field in NONE else path.stem if path.suffix == ".py" else field


def find_plugin(name: str, project: str = "") -> type[RemoteControl]:
    """The class of a plugin.

    Args:
        name: see `plugin_name`.
        project: the folder of the project; "": there is none.

    Raises:
        PluginError: there is none, or it is none.
    """
    file = _in_project(name, project)
    if file is not None:
        return _class_of(_load(name, file), str(file))
    if name.isidentifier() and name in plugins():
        try:
            return _class_of(import_module(f"{BUILT_IN}.{name}"), f"{BUILT_IN}.{name}")
        except Exception as error:
            raise PluginError(f'the remote control "{name}" cannot be loaded: {error}') from None
    for entry in _entry_points():
        if entry.name == name:
            return _checked(entry.load(), f"the entry point {entry.value}")
    raise PluginError(_not_found(name, project))


def plugins(project: str = "") -> list[str]:
    """The names of all plugins that can be found."""
    built_in = import_module(BUILT_IN).__path__
    found = {one.stem for folder in built_in for one in Path(folder).glob("*.py")}
    found |= {entry.name for entry in _entry_points()}
    if project:
        found |= {one.stem for one in (Path(project) / "plugins" / "remote_controls").glob("*/*.py")}
    return sorted(name for name in found if not name.startswith("_"))


def _in_project(name: str, project: str) -> Path | None:
    folder = Path(project) / "plugins" / "remote_controls"
    if not project or not name or PurePath(name).name != name:
        return None
    return next((f for f in (folder / name / f"{name}.py", folder / f"{name}.py") if f.is_file()), None)


def _load(name: str, file: Path) -> ModuleType:
    spec = spec_from_file_location(f"project_remote_control_{name}", file)
    if spec is None or spec.loader is None:
        raise PluginError(f"{file}: no Python module")
    module = module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PluginError(f"{file}: {type(error).__name__}: {error}") from None
    return module


def _class_of(module: ModuleType, place: str) -> type[RemoteControl]:
    return _checked(getattr(module, CLASS, None), place)


def _checked(found: Any, place: str) -> type[RemoteControl]:
    """A class that has all that a plugin must have."""
    if not isinstance(found, type) or not issubclass(found, RemoteControl):
        raise PluginError(f"{place}: has no class {CLASS} that derives from hal.remote.RemoteControl")
    mandatory = ("start", "stop", "has_failed", "stop_actuators", "robot_step")
    missing = [name for name in mandatory if getattr(found, name) is getattr(RemoteControl, name)]
    if missing:
        raise PluginError(f"{place}: the class {CLASS} lacks {', '.join(missing)}")
    return found


def _entry_points() -> Iterator[Any]:
    from importlib.metadata import entry_points

    yield from entry_points(group=GROUP)


def _not_found(name: str, project: str) -> str:
    import difflib

    known = plugins(project)
    close = difflib.get_close_matches(name, known, 1)
    hint = f', did you mean "{close[0]}"?' if close else ""
    folder = f"plugins/remote_controls/{name}/{name}.py in {project}" if project else "no project"
    return (
        f'there is no remote control "{name}"{hint}; searched: {folder}, built-in plugins, '
        f"installed packages; there are: {', '.join(known) or 'none'}"
    )
