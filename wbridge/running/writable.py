"""Check before a run that its output files can be written."""

from __future__ import annotations

import os
import shlex
from pathlib import Path

__all__ = ["why_not_writable"]


def why_not_writable(path: Path, example: str) -> str:
    """Return why a file cannot be written, and what to do; "" if no problem is known.

    Args:
        path: path of the file.
        example: a file name, for a path that is a folder.
    """
    try:
        return _why_not(path, example)
    except OSError as problem:
        return str(problem.strerror)


def _why_not(path: Path, example: str) -> str:
    folder = path.parent
    if path.is_dir():
        return f"it is a folder; name a file in it, for example {path / example}"
    if not folder.exists():
        nearest = next(one for one in folder.absolute().parents if one.is_dir())
        from wbcore.scene.diagnostics import did_you_mean

        wanted = folder.absolute().relative_to(nearest).parts[0]
        hint = did_you_mean(wanted, sorted(one.name for one in _folders(nearest)))
        make = f"mkdir -p {shlex.quote(str(folder))}"
        return f"folder {folder} does not exist ({nearest} is one{hint}); create it: {make}"
    if not folder.is_dir():
        return f"{folder} is not a folder"
    if not os.access(path if path.exists() else folder, os.W_OK):
        return f"{path if path.exists() else folder} is not writable by this user"
    return ""


def _folders(folder: Path) -> list[Path]:
    try:
        return [one for one in folder.iterdir() if one.is_dir()]
    except OSError:
        return []
