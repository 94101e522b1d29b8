"""Faults from a catalogue of failures of embedded systems: at least nine of ten must be found.

usage: python -m tests.firmware.mutants.catalogue [BOARD]...
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.firmware.mutants.judge import KILLED, Bed
from wbfirmware.template_folders import read_toml

__all__ = ["FAULTS", "Fault"]

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
    """Why nothing can find it; "": it is found."""


FAULTS = {
    board: [Fault(**row) for row in rows]
    for board, rows in read_toml(
        Path(__file__).with_name("catalogue.toml").read_text(encoding="utf-8")
    ).items()
}


def found(board: str, faults: list[Fault], folder: Path) -> int:
    """Return how many of the faults are found, and print what became of each."""
    bed = Bed(folder, board, STEPS, ARENA)
    problem = bed.agrees()
    if problem:
        raise SystemExit(f"{board}: without any fault: {problem}")
    count = 0
    for fault in faults:
        verdict = bed.judge_text(fault.file, fault.text, fault.wrong)
        count += verdict.kind == KILLED
        print(f"{board} {verdict.kind:11} {fault.name}\n{'':12}{fault.survives or verdict.why}", flush=True)
    return count


def main(boards: list[str]) -> int:
    """Try the faults of some boards; 1 if too few are found on one."""
    failed = 0
    for board in boards or FAULTS:
        with tempfile.TemporaryDirectory(prefix="wbridge-mutants-") as folder:
            count = found(board, FAULTS[board], Path(folder))
        print(f"{board}: {count} of {len(FAULTS[board])} faults are found")
        failed += count < LEAST * len(FAULTS[board])
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
