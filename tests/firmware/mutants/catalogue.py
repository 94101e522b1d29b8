"""Faults from a catalogue of failures of embedded systems: at least nine of ten must be found.

usage: python -m tests.firmware.mutants.catalogue [--record] [--part=N/M] [CATALOGUE.toml]... [BOARD]...

With `--record`, what became of each is kept in verdicts.json, of which scripts/generate_tried_faults.py makes
tables. With `--part=2/6`, the second sixth of the faults of each board is tried.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.firmware.mutants.changed import failed_test
from tests.firmware.mutants.judge import KILLED, ROVER, SURVIVED, Bed, Verdict
from wbridge.wbfirmware.template_folders import read_toml

__all__ = ["FEW", "LEAST", "VERDICTS", "Fault", "read_faults", "read_verdicts"]

CATALOGUE = "catalogue.toml"
STEPS, ARENA = 150, "1.2 1.2"
LEAST = 0.9
"""Share of the faults that must be found, of a list and of each board with at least FEW of them."""
FEW = 10
PART = "--part="
VERDICTS = Path(__file__).with_name("verdicts.json")
Verdicts = dict[str, dict[str, dict[str, Verdict]]]
"""By catalogue, board and fault."""


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
    test: str = ""
    """A file of tests that finds it in place of verification, which is too short for it."""


def read_faults(name: str) -> dict[str, list[Fault]]:
    """Return the faults of a catalogue in this folder by board."""
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return {board: [Fault(**row) for row in rows] for board, rows in read_toml(text).items()}


def read_verdicts() -> Verdicts:
    """Return what was recorded of the last trial of each catalogue and board."""
    kept = json.loads(VERDICTS.read_text(encoding="utf-8")) if VERDICTS.exists() else {}
    return {
        catalogue: {
            board: {name: Verdict(*row) for name, row in rows.items()} for board, rows in boards.items()
        }
        for catalogue, boards in kept.items()
    }


def _record(catalogue: str, board: str, verdicts: dict[str, Verdict]) -> None:
    """Keep verdicts in place of older ones; former faults have no row any more."""
    kept = read_verdicts()
    rows = kept.setdefault(catalogue, {}).get(board, {}) | verdicts
    names = [fault.name for fault in read_faults(catalogue)[board]]
    kept[catalogue][board] = {name: rows[name] for name in names if name in rows}
    VERDICTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _tried(board: str, faults: list[Fault], robot: str, folder: Path) -> dict[str, Verdict]:
    """Return what became of the faults of a robot, by name, and print it."""
    bed = Bed(folder, board, STEPS, ARENA, robot)
    problem = bed.agrees()
    if problem:
        raise SystemExit(f"{board}: without any fault: {problem}")
    verdicts = {}
    for fault in faults:
        verdict = bed.judge_text(fault.file, fault.text, fault.wrong)
        if verdict.kind == SURVIVED and fault.test:
            why = failed_test(folder, fault.file, fault.text, fault.wrong, fault.test, board)
            verdict = Verdict(KILLED, why) if why else verdict
        verdicts[fault.name] = verdict
        print(f"{board} {verdict.kind:11} {fault.name}\n{'':12}{fault.survives or verdict.why}", flush=True)
    return verdicts


def _part(faults: list[Fault], words: list[str]) -> list[Fault]:
    """Return the part that is chosen, sorted by robots, so that few of them are built for it."""
    number, count = next((word[len(PART) :].split("/") for word in words if word.startswith(PART)), (1, 1))
    place, size = int(number) - 1, -(-len(faults) // int(count))
    return sorted(faults, key=lambda fault: fault.robot)[place * size : (place + 1) * size]


def main(words: list[str]) -> int:
    """Try the faults of some boards; 1 if too few are found on one."""
    names = [word for word in words if word.endswith(".toml")] or [CATALOGUE]
    boards = [word for word in words if word not in names and not word.startswith("--")]
    failed = 0
    for name in names:
        faults = {board: _part(rows, words) for board, rows in read_faults(name).items()}
        deaths = total = 0
        for board in [board for board in boards or faults if board in faults]:
            verdicts: dict[str, Verdict] = {}
            for robot in sorted({fault.robot for fault in faults[board]}):
                own = [fault for fault in faults[board] if fault.robot == robot]
                with tempfile.TemporaryDirectory(prefix="wbridge-mutants-") as folder:
                    verdicts |= _tried(board, own, robot, Path(folder))
            killed = sum(verdict.kind == KILLED for verdict in verdicts.values())
            print(f"{name}, {board}: {killed} of {len(verdicts)} faults are found", flush=True)
            deaths, total = deaths + killed, total + len(verdicts)
            failed += len(verdicts) >= FEW and killed < LEAST * len(verdicts)
            if "--record" in words:
                _record(name, board, verdicts)
        failed += deaths < LEAST * total
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
