"""Faults seeded into the files of boards are found by the build or by `wbridge firmware verify`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.mutants.catalogue import read_faults
from tests.firmware.mutants.judge import KILLED, Bed
from tests.firmware.mutants.operators import Mutant
from wbridge.wbfirmware.template_folders import read_toml

FAULTS: dict[str, list[dict[str, Any]]] = read_toml(
    Path(__file__).with_name("mutants").joinpath("boards.toml").read_text(encoding="utf-8")
)
WHOLE = "arduino-mega", "pico"
"""Boards with faults of every kind; the others share most files with boards that have more."""
KINDS = {
    *("pin map", "timer setting", "PWM scaling", "ADC reference", "encoder sign", "I2C address"),
    "byte order",
}
CRASH = "the comparison has crashed"
"""Of the comparison itself, which would find nothing else either."""
TORN = "encoder: read while interrupts count"
"""A fault of the Uno's list: its lock around four bytes is missing, of which other AVRs have the same."""
STEPS = 150
"""Of the world: the rover turns, looks around and blinks within them."""
ARENA = "1.2 1.2"
"""Size of the floor, in m: the rover sees its walls."""


def mutant(bed: Bed, fault: dict[str, Any]) -> Mutant:
    """The line of a project that a fault changes: the last one with its text."""
    lines = bed.sources[fault["file"]].splitlines()
    line = max(k for k, one in enumerate(lines) if fault["text"] in one)
    before = lines[line].strip()
    after = before.replace(fault["text"], fault["wrong"])
    return Mutant(fault["file"], line + 1, fault["kind"], before, after)


@pytest.mark.parametrize("board", WHOLE)
def test_there_are_faults_of_every_kind(board: str):
    assert {fault["kind"] for fault in FAULTS[board]} >= KINDS


@pytest.mark.boards
@pytest.mark.parametrize("board", boards(*FAULTS))
def test_every_fault_is_found(board: str, tmp_path: Path):
    require_board(board)
    faults = FAULTS[board]
    bed = Bed(tmp_path, board, STEPS, ARENA)
    assert bed.agrees() == ""
    keys = [(fault["file"], fault["text"], fault["wrong"]) for fault in faults]
    verdicts = {key: bed.judge(mutant(bed, fault)) for key, fault in zip(keys, faults, strict=True)}
    assert {key: one for key, one in verdicts.items() if one.kind != KILLED or CRASH in one.why} == {}


@pytest.mark.boards
@pytest.mark.parametrize("board", boards("arduino-uno", "arduino-mega"))
def test_a_count_that_is_read_while_it_changes_is_found(board: str, tmp_path: Path):
    """Four bytes are loaded one by one (AVR instruction set, LDS and LDD): an edge between two tears them."""
    require_board(board)
    (fault,) = (row for row in read_faults("outsider.toml")["arduino-uno"] if row.name == TORN)
    bed = Bed(tmp_path, board, STEPS, ARENA)
    assert bed.agrees() == ""
    verdict = bed.judge_text(fault.file, fault.text, fault.wrong)
    assert verdict.kind == KILLED and "position read as an edge comes" in verdict.why
