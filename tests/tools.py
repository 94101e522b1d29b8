"""Which programs a test may use: those that `make test` installs, and with a marker those of its own target.

A test that uses another one would pass only on machines where somebody installed it by hand. So such a test
fails on every machine: where it asks `require_tool`, where it starts the program itself, and where a program
that it started does (a test without the marker sees a PATH without the programs of the marked ones).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
SCRIPT = CHECKOUT / "scripts" / "system_packages.sh"
BY_MARKER = {
    "boards": ("--boards", "--tests"),
    "browser": ("chromium", "nodejs"),
    "languages": ("--languages", "--tests"),
    "live": ("firefox-esr", "chromium", "nodejs", "--tests"),
    "types": ("--types", "--tests"),
}
"""What the make target that runs tests with a marker gives to the script, first what is its own."""
BY_DEFAULT = ("--tests",)
"""What `make test` and `make test-slow` give to it."""
ESSENTIAL = frozenset({"bash", "cat", "env", "ldconfig", "python3", "sh", "sleep", "true", "uname"})
"""Programs that no system lacks, and Python, which runs the tests."""
SEARCHED = tuple(os.environ.get("PATH", os.defpath).split(os.pathsep))
"""Where programs are installed; what tests put in front for themselves is no installed program."""

_running: list[frozenset[str]] = []
"""The markers of the test that runs, at most one."""


@cache
def programs(option: str) -> frozenset[str]:
    """The programs that scripts/system_packages.sh installs with an option."""
    command = ["bash", str(SCRIPT), "--list", option]
    return frozenset(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())


def allowed(markers: frozenset[str]) -> frozenset[str]:
    """The programs that a test with these markers may use."""
    chosen = [BY_MARKER[one] for one in sorted(markers & BY_MARKER.keys())] or [BY_DEFAULT]
    return ESSENTIAL.union(*(programs(option) for options in chosen for option in options))


def _of_markers() -> frozenset[str]:
    return frozenset().union(*(programs(options[0]) for options in BY_MARKER.values()))


def complaint(program: str, markers: frozenset[str]) -> str | None:
    """Why a test with these markers may not use a program; None when it may."""
    if program in allowed(markers):
        return None
    for marker, options in BY_MARKER.items():
        if program in programs(options[0]):
            return f"`make test` does not install {program}: give the test the marker {marker!r}"
    return f"{SCRIPT.relative_to(CHECKOUT)} does not install {program}: name it there, or do without it"


def check(program: str) -> None:
    """Fail the running test unless it may use a program."""
    if _running and (why := complaint(program, _running[-1])):
        pytest.fail(why)


@contextmanager
def running(markers: frozenset[str]) -> Iterator[None]:
    """Hold a test to the programs that it may use; not on Windows, where no script installs any."""
    if sys.platform == "win32":
        yield
        return
    path = os.environ.get("PATH", os.defpath)
    os.environ["PATH"] = _searched(path, markers)
    _running.append(markers)
    try:
        yield
    finally:
        _running.pop()
        os.environ["PATH"] = path


@cache
def _searched(path: str, markers: frozenset[str]) -> str:
    """PATH without the programs that a test with these markers may not use."""
    forbidden = _of_markers() - allowed(markers)
    return os.pathsep.join(_without(folder, forbidden) for folder in path.split(os.pathsep))


@cache
def _without(folder: str, forbidden: frozenset[str]) -> str:
    """A folder of programs, or, if it has one of the forbidden, another with links to all others."""
    if not any(os.path.lexists(os.path.join(folder, name)) for name in forbidden):
        return folder
    made = folder_for_tests("wbridge-tools-")
    _LINKS.append(made)
    for entry in os.scandir(folder):
        if entry.name not in forbidden:
            os.symlink(entry.path, os.path.join(made, entry.name))
    return made


def folder_for_tests(prefix: str) -> str:
    """Make a folder that several tests share and that is removed after the last one."""
    _FOLDERS.append(tempfile.mkdtemp(prefix=prefix))
    return _FOLDERS[-1]


_FOLDERS: list[str] = []
_LINKS: list[str] = []
"""Those of the folders that have links to programs."""


def clean_up() -> None:
    """Remove the folders that tests shared."""
    for folder in _FOLDERS:
        shutil.rmtree(folder, ignore_errors=True)


def leave_folders() -> None:
    """Leave the folders of now to the process that has made them: this one is forked from it."""
    _FOLDERS.clear()


def _watch_starts(event: str, arguments: tuple[Any, ...]) -> None:
    """Fail a test that starts an installed program which it may not use."""
    if event != "subprocess.Popen" or not _running:
        return
    executable, words = arguments[0], arguments[1]
    name = os.fsdecode(executable or (words if isinstance(words, str | bytes) else words[0]))
    found = os.path.abspath(shutil.which(name) or name)
    if os.path.dirname(found) in _installed() and not _is_python(found):
        check(os.path.basename(found))


def _installed() -> set[str]:
    return {os.path.abspath(folder) for folder in (*SEARCHED, *_LINKS)}


def _is_python(program: str) -> bool:
    return os.path.dirname(program) == os.path.dirname(os.path.abspath(sys.executable))


sys.addaudithook(_watch_starts)
