"""Which files the rules of the project are about; paths are relative to the checkout, the current folder."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

from scripts.size import GENERATED_MARKS, HEAD_BYTES

PRODUCT = (
    "wbcore",
    "hal",
    "libcontroller",
    "wbfirmware",
    "wbverify",
    "wbfleet",
    "wbridge",
    "controller",
    "vehicle",
    "remote_controls",
    "robot_windows",
)
CHECKOUT = Path(__file__).resolve().parents[2]


@lru_cache(maxsize=1)
def tracked() -> tuple[Path, ...]:
    """Files of the repository, and new ones that git does not ignore."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=CHECKOUT, check=True, capture_output=True, text=True).stdout
    return tuple(sorted(Path(name) for name in listed.split("\0") if name and (CHECKOUT / name).is_file()))


def is_generated(file: Path) -> bool:
    """Does the file say that a script has made it?"""
    with (CHECKOUT / file).open("rb") as stream:
        start = stream.read(HEAD_BYTES)
    return any(mark in start for mark in GENERATED_MARKS)


def hand_written() -> list[Path]:
    """Files that people write."""
    return [file for file in tracked() if not is_generated(file)]


def product_modules() -> list[Path]:
    """Hand-written Python files of the product."""
    return [file for file in hand_written() if file.suffix == ".py" and file.parts[0] in PRODUCT]
