"""Finds the compiled engine of an installed wbridge for sources that hide it.

Python started in the root of a checkout imports the sources there, which have no compiled engine. That of
an installed wbridge serves them if it offers the same: if both descriptions of it (`_engine.pyi`) are equal.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

__all__ = ["folder_of_engine"]

HERE = Path(__file__).resolve().parent
DESCRIPTION = "_engine.pyi"


def folder_of_engine() -> str:
    """The folder with the compiled engine.

    Raises:
        ImportError: there is none that fits these sources; the message says what helps.
    """
    found = [one for one in _candidates() if _has_engine(one)]
    wanted = (HERE / DESCRIPTION).read_bytes()
    for folder in found:
        description = folder / DESCRIPTION
        if description.is_file() and description.read_bytes() == wanted:
            return str(folder)
    source = HERE.parent.parent
    if found:
        why = f"has no compiled engine, and that of the installed wbridge ({found[0]}) is of another version"
    else:
        why = "has no compiled engine"
    raise ImportError(
        f"{source} {why}: compile it with `make build` there and use {source}/.venv/bin/python, or run "
        "`pip install .` there again",
        name="wbcore.engine._engine",
    )


def _candidates() -> list[Path]:
    """Where packages of this name are installed, except for this one."""
    return [place for one in sys.path if (place := Path(one).resolve() / "wbcore" / "engine") != HERE]


def _has_engine(folder: Path) -> bool:
    return any((folder / f"_engine{end}").is_file() for end in EXTENSION_SUFFIXES)
