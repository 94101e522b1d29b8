"""Physics plugins in Python: modules with the functions of the manual's chapter 6."""

from __future__ import annotations

import os
import traceback
from contextlib import contextmanager
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.hal.plugins import PluginError as CannotLoad
from wbridge.hal.plugins import Plugins
from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.errors import PluginError
from wbridge.wbcore.physics_plugins import calls
from wbridge.wbcore.physics_plugins.saved import FUNCTIONS, VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbridge.wbcore.physics.world import PhysicsWorld
    from wbridge.wbcore.physics_plugins.host import PluginHost
    from wbridge.wbcore.scene.plugin_files import PluginFiles
    from wbridge.wbcore.visual.drawn import Drawn

PREFIX = "webots_physics_"
REQUIRED = ("step", "cleanup")
"""As the manual requires (6.3)."""
RESULTS = (0, 1, 2)


class PythonPlugin:
    """A plugin in a Python module, in one world."""

    def __init__(self, files: PluginFiles, physics: PhysicsWorld, host: PluginHost) -> None:
        """Load the module.

        Raises:
            PluginError: the module fails, or lacks a function.
        """
        self._files, self._physics = files, physics
        self._has_failed = False
        self.calls = calls.Calls(physics, host)
        script = files.script
        assert script is not None, "only plugins without sources in C or C++ are loaded as modules"
        try:
            with self._current():
                module = Plugins("physics").load(files.name, script)
        except CannotLoad as problem:
            raise PluginError(f'physics plugin "{files.name}": {problem}') from None
        self._functions = {
            name.removeprefix(PREFIX): function
            for name, function in vars(module).items()
            if name.startswith(PREFIX) and callable(function)
        }
        is_saving = any(name in self._functions for name in FUNCTIONS)
        self.state_version = int(getattr(module, VERSION, 1)) if is_saving else None
        """Version of what the module saves; None if it lacks the functions for saved states."""
        required = (*REQUIRED, *(FUNCTIONS if is_saving else ()))
        missing = [f"{PREFIX}{name}()" for name in required if name not in self._functions]
        if missing:
            raise PluginError(f'physics plugin "{files.name}": {script} does not define {", ".join(missing)}')
        self._knows_views = self.draws and bool(signature(self._functions["draw"]).parameters)
        has_collide, has_end = ("collide" in self._functions), ("step_end" in self._functions)
        self._plugin = _engine.PythonPlugin(
            physics.engine,
            self._step,
            self._collide if has_collide else None,
            self._step_end if has_end else None,
        )

    @property
    def native(self) -> _engine.StepPlugin:
        """The part in the engine's steps."""
        return self._plugin

    def init(self) -> None:
        """Call webots_physics_init, if the module has it, in the folder of the plugin."""
        self.calls.begin()
        if "init" in self._functions:
            with _in_folder(self._files.folder):
                self._call("init")

    def cleanup(self) -> None:
        """Call webots_physics_cleanup, unless a function has failed."""
        if not self._has_failed:
            self._call("cleanup")

    def receive(self, data: bytes) -> None:
        """Take a packet for dWebotsReceive."""
        self.calls.receive(data)

    @property
    def draws(self) -> bool:
        """True if the plugin has something to draw."""
        return "draw" in self._functions

    def draw(self, view: str | None) -> list[Drawn]:
        """Call webots_physics_draw; return what it draws in a view. Without a parameter, the function draws
        in the main view only."""
        if self._has_failed or not self.draws or (view is not None and not self._knows_views):
            return []
        with self.calls.drawing() as made:
            self._call("draw", *([view] if self._knows_views else []))
        return made

    @property
    def unread(self) -> bytes:
        """The packets for dWebotsReceive that were not read."""
        return self.calls.unread

    @unread.setter
    def unread(self, data: bytes) -> None:
        """Set the packets for dWebotsReceive."""
        self.calls.unread = data

    def save(self) -> object:
        """Return what webots_physics_save returns, which is not of Webots."""
        return self._call("save")

    def restore(self, variables: object) -> None:
        """Call webots_physics_restore with what `save` returned."""
        self._call("restore", variables)

    def _step(self) -> None:
        self.calls.begin_step()
        self._call("step")

    def _step_end(self) -> None:
        self._call("step_end")

    def _collide(self, geom: _engine.PluginGeom, other: _engine.PluginGeom) -> int:
        result = self._call("collide", calls.Geom(geom, self.calls), calls.Geom(other, self.calls))
        if result is None:
            return 0
        if result not in RESULTS:
            raise PluginError(f"{self._place('collide')} returned {result!r}; allowed: 0, 1, 2")
        return int(result)

    def _call(self, name: str, *arguments: object) -> object:
        """Call a function of the plugin.

        Raises:
            PluginError: it raised an exception; the message names the line.
        """
        with self._current():
            try:
                return self._functions[name](*arguments)
            except Exception as error:
                self._has_failed = True
                last = traceback.extract_tb(error.__traceback__)[-1]
                where = f"{os.path.relpath(last.filename)}, line {last.lineno}"
                text = f"{self._place(name)}: {type(error).__name__}: {error} ({where})"
                raise PluginError(text) from error

    def _place(self, name: str) -> str:
        return f'physics plugin "{self._files.name}": {PREFIX}{name} in step {self._physics.engine.steps}'

    @contextmanager
    def _current(self) -> Iterator[None]:
        """Let the functions of `wbridge.wbcore.physics_plugins` act on this plugin's world."""
        before, calls.current = calls.current, self.calls
        try:
            yield
        finally:
            calls.current = before


@contextmanager
def _in_folder(folder: Path) -> Iterator[None]:
    """Make a folder the current one, as the manual says of webots_physics_init (6.3.1)."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
