"""Where plugins in Python are found: in the project's folder, and in installed packages.

A project has them at `plugins/KIND/NAME/NAME.py` or `plugins/KIND/NAME.py`; installed packages offer them by
entry points of the group `wbridge.KIND`.
"""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path, PurePath
from types import ModuleType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["PluginError", "Plugins"]


class PluginError(Exception):
    """A plugin that cannot be found or used."""


class Plugins(NamedTuple):
    """The plugins of one kind."""

    kind: str
    """What their folder in `plugins` is called."""

    def folder(self, project: str | Path) -> Path:
        """Where a project has them."""
        return Path(project) / "plugins" / self.kind

    def file(self, name: str, project: str | Path) -> Path | None:
        """The file of a project's plugin; None: it has none of this name.

        Args:
            name: of the plugin; names that lead elsewhere name none.
            project: the folder of the project; "": there is none.
        """
        if not project or not name or PurePath(name).name != name:
            return None
        folder = self.folder(project)
        return next((f for f in (folder / name / f"{name}.py", folder / f"{name}.py") if f.is_file()), None)

    def load(self, name: str, file: Path) -> ModuleType:
        """The module in a file, loaded anew: several robots in one process may have the same plugin.

        Raises:
            PluginError: it cannot be loaded.
        """
        spec = spec_from_file_location(f"project_{self.kind.removesuffix('s')}_{name}", file)
        if spec is None or spec.loader is None:
            raise PluginError(f"{file}: no Python module")
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            raise PluginError(f"{file}: {type(error).__name__}: {error}") from None
        return module

    def installed(self) -> dict[str, EntryPoint]:
        """The entry points of installed packages, by name; of several with one name the first."""
        from importlib.metadata import entry_points  # start-up: 34 ms, few robots need it

        return {one.name: one for one in reversed(list(entry_points(group=f"wbridge.{self.kind}")))}

    def load_installed(self, entry: EntryPoint) -> object:
        """What an entry point names.

        Raises:
            PluginError: it cannot be loaded.
        """
        try:
            return entry.load()
        except Exception as error:
            raise PluginError(f"{place_of(entry)}: {type(error).__name__}: {error}") from None

    def names(self, project: str | Path = "") -> set[str]:
        """All that a project (its folder; "": there is none) and installed packages have."""
        found = set(self.installed())
        if project:
            folder = self.folder(project)
            found |= {one.stem for one in folder.glob("*.py")}
            found |= {one.stem for one in folder.glob("*/*.py") if one.stem == one.parent.name}
        return {name for name in found if not name.startswith("_")}


def place_of(entry: EntryPoint) -> str:
    """Where an installed plugin is, for messages."""
    return f"the entry point {entry.value}"
