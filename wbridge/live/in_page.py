"""What the worker of a web page calls: it unpacks a project, and runs a world."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from wbridge.live import projects
from wbridge.live.lazy_packages import load_when_used
from wbridge.live.page_bytes import PageBytes

__all__ = ["allow_packages", "change", "load_by", "run", "unpack", "write"]

PACKAGES_FOLDER = "/packages"


_loaders: list[Callable[[str], object]] = []
"""JavaScript's function that loads an archive, once there is one."""


def allow_packages(names: str) -> None:
    """Let the site's packages be imported.

    Args:
        names: the archive of each package and module, as JSON.
    """
    load_when_used(json.loads(names), PACKAGES_FOLDER, lambda archive: _loaders[-1](archive))


def load_by(load: Callable[[str], object]) -> None:
    """Load archives by a function; its argument is the name of one."""
    _loaders.append(load)


def unpack(data: PageBytes, folder: str) -> str:
    """Unpack a person's project; return its folder.

    Args:
        data: JavaScript's bytes of a zip archive.
        folder: the folder to make.

    Raises:
        ProjectError: see wbridge.live.projects.
    """
    projects.unpack(data.to_bytes(), Path(folder))
    return folder


def write(files: Any, folder: str) -> str:
    """Write a person's project; return its folder.

    Args:
        files: JavaScript's array of pairs, each with a name and bytes.
        folder: the folder to make.

    Raises:
        ProjectError: see wbridge.live.projects.
    """
    projects.write_files([(name, data.to_bytes()) for name, data in files], Path(folder))
    return folder


def change(folder: str, name: str, text: str) -> None:
    """Write a file as a person changed it at an earlier visit, if the project still has it."""
    for file in Path(folder).rglob(Path(name).name):
        if file.is_file() and file.as_posix().endswith(f"/{name}"):
            file.write_text(text, "utf-8")
            return


def run(folder: str, world: str, options: Mapping[str, Any]) -> str:
    """Run a world until its end; return what came of it as JSON.

    Args:
        folder: of the project.
        world: the file in it; "": its first world.
        options: `steps`: the number of steps of a run without the workbench, as fast as possible,
            and `runs`, how often; or `check`: runs by the rubric of an exercise.

    Raises:
        ValueError: the world has errors, or there is none; the message lists them.
    """
    from wbridge.live.page_run import check_world, run_world  # start-up: after `allow_packages`

    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(message)s", force=True)
    if options.get("check"):
        return check_world(Path(folder), world)
    return run_world(Path(folder), world, int(options.get("steps", 0)), int(options.get("runs", 1)))
