"""What fuzzers work with: cases (a few files), findings, and the interface of a target."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from random import Random
from typing import Protocol


@dataclass(frozen=True)
class Case:
    """The files of one run by their path below a folder; `main` is the one that is opened."""

    files: dict[str, bytes]
    main: str = "worlds/main.wbt"

    @property
    def size(self) -> int:
        """Bytes in all files."""
        return sum(map(len, self.files.values()))

    def write(self, folder: Path) -> Path:
        """Put the files into a folder; returns the path of the main one."""
        for name, content in self.files.items():
            path = folder / PurePosixPath(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder / PurePosixPath(self.main)


@dataclass
class Finding:
    """One case that did what no input may do."""

    target: str
    seed: str
    number: int
    kind: str
    signature: str
    detail: str = ""
    folder: str = ""
    times: int = field(default=1)


class BrokenPromiseError(Exception):
    """The code under test returned, but what it returned is wrong; the text says what."""


class Target(Protocol):
    """Something to be fuzzed. Every exception that `run` lets out is a finding."""

    name: str

    def make(self, random: Random) -> Case:
        """A case that depends on nothing but the random numbers."""

    def run(self, main: Path) -> None:
        """Give the written case to the code under test; documented exceptions stay inside."""

    def seconds(self, case: Case) -> float:
        """The processor time that the case may take."""
