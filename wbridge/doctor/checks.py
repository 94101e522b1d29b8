"""All checks of `wbridge doctor`, in the order in which they are printed."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from wbridge.doctor.check import Check
from wbridge.hal.folders import cache_folder
from wbridge.hal.installation import extra_command, installation, requirements, update_command
from wbridge.running.browser import has_display
from wbridge.wbcore.scene.builtin import builtin_directory

EXTRAS = {
    "windows": "views and robot windows in the browser",
    "render": "pictures of cameras",
    "movie": "movies of a run",
    "remote": "real robots over serial, MQTT and USB",
    "firmware": "firmware projects for boards",
    "fleet": "sweeps and calibration",
    "gym": "environments for learning",
    "cluster": "sweeps on many machines",
    "tables": "tables of sweeps as pandas, Arrow and Parquet",
}
"""The extras of the distribution, and what each is for."""


class Program(NamedTuple):
    """A program of the system."""

    command: str
    packages: str
    """Debian packages that have it."""
    purpose: str


PROGRAMS = (
    Program("cc", "gcc", "controllers in C"),
    Program("c++", "g++", "controllers in C++, and physics plugins"),
    Program("javac", "default-jdk-headless", "controllers in Java"),
    Program("octave", "octave", "controllers in MATLAB's language"),
    Program("avr-gcc", "gcc-avr avr-libc", "firmware for the Arduino Uno and Mega"),
    Program("arm-none-eabi-gcc", "gcc-arm-none-eabi libnewlib-arm-none-eabi", "firmware for boards with ARM"),
    Program("bwrap", "bubblewrap", "grading programs in isolation"),
)


def all_checks() -> list[Check]:
    """Look at everything; nothing is installed or changed."""
    return [_version(), _python(), _engine(), _models(), *_extras(), *_programs(), *_rights()]


def _version() -> Check:
    own = installation()
    return Check("wbridge", "everything", True, f"{own.version} ({own.source or own.kind})", is_needed=True)


def _python() -> Check:
    detail = f"{platform.python_version()} ({sys.executable})"
    return Check("Python", "everything", True, detail, is_needed=True)


def _engine() -> Check:
    try:
        from wbridge.wbcore.engine import _engine as engine  # start-up: only this needs it
    except ImportError as problem:
        return Check("physics engine", "simulation", False, str(problem), update_command(), is_needed=True)
    return Check("physics engine", "simulation", True, Path(str(engine.__file__)).name, is_needed=True)


def _models() -> Check:
    try:
        folder = builtin_directory()
        cache = cache_folder()
    except OSError as problem:
        advice = "export WBRIDGE_CACHE=FOLDER, with a folder that you may write"
        return Check("models and cache", "sample worlds", False, str(problem), advice, is_needed=True)
    detail = f"{folder}; files that can be recreated go to {cache}"
    return Check("models and cache", "sample worlds", True, detail, is_needed=True)


def _extras() -> Iterator[Check]:
    for extra, purpose in EXTRAS.items():
        missing = [name for name in map(_name, requirements(extra)) if not _is_installed(name)]
        detail = f"not installed: {', '.join(missing)}" if missing else purpose
        yield Check(f"[{extra}]", purpose, not missing, detail, extra_command(extra) if missing else "")


def _name(requirement: str) -> str:
    """Return the name of the distribution in a requirement such as "scipy>=1.15"."""
    return requirement.split(";")[0].strip().partition("[")[0].split("=")[0].rstrip("<>!~ ")


def _is_installed(distribution: str) -> bool:
    # Part of Python from 3.11 on; the requirement says so in a marker.
    if distribution == "tomli" and find_spec("tomllib"):
        return True
    try:
        metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return False
    return True


def _programs() -> Iterator[Check]:
    for program in PROGRAMS:
        path = shutil.which(program.command)
        advice = "" if path else f"sudo apt install {program.packages}"
        yield Check(program.command, program.purpose, path is not None, path or program.purpose, advice)


def _rights() -> Iterator[Check]:
    shown = has_display()
    yield Check(
        "display",
        "opening the browser",
        shown,
        "a browser can be opened" if shown else "pages are only served; open their addresses elsewhere",
    )
    ports = [str(file) for file in sorted(Path("/dev").glob("tty[UA][SC][BM]*"))]
    closed = [port for port in ports if not os.access(port, os.R_OK | os.W_OK)]
    advice = 'sudo usermod -aG dialout "$USER", then log in again' if closed else ""
    detail = f"not allowed: {', '.join(closed)}" if closed else ", ".join(ports) or "no robot is plugged in"
    yield Check("serial ports", "real robots", not closed, detail, advice)
