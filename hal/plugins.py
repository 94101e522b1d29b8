"""Find Python plugins in the project folder and in installed packages.

A project stores them at `plugins/KIND/NAME/NAME.py` or `plugins/KIND/NAME.py`; installed packages declare
entry points in the group `wbridge.KIND`.
"""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path, PurePath
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["PluginError", "Plugins"]


class PluginError(Exception):
    """A plugin cannot be found or used."""


class Plugins(NamedTuple):
    """The plugins of one kind."""

    kind: str
    """Name of their folder in `plugins`."""

    def folder(self, project: str | Path) -> Path:
        """The folder of a project's plugins."""
        return Path(project) / "plugins" / self.kind

    def file(self, name: str, project: str | Path) -> Path | None:
        """The file of a project's plugin, or None.

        Args:
            name: name of the plugin, without folders.
            project: the project folder; "" for none.
        """
        if not project or not name or PurePath(name).name != name:
            return None
        folder = self.folder(project)
        return next((f for f in (folder / name / f"{name}.py", folder / f"{name}.py") if f.is_file()), None)

    def library(self, name: str, project: str | Path) -> Path | None:
        """The shared library of a project's plugin, or None; arguments as for `file`."""
        if not project or not name or PurePath(name).name != name:
            return None
        folder = self.folder(project) / name
        return next((f for f in (folder / f"lib{name}.so", folder / f"{name}.so") if f.is_file()), None)

    def load(self, name: str, file: Path) -> ModuleType:
        """Load the module in a file. Each call creates a new module, for several robots in one process.

        Raises:
            PluginError: the module cannot be loaded.
        """
        spec = spec_from_file_location(f"project_{self.kind.removesuffix('s')}_{name}", file)
        if spec is None or spec.loader is None:
            raise PluginError(f"{file}: not a Python module")
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise PluginError(f"{file}: {type(error).__name__}: {error}") from None
        return module

    def installed(self) -> dict[str, EntryPoint]:
        """The entry points of installed packages by name; the first if several have the same name."""
        if not _may_be_installed(f"wbridge.{self.kind}"):
            return {}
        from importlib.metadata import entry_points  # start-up: 34 ms, few robots need it

        return {point.name: point for point in reversed(list(entry_points(group=f"wbridge.{self.kind}")))}

    def load_installed(self, entry: EntryPoint) -> object:
        """Load the object of an entry point.

        Raises:
            PluginError: it cannot be loaded.
        """
        try:
            return entry.load()
        except Exception as error:
            raise PluginError(f"{place_of(entry)}: {type(error).__name__}: {error}") from None

    def names(self, project: str | Path = "") -> set[str]:
        """The names of all plugins in a project folder ("" for none) and in installed packages."""
        found = set(self.installed())
        if project:
            folder = self.folder(project)
            found |= {file.stem for file in folder.glob("*.py")}
            found |= {file.stem for file in folder.glob("*/*.py") if file.stem == file.parent.name}
            libraries = folder.glob("*/*.so")
            found |= {
                library.parent.name
                for library in libraries
                if library.stem.removeprefix("lib") == library.parent.name
            }
        return {name for name in found if not name.startswith("_")}


def place_of(entry: EntryPoint) -> str:
    """A description of an installed plugin's origin, for messages."""
    return f"the entry point {entry.value}"


def _may_be_installed(group: str) -> bool:
    """False if no package declares entry points of a group. Reading all of them takes ten times as long."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    return len(finders) > 1 or any(_may_be_in(Path(path), group) for path in sys.path)


def _may_be_in(folder: Path, group: str) -> bool:
    try:
        return _is_declared(folder, folder.stat().st_mtime_ns, group.encode())
    except NotADirectoryError:
        return True  # an archive
    except OSError:
        return False


@lru_cache(maxsize=256)
def _is_declared(folder: Path, modified_ns: int, group: bytes) -> bool:
    """True if the metadata of a package in a folder names a group; `modified_ns` makes a changed folder a new
    entry."""
    for name in os.listdir(folder):
        if name.lower().endswith("-info"):
            try:
                if group in (folder / name / "entry_points.txt").read_bytes():
                    return True
            except OSError:
                continue
    return False
