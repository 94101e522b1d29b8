"""Finds the physics plugin of a world (manual, 6.2): a library, its sources, or a Python module."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbridge.wbcore.scene.node import walk
from wbridge.wbcore.scene.projects import proto_project

if TYPE_CHECKING:
    from wbridge.wbcore.scene.world import World

NO_PLUGIN = ("", "<none>", "none")
SUFFIXES = (".c", ".cpp", ".cc", ".cxx")
MAKEFILES = ("Makefile", "makefile", "GNUmakefile")


class PluginFiles(NamedTuple):
    """The files of a plugin."""

    name: str
    folder: Path

    @property
    def script(self) -> Path | None:
        """The Python module, if the plugin has no sources in C or C++."""
        file = self.folder / f"{self.name}.py"
        return file if file.is_file() and not self.sources else None

    @property
    def sources(self) -> list[Path]:
        """The C and C++ sources, directly in the folder."""
        return sorted(file for file in self.folder.iterdir() if file.suffix in SUFFIXES)

    @property
    def has_makefile(self) -> bool:
        """True if a Makefile says how to build it."""
        return any((self.folder / name).is_file() for name in MAKEFILES)

    @property
    def library(self) -> Path | None:
        """The library: NAME.so, or libNAME.so as since Webots 7; None if it is not built."""
        names = (f"{self.name}.so", f"lib{self.name}.so", f"build/release/lib{self.name}.so")
        found = [self.folder / name for name in names if (self.folder / name).is_file()]
        return max(found, key=lambda file: file.stat().st_mtime, default=None)

    @property
    def is_there(self) -> bool:
        """True if there is something to load or to build."""
        if not self.folder.is_dir():
            return False
        return bool(self.script or self.sources or self.library or self.has_makefile)


def physics_folders(world: World) -> list[Path]:
    """Return the folders searched for physics plugins, in this order: of the project, of the projects of its
    PROTOs, as in Webots, and those that come with wbridge; each once."""
    projects: list[Path] = [Path(world.project)]
    for node in walk(world.nodes):
        if node.proto is not None:
            projects.append(Path(proto_project(node.proto.source.path)))
    if world.builtin is not None:
        projects.append(Path(world.builtin))
    return list(dict.fromkeys(project.absolute() / "plugins" / "physics" for project in projects))


def plugin_files(name: str, folders: Iterable[Path]) -> PluginFiles | None:
    """Return the first plugin of this name; None if there is none."""
    if Path(name).name != name:
        return None  # a name, not a path
    found = (PluginFiles(name, folder / name) for folder in folders)
    return next((files for files in found if files.is_there), None)
