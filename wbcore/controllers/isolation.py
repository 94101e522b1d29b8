"""Isolate the process state of inline controllers: modules, arguments, folder, exit functions.

Python keeps these once per process. They are exchanged whenever a controller resumes or waits.
"""

from __future__ import annotations

import atexit
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, TextIO

from wbridge.hal.portable_math import portable_math
from wbridge.wbcore.engine import _engine

Encoded = str | bytes
"""A name or value as the system has it: bytes; on Windows, text, with names in capitals."""
_Variables = tuple[tuple[Encoded, Encoded | None], ...]
_CODEC = os.environ
"""Encodes and decodes names and values, also if a controller replaces `os.environ`."""
_KEPT = ("__main__", "controller", "wbridge")
_STARTED = ("built-in", "frozen")
"""Origins of modules that a freshly started Python has already loaded."""


class Folder:
    """A folder to change to, even after it was renamed; on Windows, used folders keep their names."""

    __slots__ = ("number", "path")

    def __init__(self, path: str) -> None:
        """
        Args:
            path: path of the folder.

        Raises:
            OSError: the folder cannot be opened.
        """
        self.path = path
        self.number = os.open(path, os.O_RDONLY | os.O_DIRECTORY) if hasattr(os, "fchdir") else -1

    def enter(self) -> None:
        """Make it the current folder."""
        if hasattr(os, "fchdir"):
            os.fchdir(self.number)
        else:
            os.chdir(self.path)

    def close(self) -> None:
        """Close the folder's file descriptor, if open."""
        if self.number >= 0:
            os.close(self.number)
            self.number = -1


class ProcessState:
    """The process state of one controller; `enter` and `leave` exchange it with the simulator's.

    Modules found through entries of the controller's `sys.path` that the simulator's lacks are private:
    another controller that imports the same name gets its own module. All others, such as the standard
    library and installed packages, are shared.
    """

    def __init__(
        self,
        switch: StateSwitch,
        script: Path,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        """
        Args:
            switch: tracks which state is active.
            script: the controller's file, absolute.
            arguments: its arguments, without its own name.
            environment: additional environment variables.
            stdout: its standard output; None for that of this process.
            stderr: its standard error.

        Raises:
            OSError: the folder of the script cannot be opened.
        """
        self.switch = switch
        self.script = script
        self.main = ModuleType("__main__")
        self.exits: list[tuple[Callable[..., object], tuple[object, ...], dict[str, object]]] = []
        """Functions registered with `atexit`."""
        self.own_names = {"__main__"}
        """Top-level modules private to the controller."""
        self._shared = frozenset(sys.path)
        self.fields = _engine.ProcessFields(
            self.main, [str(script), *arguments], [str(script.parent), *sys.path], stdout, stderr
        )
        """Its `__main__`, arguments, path and streams; those of the simulator while this state is active."""
        self.environment: dict[Encoded, Encoded | None] = {**_encoded(environment or {})}
        """Its own environment variables while another state is active; None: not set."""
        self._modules: dict[str, ModuleType] = {}
        """Its private modules except `__main__`."""
        self._others: dict[str, ModuleType] = {}
        self._hidden = _shadowed(script.parent)
        self.folder = Folder(os.fspath(script.parent))

    def enter(self) -> None:
        """Switch the process to this controller's state, except for folder and environment."""
        modules, others = sys.modules, self._others
        for name in self._hidden:
            if name in modules:
                others[name] = modules.pop(name)
        modules.update(self._modules)
        self.fields.exchange()
        self.fields.count_modules()

    def leave(self) -> None:
        """Switch the process back to the simulator's state, except for folder and environment."""
        modules = sys.modules
        self.fields.exchange()
        if self.fields.has_imported:
            own = self.own_names - {"__main__"}
            self._modules = {n: m for n, m in modules.items() if n.partition(".")[0] in own}
        for name in self._modules:
            modules.pop(name, None)
        if self._hidden:
            modules.update(self._others)

    def allow_hand_over(self, environment: _Variables) -> None:
        """Let `fields` give the process to other controllers directly, if they and the folder suffice.

        Args:
            environment: the current values of `environment`, the same object for equal ones.
        """
        values = _variables()
        if self._hidden or self._modules or not isinstance(values, dict):
            self.fields.set_heavy()
        else:
            self.fields.set_light(self.folder.path, environment, values)  # type: ignore[arg-type] # all bytes

    def moved(self) -> None:
        """Record that the controller has changed its folder."""
        self.folder.close()
        self.folder = Folder(os.getcwd())
        self.fields.set_heavy()

    def close(self) -> None:
        """Close the folder; the state cannot be entered again."""
        self.folder.close()

    def find(self, name: str) -> ModuleSpec | None:
        """Find a top-level module among the controller's private ones, and record it."""
        entries = [entry for entry in sys.path if entry not in self._shared]
        found = PathFinder.find_spec(name, entries)
        if found is not None:
            self.own_names.add(name)
        return found

    def owns(self, function: Callable[..., object]) -> bool:
        """Return True unless a function comes from a shared module."""
        home = getattr(function, "__module__", None)
        return home not in sys.modules or str(home).partition(".")[0] in self.own_names


class StateSwitch:
    """Tracks whose state is active, and redirects process-wide calls of Python to it.

    It replaces `atexit.register`, `atexit.unregister` and `os.chdir`, finds modules, and uses the functions
    of `wbridge.hal.portable_math`, until it is closed.
    """

    def __init__(self) -> None:
        self.active: ProcessState | None = None
        """State of the running controller; None for the simulator."""
        self._home = self._place = Folder(os.getcwd())
        self._environments: dict[_Variables, _Variables] = {}
        """One object for all equal environments of controllers."""
        self._environment: dict[Encoded, Encoded | None] = {}
        """The simulator's values of variables that controllers have of their own, while one is active."""
        self._register, self._unregister, self._chdir = atexit.register, atexit.unregister, os.chdir
        portable_math.enter()
        atexit.register, atexit.unregister = self.register, self.unregister  # type: ignore[assignment]
        os.chdir = self.chdir
        sys.meta_path.insert(0, self)

    def close(self) -> None:
        """Restore the original functions, if not done yet."""
        if self not in sys.meta_path:
            return
        atexit.register, atexit.unregister, os.chdir = self._register, self._unregister, self._chdir
        sys.meta_path.remove(self)
        portable_math.leave()
        self._home.close()

    def switch_to(self, state: ProcessState | None) -> None:
        """Give the process to a controller, or to the simulator if None."""
        active = self.active
        if active is not state:
            if active is not None:
                active.leave()
            self.active = state
            if state is not None:
                state.enter()
            self._exchange_environment(active, state)
            if state is not None:
                self._allow_hand_over(state)
        place = self._home if state is None else state.folder
        if place is not self._place:
            if place.path != self._place.path:
                place.enter()
            self._place = place

    def _exchange_environment(self, former: ProcessState | None, state: ProcessState | None) -> None:
        """Store the variables of the former state and set those of another; most are equal and stay."""
        values, home = _variables(), self._environment
        stored = home if former is None else former.environment
        wanted = home if state is None else state.environment
        for name in [*stored, *(name for name in wanted if name not in stored)]:
            now = values.get(name)
            stored[name] = now
            if name not in home:
                home[name] = now
            value = wanted[name] if name in wanted else home[name]
            if value != now:
                _set_variable(name, value)

    def _allow_hand_over(self, state: ProcessState) -> None:
        own = tuple(state.environment.items())
        if all(value is not None for _, value in own):
            key = own if os.name == "posix" else tuple((os.fsencode(n), os.fsencode(v or "")) for n, v in own)
            state.allow_hand_over(self._environments.setdefault(key, key))
        else:
            state.fields.set_heavy()

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        return self.active.find(name) if self.active is not None and path is None else None

    def invalidate_caches(self) -> None:
        """See `importlib.abc.MetaPathFinder`; there are none."""

    def register(
        self, function: Callable[..., object], *args: object, **kwargs: object
    ) -> Callable[..., object]:
        """`atexit.register`: functions from a controller's private modules are called when it ends."""
        if self.active is not None and self.active.owns(function):
            self.active.exits.append((function, args, kwargs))
            return function
        return self._register(function, *args, **kwargs)

    def unregister(self, function: Callable[..., object]) -> None:
        """`atexit.unregister`."""
        if self.active is not None:
            self.active.exits = [call for call in self.active.exits if call[0] != function]
        self._unregister(function)

    def chdir(self, path: Any) -> None:
        """`os.chdir`: each controller has its own current folder."""
        self._chdir(path)
        if self.active is not None:
            self.active.moved()
            self._place = self.active.folder


def _variables() -> Mapping[Encoded, Encoded]:
    """Return the environment variables as the system has them; in CPython the dictionary behind them itself,
    unless a controller has put another object in the place of `os.environ`."""
    values = getattr(os.environ, "_data", None)
    return values if isinstance(values, dict) else MappingProxyType(_encoded(os.environ))


def _encoded(environment: Mapping[str, str]) -> dict[Encoded, Encoded]:
    """Return variables as the system has them."""
    return {_CODEC.encodekey(name): _CODEC.encodevalue(value) for name, value in environment.items()}


def _set_variable(name: Encoded, value: Encoded | None) -> None:
    """Set an environment variable; None: delete it."""
    key = _CODEC.decodekey(name)  # type: ignore[arg-type] # of the right type on each system
    if value is None:
        del os.environ[key]
    else:
        os.environ[key] = _CODEC.decodevalue(value)  # type: ignore[arg-type]


def _shadowed(folder: Path) -> list[str]:
    """Return loaded modules that a restarted controller would import from its own folder instead."""
    names = {file.stem if file.suffix else file.name for file in folder.iterdir()}
    loaded = [name for name in sorted(names) if name in sys.modules and name not in _KEPT]
    specs = {name: getattr(sys.modules[name], "__spec__", None) for name in loaded}
    return [name for name, spec in specs.items() if getattr(spec, "origin", "built-in") not in _STARTED]
