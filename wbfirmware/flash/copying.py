"""Copy the folder of a board by its REPL; only changed files are sent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from wbridge.wbfirmware.building.micropython.board_folder import MAIN, OURS, SHARED, USER
from wbridge.wbfirmware.flash.repl import RawRepl

BLOCK = 512
"""Bytes of a file in one piece of code."""
HELPERS = """
import os, hashlib, binascii
def _wb_hash(path):
    made = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            while True:
                data = file.read(512)
                if not data:
                    return binascii.hexlify(made.digest()).decode()
                made.update(data)
    except OSError:
        return ""
def _wb_files(path):
    try:
        rows = list(os.ilistdir(path))
    except OSError:
        return
    for row in rows:
        name = path + "/" + row[0]
        if row[1] & 0x4000:
            for one in _wb_files(name):
                yield one
        else:
            yield name
"""


def copy_folder(repl: RawRepl, folder: Path, files: list[str]) -> Iterator[str]:
    """Make a board's files those of a folder, and start the program. Iterates over what was done, in words.

    The main file is removed first and copied last, so that no half-copied program starts.

    Args:
        repl: the REPL, in raw mode.
        folder: the folder.
        files: paths of the files in it.

    Raises:
        ExecutionFailed: a file cannot be written.
        BoardSilent: the board does not answer.
    """
    repl.run(HELPERS)
    changed = [name for name in files if _hash_there(repl, name) != _hash(folder / name)]
    if changed:
        repl.run(f"try:\n    os.remove({MAIN!r})\nexcept OSError:\n    pass")
        changed = [name for name in changed if name != MAIN] + [MAIN]
    for name in _stale(repl, files):
        repl.run(f"os.remove({name!r})")
        yield f"removed {name}"
    for name in changed:
        data = (folder / name).read_bytes()
        _write(repl, name, data)
        yield f"copied {name} ({len(data)} bytes)"
    repl.leave()


def _write(repl: RawRepl, name: str, data: bytes) -> None:
    """Write a file and read it back."""
    for depth in range(1, len(Path(name).parts)):
        part = "/".join(Path(name).parts[:depth])
        repl.run(f"try:\n    os.mkdir({part!r})\nexcept OSError:\n    pass")
    repl.run(f"_wb = open({name!r}, 'wb')")
    for begin in range(0, len(data), BLOCK):
        repl.run(f"_wb.write({data[begin : begin + BLOCK]!r})")
    repl.run("_wb.close()")
    if _hash_there(repl, name) != hashlib.sha256(data).hexdigest():
        repl.run(f"raise OSError({f'{name} was not stored as it was sent'!r})")


def _stale(repl: RawRepl, files: list[str]) -> list[str]:
    """Return files in our folders that are no longer used."""
    listed = [repl.run(f"for one in _wb_files({folder!r}): print(one)") for folder in (OURS, SHARED, USER)]
    there = b"".join(listed).decode("utf-8", "replace").split("\n")
    return sorted({name.strip() for name in there if name.strip()} - set(files))


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _hash_there(repl: RawRepl, name: str) -> str:
    return repl.run(f"print(_wb_hash({name!r}))").decode().strip()
