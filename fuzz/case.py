"""Types that all fuzzers share: cases, findings, and the interface of a target."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from random import Random
from typing import Protocol


@dataclass(frozen=True)
class Case:
    """The input files by relative path; `main` is the file to open."""

    files: dict[str, bytes]
    main: str = "worlds/main.wbt"

    @property
    def size(self) -> int:
        """Bytes in all files."""
        return sum(map(len, self.files.values()))

    def write(self, folder: Path) -> Path:
        """Write the files into a folder and return the path of the main file."""
        for name, content in self.files.items():
            path = folder / PurePosixPath(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / PurePosixPath(self.main)


@dataclass
class Finding:
    """A case that revealed a defect."""

    target: str
    seed: str
    number: int
    kind: str
    signature: str
    detail: str = ""
    folder: str = ""
    times: int = field(default=1)


class InvariantError(Exception):
    """The code under test returned a wrong result; the message describes it."""


class Target(Protocol):
    """The code to fuzz. Every exception that `run` raises is a finding."""

    name: str

    def make(self, random: Random) -> Case:
        """Generate a case from random numbers only."""

    def run(self, main: Path) -> None:
        """Run the code under test on a case and catch its documented exceptions."""

    def calls(self, case: Case) -> int:
        """The limit of work for a case, in calls of functions."""
