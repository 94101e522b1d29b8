"""The project that a world or PROTO file belongs to."""

from __future__ import annotations

import os
from pathlib import Path


def world_project(path: str | Path) -> Path:
    """Return the project of a world: the parent of the nearest enclosing folder `worlds`, else the parent of
    its own folder (WbProject.cpp of Webots). If the own folder contains project folders and its parent does
    not, the own folder is the project."""
    folder = Path(os.path.abspath(path)).parent
    for parent in (folder, *folder.parents):
        if parent.name == "worlds":
            return parent.parent
    return folder if _is_project(folder) and not _is_project(folder.parent) else folder.parent


def proto_project(path: str | Path) -> Path:
    """Return the project of a PROTO file: the parent of the nearest enclosing folder `protos` (for a file
    beside its world: `worlds`), else its own folder (5.5.1)."""
    folder = Path(os.path.abspath(path)).parent
    for parent in (folder, *folder.parents):
        if parent.name in ("worlds", "protos"):
            return parent.parent
    return folder


def _is_project(folder: Path) -> bool:
    return any((folder / part).is_dir() for part in ("controllers", "protos", "plugins"))
