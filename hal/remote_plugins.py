"""Find remote-control plugins: in the project, built-in, and in installed packages."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path, PurePath
from types import ModuleType

from wbridge.hal.combined import Combined, addresses
from wbridge.hal.companion import Companion
from wbridge.hal.plugins import PluginError, Plugins, place_of
from wbridge.hal.remote import RemoteControl

__all__ = [
    "PluginError",
    "check_argument",
    "check_plugin",
    "create_plugin",
    "find_plugin",
    "is_built_in",
    "is_guarded",
    "plugin_name",
    "plugins",
    "unguarded_advice",
]

PLUGINS = Plugins("remote_controls")
"""Their entry points name classes."""
BUILT_IN = "wbridge.remote_controls"
CLASS = "Plugin"
PLUS = "+"
"""Separates the names of a combination."""
NONE = ("", "void", "<none>", "none")
LIBRARIES = (".so", ".dll", ".dylib")


def plugin_name(field: str) -> str:
    """The plugin name in a field `remoteControl`, or in the library path that a simulator makes of it."""
    path = PurePath(field)
    if path.suffix in LIBRARIES:
        return path.stem.removeprefix("lib")
    return "" if field in NONE else path.stem if path.suffix == ".py" else field


def create_plugin(name: str, project: str = "") -> RemoteControl:
    """Create a plugin, or a combination of several, such as "wblink+camera" (see `wbridge.hal.combined`).

    Args:
        name: see `plugin_name`.
        project: the project folder; "" for none.

    Raises:
        PluginError: a plugin does not exist or is invalid, or cannot accompany another one.
    """
    names = name.split(PLUS)
    first, *others = (find_plugin(name, project)() for name in names)
    if not others:
        return first
    companions = [other for other in others if isinstance(other, Companion)]
    if len(companions) < len(others):
        wrong = next(name for name, made in zip(names[1:], others, strict=True) if made not in companions)
        raise PluginError(
            f'the remote control "{wrong}" cannot accompany another one, because it does not derive from '
            f'wbridge.hal.companion.Companion; name it first, as in "{wrong}{PLUS}camera"'
        )
    return Combined(names, first, companions)


def find_plugin(name: str, project: str = "") -> type[RemoteControl]:
    """The class of a plugin.

    Args:
        name: see `plugin_name`.
        project: the project folder; "" for none.

    Raises:
        PluginError: the plugin does not exist or is invalid.
    """
    file = PLUGINS.file(name, project)
    if file is not None:
        return _class_of(PLUGINS.load(name, file), str(file))
    library = PLUGINS.library(name, project)
    if library is not None:
        from wbridge.hal.native_remote import native_plugin  # start-up: few robots have a plugin in C

        return native_plugin(library)
    if name in _built_in():
        try:
            return _class_of(import_module(f"{BUILT_IN}.{name}"), f"{BUILT_IN}.{name}")
        except Exception as error:
            raise PluginError(f'the remote control "{name}" cannot be loaded: {error}') from None
    entry = PLUGINS.installed().get(name)
    if entry is not None:
        return _checked(PLUGINS.load_installed(entry), place_of(entry))
    raise PluginError(_not_found(name, project))


def is_guarded(name: str, project: str = "") -> bool:
    """True if a plugin, or a part of a combination, runs in a guard (see `RemoteControl.GUARDED`).

    Raises:
        PluginError: a plugin does not exist or is invalid.
    """
    return any(_wants_guard(find_plugin(part, project)) for part in name.split(PLUS))


def _wants_guard(plugin: type[RemoteControl]) -> bool:
    if plugin.GUARDED is not None:
        return plugin.GUARDED
    return not plugin.UNGUARDED and plugin.custom_function is RemoteControl.custom_function


def unguarded_advice(name: str, project: str = "") -> str:
    """What a user must know about plugins without a guard that give no reason for it; "" if nothing.

    Raises:
        PluginError: a plugin does not exist or is invalid.
    """
    parts = [part for part in name.split(PLUS) if not find_plugin(part, project).UNGUARDED]
    if not parts or is_guarded(name, project):
        return ""
    return (
        f'the remote control "{parts[0]}" runs without a guard: if the controller is killed or hangs, '
        "nothing stops the robot. In its class, set GUARDED = True (custom_function then takes and returns "
        'JSON values only), or UNGUARDED = "REASON" if the robot stops by itself'
    )


def check_plugin(name: str, project: str = "") -> None:
    """Check that a plugin exists, without loading it; arguments as for `find_plugin`.

    Raises:
        PluginError: the plugin does not exist.
    """
    known = plugins(project)
    for word in name.split(PLUS):
        if word not in known:
            raise PluginError(_not_found(word, project))


def is_built_in(name: str, project: str = "") -> bool:
    """True if a name refers to a plugin bundled with wbridge; these require the robot's address."""
    return all(
        PLUGINS.file(word, project) is None and PLUGINS.library(word, project) is None and word in _built_in()
        for word in name.split(PLUS)
    )


def check_argument(name: str, arg: str) -> None:
    """Check the argument of a built-in plugin, or of a combination of them, without searching for the robot.

    Raises:
        PluginError: the plugin does not exist, or a combination has more or fewer addresses than plugins.
        LinkError: the argument is not a robot's address.
    """
    names = name.split(PLUS)
    for part, place in zip(names, addresses(names, arg) if PLUS in name else [arg], strict=True):
        find_plugin(part).check_argument(place)  # type: ignore[attr-defined]  # all of them have it


def plugins(project: str = "") -> list[str]:
    """The names of all plugins that can be found."""
    return sorted(_built_in() | PLUGINS.names(project))


def _built_in() -> set[str]:
    folders = import_module(BUILT_IN).__path__
    found = {file.stem for folder in folders for file in Path(folder).glob("*.py")}
    return {name for name in found if not name.startswith("_")}


def _class_of(module: ModuleType, place: str) -> type[RemoteControl]:
    return _checked(getattr(module, CLASS, None), place)


def _checked(found: object, place: str) -> type[RemoteControl]:
    """Check that an object is a complete plugin class."""
    if not isinstance(found, type) or not issubclass(found, RemoteControl):
        raise PluginError(f"{place}: has no class {CLASS} that derives from wbridge.hal.remote.RemoteControl")
    mandatory = ("start", "stop", "has_failed", "stop_actuators", "robot_step")
    missing = [name for name in mandatory if getattr(found, name) is getattr(RemoteControl, name)]
    if missing:
        raise PluginError(f"{place}: the class {CLASS} lacks {', '.join(missing)}")
    return found


def _not_found(name: str, project: str) -> str:
    import difflib  # start-up: 5 ms, only for messages

    known = plugins(project)
    close = difflib.get_close_matches(name, known, 1)
    hint = f', did you mean "{close[0]}"?' if close else ""
    folder = (
        f"plugins/remote_controls/{name} in {project} ({name}.py, lib{name}.so)" if project else "no project"
    )
    return (
        f'there is no remote control "{name}"{hint}; searched: {folder}, built-in plugins, '
        f"installed packages; there are: {', '.join(known) or 'none'}"
    )
