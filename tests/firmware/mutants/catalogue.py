"""Faults from a catalogue of failures of embedded systems: at least nine of ten must be found.

usage: python -m tests.firmware.mutants.catalogue [CATALOGUE.toml] [BOARD]...
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.firmware.mutants.judge import KILLED, ROVER, Bed
from wbridge.wbfirmware.template_folders import read_toml

__all__ = ["Fault", "read_faults"]

CATALOGUE = "catalogue.toml"
STEPS, ARENA = 150, "1.2 1.2"
LEAST = 0.9
"""Share of the faults that must be found."""


class Fault(NamedTuple):
    """A fault in a file of a project."""

    name: str
    file: str
    text: str
    wrong: str
    survives: str = ""
    """Why verification cannot find it; "": it is found."""
    robot: str = ROVER
    """A name in `tests.firmware.mutants.judge.ROBOTS`."""
    reason: str = ""
    """How an engineer comes to it."""


def read_faults(name: str) -> dict[str, list[Fault]]:
    """Return the faults of a catalogue in this folder by board."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return {board: [Fault(**row) for row in rows] for board, rows in read_toml(text).items()}


def found(board: str, faults: list[Fault], robot: str, folder: Path) -> int:
    """Return how many of the faults of a robot are found, and print what became of each."""
    bed = Bed(folder, board, STEPS, ARENA, robot)
    problem = bed.agrees()
    if problem:
        raise SystemExit(f"{board}: without any fault: {problem}")
    count = 0
    for fault in faults:
        verdict = bed.judge_text(fault.file, fault.text, fault.wrong)
        count += verdict.kind == KILLED
        print(f"{board} {verdict.kind:11} {fault.name}\n{'':12}{fault.survives or verdict.why}", flush=True)
    return count


def main(words: list[str]) -> int:
    """Try the faults of some boards; 1 if too few are found on one."""
    names = [one for one in words if one.endswith(".toml")] or [CATALOGUE]
    boards = [one for one in words if one not in names]
    failed = 0
    for faults in map(read_faults, names):
        for board in boards or faults:
            count = 0
            for robot in sorted({one.robot for one in faults[board]}):
                own = [one for one in faults[board] if one.robot == robot]
                with tempfile.TemporaryDirectory(prefix="wbridge-mutants-") as folder:
                    count += found(board, own, robot, Path(folder))
            print(f"{board}: {count} of {len(faults[board])} faults are found")
            failed += count < LEAST * len(faults[board])
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
