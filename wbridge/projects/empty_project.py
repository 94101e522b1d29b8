"""A project to start from: a world, a controller, a README, and settings of Git and of editors."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from wbridge.failures import InputError
from wbridge.hal.folders import import_folder
from wbridge.projects.folders import written

WORLD = Path("worlds", "arena.wbt")
_TEMPLATE = Path(__file__).parent / "template"
_NAME = "PROJECT"
"""Stands for the project's name in the files of the template."""


def create_project(folder: Path) -> list[Path]:
    """Write the files of a project; return their paths relative to the folder.

    Args:
        folder: a folder that does not exist yet or is empty, apart from what Git keeps there.

    Raises:
        InputError: the folder has files, is a file, or belongs to an installed package.
        RunError: it cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder that does not exist yet")
    if folder.is_dir() and (there := sorted(file.name for file in folder.iterdir() if file.name != ".git")):
        raise InputError(
            f"{folder} is not empty: it has {', '.join(there[:3])}{', ...' if len(there) > 3 else ''}; "
            "name a folder that does not exist yet"
        )
    contents = _contents(folder.resolve().name)
    with written(folder):
        for path, text in contents.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
    return list(contents)


def _contents(name: str) -> dict[Path, str]:
    files = sorted(file for file in _TEMPLATE.rglob("*") if file.is_file() and file.suffix != ".pyc")
    contents = {
        _target(file): file.read_text(encoding="utf-8").replace(_NAME, _plain(name)) for file in files
    }
    contents[Path(".vscode", "settings.json")] = json.dumps(_editor_settings(), indent=2) + "\n"
    return contents


def _target(file: Path) -> Path:
    below = file.relative_to(_TEMPLATE)
    return Path(".gitignore") if below.name == "gitignore" else below


def _plain(name: str) -> str:
    """Return a name that strings of worlds may have."""
    return name.replace("\\", "").replace('"', "").replace("\n", " ")


def _editor_settings() -> dict[str, object]:
    """Return settings with which editors find this interpreter, and the types of the package controller."""
    return {
        "python.defaultInterpreterPath": sys.executable,
        "python.analysis.extraPaths": [str(import_folder())],
        "files.associations": {"*.wbt": "wrl", "*.proto": "wrl"},
        "files.exclude": {"**/__pycache__": True},
    }
