"""Find a controller by its name: first in the project's `controllers` folder, then in those of models."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from glob import escape
from pathlib import Path

from wbridge.wbcore.controllers.program_types import CannotStart, Program, program_types
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.places import instance_of
from wbridge.wbcore.scene.projects import proto_project

EXTERN = "<extern>"
GENERIC = ("<generic>", "void")
"""Controllers that only serve the robot's window; "void" until R2018b."""
NONE = ("<none>", "none", "")

SOURCES = (".c", ".cpp", ".cc", ".java")
FILES = (".py", ".m", ".jar", ".class", *SOURCES)
"""Suffixes of what is suggested when it has a controller's name and lies in another place."""


def controller_folders(world: World, robot: Node) -> list[Path]:
    """Return the folders searched for a robot's controllers: beside its world, beside its PROTOs, and the
    bundled ones; each once."""
    projects = [world.project]
    node: Node | None = instance_of(robot)
    while node is not None and node.proto is not None:
        projects.append(proto_project(node.proto.source.path))
        node = node.body
    if world.builtin is not None:
        projects.append(world.builtin)
    return list(dict.fromkeys(Path(os.path.abspath(project)) / "controllers" for project in projects))


def controller_folder(world: World, robot: Node) -> Path | None:
    """Return the folder of the robot's controller, or where it should be; None if it names none."""
    name = str(robot.get("controller"))
    if not name or name.startswith("<"):
        return None
    folders = controller_folders(world, robot)
    return existing_folder(name, folders) or folders[0] / name


def existing_folder(name: str, folders: Iterable[Path]) -> Path | None:
    """Return the first folder of a controller among those that are searched; None if there is none."""
    return next((folder / name for folder in folders if (folder / name).is_dir()), None)


def find_program(name: str, folders: list[Path]) -> Program:
    """Return the controller of this name.

    Args:
        name: name of a controller, or path of its file or folder (contains a slash).
        folders: folders to search in this order.

    Raises:
        CannotStart: not found; the message lists the searched folders and similar names.
    """
    if "/" in name:
        return _at(Path(name).absolute())
    for folder in folders:
        found = _in(folder / name, name)
        if found is not None:
            return found
    raise CannotStart(_missing(name, folders))


def _at(path: Path) -> Program:
    folder, name = (path.parent, path.stem) if path.is_file() else (path, path.name)
    for kind in program_types():
        if path.is_dir() or kind.find(folder, name) == path:
            file = kind.find(folder, name)
            if file is not None:
                return Program(name, file, kind, folder)
    raise CannotStart(_unusable(folder, name) or f"{path}: no controller{_beside(path)}")


def _beside(path: Path) -> str:
    """Suggest the nearest file or folder beside a path that does not exist."""
    return did_you_mean(path.name, sorted(file.name for file in path.parent.glob("*")))


def _in(folder: Path, name: str) -> Program | None:
    if not folder.is_dir():
        return None
    for kind in program_types():
        file = kind.find(folder, name)
        if file is not None:
            return Program(name, file, kind, folder)
    return None


def _missing(name: str, folders: list[Path]) -> str:
    for folder in folders:
        if why := _unusable(folder / name, name):
            return why
    searched = ", ".join(str(folder / name) for folder in folders)
    hint = _misplaced(name, folders[0]) if folders else ""
    return f'controller "{name}" not found; searched: {searched}{hint or did_you_mean(name, _names(folders))}'


def _misplaced(name: str, folder: Path) -> str:
    """Say where a file of this name lies in the project outside its own folder; "" if nowhere near."""
    project = folder.parent
    files = (*project.glob(f"{escape(name)}.*"), *project.glob(f"*/{escape(name)}.*"))
    file = min((file for file in files if file.suffix in FILES), default=None)
    return f"; {file} has this name: move it to {folder / name}{os.sep}" if file is not None else ""


def _names(folders: list[Path]) -> Iterator[str]:
    for folder in folders:
        if folder.is_dir():
            yield from sorted(file.name for file in folder.iterdir() if file.is_dir())


def _unusable(folder: Path, name: str) -> str:
    """Explain why an existing folder has no usable controller; "" if the folder does not exist."""
    if not folder.is_dir():
        return ""
    sources = [folder / f"{name}{suffix}" for suffix in SOURCES if (folder / f"{name}{suffix}").is_file()]
    if sources and folder.name != name and not (folder / "Makefile").is_file():
        return f"{sources[0]} is not compiled; move it to {folder / name}{os.sep}, where wbridge builds it"
    if sources:
        return f"{sources[0]} is not compiled; build it with: {_build_command(folder, sources[0])}"
    if (folder / name).is_file():
        return f"{folder / name} is not executable; run: chmod +x {folder / name}"
    wanted = f"{name}, {name}.py, {name}.class or {name}.jar"
    held = sorted(file.name for file in folder.iterdir())[:10]
    return f'controller "{name}": {folder} has none of {wanted}; it has {", ".join(held) or "nothing"}'


def _build_command(folder: Path, source: Path) -> str:
    if (folder / "Makefile").is_file():
        return f"make -C {folder}"
    if source.suffix == ".java":
        return f'javac -cp "$WEBOTS_HOME/lib/controller/java/Controller.jar" {source}'
    include, library = '-I"$WEBOTS_HOME/include/controller/c"', '-L"$WEBOTS_HOME/lib/controller" -lController'
    if source.suffix == ".c":
        return f"gcc {include} -o {source.with_suffix('')} {source} {library} -lm"
    include = include.replace("/controller/c", "/controller/cpp")
    return f"g++ {include} -o {source.with_suffix('')} {source} {library.replace('-lC', '-lCppC')}"
