"""Build the physics plugin of a world in C or C++ before a run if its sources are newer than its library."""

from __future__ import annotations

import logging
from pathlib import Path

from wbridge.libcontroller.compiling import BuildError
from wbridge.libcontroller.plugin_building import build_physics_plugin
from wbridge.wbcore.engine.ode_build import plugin_environment
from wbridge.wbcore.physics.errors import PluginError
from wbridge.wbcore.physics_plugins.symbols import undefined_symbols
from wbridge.wbcore.scene.plugin_files import PluginFiles

_LOG = logging.getLogger("wbridge")
HEADERS = ("*.h", "*.hh", "*.hpp")
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


def build_plugin(files: PluginFiles) -> None:
    """Build a plugin unless its library is up to date.

    Raises:
        PluginError: it cannot be built; an outdated library is never loaded instead.
    """
    sources = _sources(files)
    if not sources or _is_current(files.library, sources):
        return
    _LOG.info("building %s", files.folder)
    try:
        build_physics_plugin(files.folder, plugin_environment())
    except BuildError as problem:
        raise PluginError(f'physics plugin "{files.name}": {problem}') from None
    except OSError as problem:
        where = problem.filename or files.folder
        why = problem.strerror or problem
        raise PluginError(f'physics plugin "{files.name}": cannot build it: {where}: {why}') from None


def _sources(files: PluginFiles) -> list[Path]:
    """Return the files that a library depends on; none for a library without sources."""
    headers = [file for pattern in HEADERS for file in files.folder.rglob(pattern)]
    makefiles = [files.folder / makefile for makefile in MAKEFILES if (files.folder / makefile).is_file()]
    return [*files.sources, *headers, *makefiles] if files.sources or makefiles else []


def _is_current(library: Path | None, sources: list[Path]) -> bool:
    if library is None or library.stat().st_mtime < max(file.stat().st_mtime for file in sources):
        return False
    try:
        undefined_symbols(library)
    except ValueError:
        return False  # of another system, as often in public projects
    return True
