"""What a controller inside of this process takes for the whole process: modules, arguments, folder, exits.

Python keeps these once per process. They are exchanged when a controller goes on and when it waits again.
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

__all__ = ["OwnWorld", "Switchboard"]

_KEPT = ("__main__", "controller", "hal", "wbcore", "wbridge")
_STARTED = ("built-in", "frozen")
"""Origins of the modules that a Python which has just started has already."""


class OwnWorld:
    """The process as one controller sees it; `enter` and `leave` exchange it for the simulator's.

    Modules found by entries that the controller's `sys.path` has besides the simulator's are its own: another
    controller that imports the same name gets its own module. All others, such as those of the standard
    library and of installed packages, are shared.
    """

    def __init__(
        self,
        board: Switchboard,
        script: Path,
        arguments: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        """
        Args:
            board: tells which world the process is in.
            script: the controller's file, absolute.
            arguments: its arguments, without its own name.
            environment: variables that are added for it.
            stdout: where it prints; None: where this process does.
            stderr: where it prints errors.

        Raises:
            OSError: the folder of the script cannot be opened.
        """
        self.board = board
        self.script = script
        self.main = ModuleType("__main__")
        self.exits: list[tuple[Callable[..., object], tuple[Any, ...], dict[str, Any]]] = []
        """What is to be called at the end, as registered with `atexit`."""
        self.own_names = {"__main__"}
        """Top-level modules that are the controller's own."""
        self._shared = frozenset(sys.path)
        self._argv, self._path = [str(script), *arguments], [str(script.parent), *sys.path]
        self._environment: dict[str, str | None] = dict(environment or {})
        streams = {"stdout": stdout, "stderr": stderr}
        self._streams = {name: stream for name, stream in streams.items() if stream is not None}
        self._has_more = bool(self._environment or self._streams)
        self._modules: dict[str, ModuleType] = {"__main__": self.main}
        self._others: dict[str, ModuleType] = {}
        self._hidden = _shadowed(script.parent)
        self._count = 0
        self._folder = os.open(script.parent, os.O_RDONLY | os.O_DIRECTORY)

    def enter(self) -> None:
        """Make this controller's world that of the process."""
        self.board.active = self
        modules, others = sys.modules, self._others
        for name in self._hidden:
            if name in modules:
                others[name] = modules.pop(name)
        others["__main__"] = modules["__main__"]
        modules.update(self._modules)
        self._count = len(modules)
        sys.argv, self._argv = self._argv, sys.argv
        sys.path, self._path = self._path, sys.path
        os.fchdir(self._folder)
        if self._has_more:
            self._exchange()

    def leave(self) -> None:
        """Make the simulator's world that of the process again."""
        if self._has_more:
            self._exchange()
        os.fchdir(self.board.folder)
        sys.argv, self._argv = self._argv, sys.argv
        sys.path, self._path = self._path, sys.path
        modules = sys.modules
        if len(modules) != self._count:
            self._modules = {n: m for n, m in modules.items() if n.partition(".")[0] in self.own_names}
        if len(self._modules) > 1:
            for name in self._modules:
                modules.pop(name, None)
        modules.update(self._others)
        self.board.active = None

    def moved(self) -> None:
        """The controller has changed its folder."""
        os.close(self._folder)
        self._folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)

    def close(self) -> None:
        """Free the folder; the world cannot be entered any more."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1

    def find(self, name: str) -> ModuleSpec | None:
        """Find a top-level module among the controller's own ones, and note that it is its own."""
        entries = [one for one in sys.path if one not in self._shared]
        found = PathFinder.find_spec(name, entries)
        if found is not None:
            self.own_names.add(name)
        return found

    def owns(self, function: Callable[..., object]) -> bool:
        """True unless a function comes from a module that is shared."""
        home = getattr(function, "__module__", None)
        return home not in sys.modules or str(home).partition(".")[0] in self.own_names

    def _exchange(self) -> None:
        """Exchange variables and streams for those that are kept."""
        kept = {name: os.environ.get(name) for name in self._environment}
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._environment = kept
        for name, stream in self._streams.items():
            self._streams[name] = getattr(sys, name)
            setattr(sys, name, stream)


class Switchboard:
    """Knows in whose world the process is, and passes on to it what Python asks the process for.

    It replaces `atexit.register`, `atexit.unregister` and `os.chdir`, and finds modules, until it is closed.
    """

    def __init__(self) -> None:
        self.active: OwnWorld | None = None
        """The controller that runs; None: the simulator."""
        self.folder = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
        """The simulator's."""
        self._register, self._unregister, self._chdir = atexit.register, atexit.unregister, os.chdir
        atexit.register, atexit.unregister = self.register, self.unregister  # type: ignore[assignment]
        os.chdir = self.chdir
        sys.meta_path.insert(0, self)

    def close(self) -> None:
        """Give the process its own functions back, unless that is done."""
        if self not in sys.meta_path:
            return
        atexit.register, atexit.unregister, os.chdir = self._register, self._unregister, self._chdir
        sys.meta_path.remove(self)
        os.close(self.folder)

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        return self.active.find(name) if self.active is not None and path is None else None

    def invalidate_caches(self) -> None:
        """See `importlib.abc.MetaPathFinder`; there are none."""

    def register(self, function: Callable[..., object], *args: Any, **kwargs: Any) -> Callable[..., object]:
        """`atexit.register`: functions of a controller's own modules are called when it ends."""
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
        """`os.chdir`: a controller's folder is its own."""
        self._chdir(path)
        if self.active is not None:
            self.active.moved()


def _shadowed(folder: Path) -> list[str]:
    """Loaded modules in whose place a controller that starts anew would get files of its folder."""
    names = {one.stem if one.suffix else one.name for one in folder.iterdir()}
    loaded = [name for name in sorted(names) if name in sys.modules and name not in _KEPT]
    specs = {name: getattr(sys.modules[name], "__spec__", None) for name in loaded}
    return [name for name, spec in specs.items() if getattr(spec, "origin", "built-in") not in _STARTED]
