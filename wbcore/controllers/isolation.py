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
from types import ModuleType
from typing import Any, TextIO

__all__ = ["ProcessState", "StateSwitch"]

_KEPT = ("__main__", "controller", "hal", "wbcore", "wbverify", "wbridge")
_STARTED = ("built-in", "frozen")
"""Origins of modules that a freshly started Python has already loaded."""


class Folder:
    """A folder to change to, even after it was renamed."""

    __slots__ = ("number", "path")

    def __init__(self, path: str) -> None:
        """
        Args:
            path: path of the folder.

        Raises:
            OSError: the folder cannot be opened.
        """
        self.path = path
        self.number = os.open(path, os.O_RDONLY | os.O_DIRECTORY)

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
        self.exits: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = []
        """Functions registered with `atexit`."""
        self.own_names = {"__main__"}
        """Top-level modules private to the controller."""
        self._shared = frozenset(sys.path)
        self._argv, self._path = [str(script), *arguments], [str(script.parent), *sys.path]
        self.environment: dict[str, str | None] = dict(environment or {})
        """Its own environment variables while another state is active; None: not set."""
        streams = {"stdout": stdout, "stderr": stderr}
        self._streams = {name: stream for name, stream in streams.items() if stream is not None}
        self._modules: dict[str, ModuleType] = {"__main__": self.main}
        self._others: dict[str, ModuleType] = {}
        self._hidden = _shadowed(script.parent)
        self._count = 0
        self.folder = Folder(os.fspath(script.parent))

    def enter(self) -> None:
        """Switch the process to this controller's state, except for folder and environment."""
        modules, others = sys.modules, self._others
        if self._hidden:
            for name in self._hidden:
                if name in modules:
                    others[name] = modules.pop(name)
        others["__main__"] = modules["__main__"]
        if len(self._modules) > 1:
            modules.update(self._modules)
        else:
            modules["__main__"] = self.main
        self._count = len(modules)
        sys.argv, self._argv = self._argv, sys.argv
        sys.path, self._path = self._path, sys.path
        if self._streams:
            self._exchange_streams()

    def leave(self) -> None:
        """Switch the process back to the simulator's state, except for folder and environment."""
        if self._streams:
            self._exchange_streams()
        sys.argv, self._argv = self._argv, sys.argv
        sys.path, self._path = self._path, sys.path
        modules = sys.modules
        if len(modules) != self._count:
            self._modules = {n: m for n, m in modules.items() if n.partition(".")[0] in self.own_names}
        if len(self._modules) > 1:
            for name in self._modules:
                modules.pop(name, None)
        if self._hidden:
            modules.update(self._others)
        else:
            modules["__main__"] = self._others["__main__"]

    def moved(self) -> None:
        """Record that the controller has changed its folder."""
        self.folder.close()
        self.folder = Folder(os.getcwd())

    def close(self) -> None:
        """Close the folder; the state cannot be entered again."""
        self.folder.close()

    def find(self, name: str) -> ModuleSpec | None:
        """Find a top-level module among the controller's private ones, and record it."""
        entries = [one for one in sys.path if one not in self._shared]
        found = PathFinder.find_spec(name, entries)
        if found is not None:
            self.own_names.add(name)
        return found

    def owns(self, function: Callable[..., object]) -> bool:
        """Return True unless a function comes from a shared module."""
        home = getattr(function, "__module__", None)
        return home not in sys.modules or str(home).partition(".")[0] in self.own_names

    def _exchange_streams(self) -> None:
        for name, stream in self._streams.items():
            self._streams[name] = getattr(sys, name)
            setattr(sys, name, stream)


class StateSwitch:
    """Tracks whose state is active, and redirects process-wide calls of Python to it.

    It replaces `atexit.register`, `atexit.unregister` and `os.chdir`, and finds modules, until it is closed.
    """

    def __init__(self) -> None:
        self.active: ProcessState | None = None
        """State of the running controller; None for the simulator."""
        self._home = self._place = Folder(os.getcwd())
        self._environment: dict[str, str | None] = {}
        """The simulator's values of variables that controllers have of their own, while one is active."""
        self._register, self._unregister, self._chdir = atexit.register, atexit.unregister, os.chdir
        atexit.register, atexit.unregister = self.register, self.unregister  # type: ignore[assignment]
        os.chdir = self.chdir
        sys.meta_path.insert(0, self)

    def close(self) -> None:
        """Restore the original functions, if not done yet."""
        if self not in sys.meta_path:
            return
        atexit.register, atexit.unregister, os.chdir = self._register, self._unregister, self._chdir
        sys.meta_path.remove(self)
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
        place = self._home if state is None else state.folder
        if place is not self._place:
            if place.path != self._place.path:
                os.fchdir(place.number)
            self._place = place

    def _exchange_environment(self, former: ProcessState | None, state: ProcessState | None) -> None:
        """Store the variables of the former state and set those of another; most are equal and stay."""
        stored = self._environment if former is None else former.environment
        wanted = self._environment if state is None else state.environment
        for name in [*stored, *(one for one in wanted if one not in stored)]:
            now = os.environ.get(name)
            stored[name] = now
            if name not in self._environment:
                self._environment[name] = now
            value = wanted[name] if name in wanted else self._environment[name]
            if value == now:
                continue
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        return self.active.find(name) if self.active is not None and path is None else None

    def invalidate_caches(self) -> None:
        """See `importlib.abc.MetaPathFinder`; there are none."""

    def register(self, function: Callable[..., object], *args: Any, **kwargs: Any) -> Callable[..., object]:
        """`atexit.register`: functions from a controller's private modules are called when it ends."""
        if self.active is not None and self.active.owns(function):
            self.active.exits.append((function, args, kwargs))
            return function
        return self._register(function, *args, **kwargs)

    def unregister(self, function: Callable[..., object]) -> None:
        """`atexit.unregister`."""
        if self.active is not None:
            self.active.exits = [one for one in self.active.exits if one[0] != function]
        self._unregister(function)

    def chdir(self, path: Any) -> None:
        """`os.chdir`: each controller has its own current folder."""
        self._chdir(path)
        if self.active is not None:
            self.active.moved()
            self._place = self.active.folder


def _shadowed(folder: Path) -> list[str]:
    """Return loaded modules that a restarted controller would import from its own folder instead."""
    names = {one.stem if one.suffix else one.name for one in folder.iterdir()}
    loaded = [name for name in sorted(names) if name in sys.modules and name not in _KEPT]
    specs = {name: getattr(sys.modules[name], "__spec__", None) for name in loaded}
    return [name for name, spec in specs.items() if getattr(spec, "origin", "built-in") not in _STARTED]
