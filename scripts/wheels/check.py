"""What a wheel must be before it is published."""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Sequence
from pathlib import Path

from scripts.wheels.parts import PARTS, Part
from scripts.wheels.targets import System

__all__ = ["MOST_BYTES", "check", "left_out", "serves", "too_large", "unfit"]

MOST_BYTES = 5_000_000


def check(wheel: Path, system: System, tools: Path) -> list[str]:
    """Return what is wrong with a wheel.

    Args:
        wheel: the file.
        system: for which it is meant.
        tools: Python of an environment with auditwheel.
    """
    return left_out(wheel) + too_large(wheel) + unfit(wheel, system, tools)


def too_large(wheel: Path) -> list[str]:
    """Return a message if a wheel has more bytes than are allowed."""
    size = wheel.stat().st_size
    return [f"{wheel.name} has {size} bytes; at most {MOST_BYTES} are allowed"] if size > MOST_BYTES else []


def unfit(wheel: Path, system: System, tools: Path) -> list[str]:
    """Return why a wheel does not run on a system; arguments as of `check`."""
    command: list[str | Path] = [tools, "-m", "auditwheel", "show", wheel]
    shown = subprocess.run(command, capture_output=True, text=True, check=False)
    if not shown.returncode and serves(shown.stdout, system):
        return []
    return [f"{wheel.name} is not fit for {system.platform}:\n{shown.stdout}{shown.stderr}"]


def serves(report: str, system: System) -> bool:
    """Return whether a report of auditwheel names the platform of a system, or one with an older C library.

    Args:
        report: its text, with lines broken anywhere.
        system: for which the wheel is meant.
    """
    release, processor = system.platform.removeprefix("manylinux_2_").split("_", 1)
    tag = re.search(r'platform tag: "manylinux_2_(\d+)_(\w+)"', " ".join(report.split()))
    return tag is not None and int(tag[1]) <= int(release) and tag[2] == processor


def left_out(wheel: Path, contained: Sequence[Part] = PARTS) -> list[str]:
    """Return a message for each part in the wheel whose license it lacks."""
    names = zipfile.ZipFile(wheel).namelist()
    return [
        f"{wheel.name} has no license of {part.name} ({part.text})"
        for part in contained
        if not any(name.endswith(part.text) for name in names)
    ]
