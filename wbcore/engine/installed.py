"""Find the compiled engine of an installed wbridge for a source tree without one.

Python started in the root of a checkout imports the sources there, which have no compiled engine. The one of
an installed wbridge is used if both engine interfaces (`_engine.pyi`) are equal.
"""

from __future__ import annotations

import sys
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

HERE = Path(__file__).resolve().parent
DESCRIPTION = "_engine.pyi"


def folder_of_engine() -> str:
    """Return the folder with the compiled engine.

    Raises:
        ImportError: none matches these sources; the message says what to do.
    """
    found = [one for one in _candidates() if _has_engine(one)]
    wanted = (HERE / DESCRIPTION).read_bytes()
    for folder in found:
        description = folder / DESCRIPTION
        if description.is_file() and description.read_bytes() == wanted:
            return str(folder)
    source = HERE.parent.parent
    if found:
        why = f"has no compiled engine, and the installed wbridge ({found[0]}) has another version"
    else:
        why = "has no compiled engine"
    raise ImportError(
        f"{source} {why}: compile it with `make build` there and use {source}/.venv/bin/python, or run "
        "`pip install .` there again",
        name="wbridge.wbcore.engine._engine",
    )


def unusable_engine(problem: ImportError) -> ImportError:
    """Return the error for an engine that lacks a name that these sources import, or that does not start."""
    if problem.name is None:
        return ImportError(str(problem), name="wbridge.wbcore.engine._engine")
    source = HERE.parent.parent
    return ImportError(
        f"{problem}: the compiled engine is older than the sources in {source}; compile it with `make build` "
        "there, or run `pip install .` there again",
        name="wbridge.wbcore.engine._engine",
    )


def _candidates() -> list[Path]:
    """Return where other packages of this name are installed."""
    places = (Path(entry, "wbridge", "wbcore", "engine").resolve() for entry in sys.path)
    return [place for place in places if place != HERE]


def _has_engine(folder: Path) -> bool:
    return any((folder / f"_engine{end}").is_file() for end in EXTENSION_SUFFIXES)
