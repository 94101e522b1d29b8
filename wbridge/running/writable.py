"""Check before a run that its output files can be written."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import NamedTuple

from wbridge.failures import InputError
from wbridge.wbcore.scene.diagnostics import did_you_mean


class Output(NamedTuple):
    """A kind of output file."""

    action: str
    """For messages, for example "record to"."""
    name: str
    """For messages, for example "a recording"."""
    suffixes: tuple[str, ...]
    """The suffixes that it may have; the first is proposed."""


def check_output(path: Path | None, kind: Output) -> None:
    """Check that an output file, if requested, can be written, before the run starts.

    Raises:
        InputError: it cannot; the message says what to do.
    """
    if path is None:
        return
    try:
        why = _wrong_suffix(path, kind) or _why_not(path, f"trace{kind.suffixes[0]}")
    except OSError as problem:
        why = str(problem.strerror)
    if why:
        raise InputError(f"cannot {kind.action} {path}: {why}")


def _wrong_suffix(path: Path, kind: Output) -> str:
    if path.suffix in kind.suffixes:
        return ""
    *others, last = kind.suffixes
    allowed = f"{', '.join(others)} or {last}" if others else last
    name = path.parent / f"{path.stem or 'trace'}{kind.suffixes[0]}"
    return f"{kind.name} must be a {allowed} file, for example {name}"


def _why_not(path: Path, example: str) -> str:
    """Return why a file cannot be written, and what to do; "" if no problem is known. `example` is a file
    name, for a path that is a folder."""
    folder = path.parent
    if path.is_dir():
        return f"it is a folder; name a file in it, for example {path / example}"
    if not folder.exists():
        nearest = next(parent for parent in folder.absolute().parents if parent.is_dir())

        wanted = folder.absolute().relative_to(nearest).parts[0]
        hint = did_you_mean(wanted, sorted(folder.name for folder in _folders(nearest)))
        make = f"mkdir -p {shlex.quote(str(folder))}"
        return f"folder {folder} does not exist ({nearest} is one{hint}); create it: {make}"
    if not folder.is_dir():
        return f"{folder} is not a folder"
    if not os.access(path if path.exists() else folder, os.W_OK):
        return f"{path if path.exists() else folder} is not writable by this user"
    return ""


def _folders(folder: Path) -> list[Path]:
    try:
        return [file for file in folder.iterdir() if file.is_dir()]
    except OSError:
        return []
