"""How the physics plugin of a world is built, limited and heard."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from wbridge.wbcore.scene.plugin_files import PluginFiles

LIMIT_S = 30.0
"""Default of the longest duration of a call (s)."""


def _print(text: str) -> None:
    print(text, end="", flush=True)


class PluginOptions(NamedTuple):
    """Options of a simulation for its physics plugin."""

    is_wanted: bool = True
    """False: leave the plugin out, for a copy of a world that follows another one."""
    build: Callable[[PluginFiles], None] | None = None
    """Builds a plugin in C or C++ if its sources are newer; raises PluginError."""
    limit_s: float = LIMIT_S
    """Longest duration of a call of a plugin in C or C++ (s)."""
    note_file: str = ""
    """File that says during a call of a plugin in C or C++ which one it is; "": none."""
    print: Callable[[str], None] = _print
    """Called with the lines of dWebotsConsolePrintf."""
