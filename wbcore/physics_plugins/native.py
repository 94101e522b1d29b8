"""Physics plugins in C and C++."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.wbcore.engine import _engine
from wbridge.wbcore.physics.errors import PluginError
from wbridge.wbcore.physics_plugins.symbols import undefined_symbols

if TYPE_CHECKING:
    from wbridge.wbcore.physics.world import PhysicsWorld
    from wbridge.wbcore.physics_plugins.host import PluginHost
    from wbridge.wbcore.physics_plugins.options import PluginOptions
    from wbridge.wbcore.scene.plugin_files import PluginFiles
    from wbridge.wbcore.visual.drawn import Drawn

PREFIXES = ("dWebots", "dGeom", "dBody", "dJoint", "dWorld", "dSpace", "dMass", "dAre", "dCreate")
"""Of functions of the simulator and of ODE. A library may bring others itself, in libraries that it needs."""
GL = {
    "gl": ("libGL.so.1", "libgl1"),
    "glu": ("libGLU.so.1", "libglu1-mesa"),
    "glut": ("libglut.so.3", "freeglut3"),
}
"""Libraries of the system, for calls that the engine does not record (gl_calls.cpp). Plugins are often not
linked with them, because Webots has them."""
_loaded: set[Path] = set()
"""The libraries that this process has loaded. Loading one again would share its variables."""


class NativePlugin:
    """A plugin in a shared library, in one world."""

    def __init__(
        self, files: PluginFiles, physics: PhysicsWorld, host: PluginHost, options: PluginOptions
    ) -> None:
        """Load the library.

        Raises:
            PluginError: it is not built, lacks a function, or does not fit this simulator.
        """
        library = files.library
        if library is None:
            raise PluginError(
                f'physics plugin "{files.name}": {files.folder} has no {files.name}.so or '
                f"lib{files.name}.so; `wbridge run` builds it from its sources"
            )
        _check_symbols(files.name, library)
        self._own_copy: tempfile.TemporaryDirectory[str] | None = None
        path = library.resolve()
        if path in _loaded:
            self._own_copy = tempfile.TemporaryDirectory(prefix="wbridge-plugin-")
            path = Path(shutil.copy2(path, self._own_copy.name))
        _loaded.add(path)
        self._plugin = _engine.NativePlugin.load(
            physics.engine,
            files.name,
            str(path),
            host,
            str(library.resolve().parent),
            options.limit_s,
            options.note_file,
        )
        if self._own_copy is not None and os.name == "posix":
            self._own_copy.cleanup()  # a loaded file stays without its name; Windows keeps it until the end

    @property
    def native(self) -> _engine.StepPlugin:
        """The part in the engine's steps."""
        return self._plugin

    def init(self) -> None:
        """Call webots_physics_init."""
        self._plugin.init()

    def cleanup(self) -> None:
        """Call webots_physics_cleanup."""
        self._plugin.cleanup()

    @property
    def state_version(self) -> int | None:
        """Version of what the library saves; None if it lacks the functions for saved states."""
        return self._plugin.state_version if self._plugin.has("webots_physics_save") else None

    def save(self) -> bytes:
        """Return the variables of the library, which it saves itself."""
        return self._plugin.save()

    def restore(self, variables: bytes) -> None:
        """Call webots_physics_restore with what `save` returned."""
        self._plugin.restore(variables)

    @property
    def draws(self) -> bool:
        """True if the plugin has something to draw."""
        return any(self._plugin.has(f"webots_physics_{name}") for name in ("draw", "predraw"))

    def draw(self, view: str | None) -> list[Drawn]:
        """Call webots_physics_draw; return what it draws in a view."""
        from wbridge.wbcore.physics_plugins.drawing import from_native  # start-up: numpy

        return from_native(self._plugin.draw(view))

    def receive(self, data: bytes) -> None:
        """Take a packet for dWebotsReceive."""
        self._plugin.receive(data)

    @property
    def unread(self) -> bytes:
        """The packets for dWebotsReceive that were not read."""
        return self._plugin.unread

    @unread.setter
    def unread(self, data: bytes) -> None:
        """Set the packets for dWebotsReceive."""
        self._plugin.replace_unread(data)


def _check_symbols(name: str, library: Path) -> None:
    """Check that everything that a library needs is there.

    Raises:
        PluginError: some functions are missing; all are listed.
    """
    _engine.open_to_plugins()
    try:
        needed = undefined_symbols(library)
    except ValueError as problem:
        raise PluginError(f'physics plugin "{name}": {library}: {problem}') from None
    _open_gl(name, needed)
    missing = [
        symbol for symbol in needed if symbol.startswith(PREFIXES) and not _engine.is_available(symbol)
    ]
    if missing:
        raise PluginError(
            f'physics plugin "{name}": {library} uses functions that this ODE does not have: '
            f"{', '.join(missing)}{_about(missing)}"
        )


def _open_gl(name: str, needed: list[str]) -> None:
    """Open the system's OpenGL for plugins that call more of it than the engine records.

    Raises:
        PluginError: it is not installed.
    """
    for prefix, (library, package) in GL.items():
        calls = [name for name in needed if name.startswith(prefix) and name[len(prefix)].isupper()]
        absent = [call for call in calls if not _engine.is_available(call)]
        if absent and not _engine.open_system_library(library):
            raise PluginError(
                f'physics plugin "{name}": it calls {absent[0]}, but {library} is not installed; '
                f"apt install {package}"
            )


def _about(missing: list[str]) -> str:
    extended = [name for name in missing if "Suspension" in name or name.startswith("dWebots")]
    return "; they exist only in the ODE of some releases of Webots" if extended else ""
