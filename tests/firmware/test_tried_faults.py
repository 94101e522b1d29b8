"""What is recorded of trials that take long keeps its promises, and is of the faults of today."""

from __future__ import annotations

import re

import pytest

from scripts.generate_tried_faults import DEATHS
from tests.firmware.mutants.catalogue import FEW, LEAST, read_faults, read_verdicts
from tests.firmware.mutants.judge import KILLED
from tests.remote.deaths import LONGEST_S

CATALOGUES = "catalogue.toml", "outsider.toml", "outsider_stm32.toml", "reviewer.toml"
WITHOUT_WATCHDOG = re.compile(r"(create2|epuck|firmata)-python-remote-(all-KILL|wire-cut|computer-STOP)")
"""Nothing is left that could stop the robot."""


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_nine_of_ten_seeded_faults_were_found_on_each_board(catalogue: str):
    verdicts, faults = read_verdicts()[catalogue], read_faults(catalogue)
    assert {board: set(rows) for board, rows in verdicts.items()} == {
        board: {fault.name for fault in rows} for board, rows in faults.items()
    }
    counts = [(sum(row.kind == KILLED for row in rows.values()), len(rows)) for rows in verdicts.values()]
    assert all(killed >= LEAST * tried for killed, tried in counts if tried >= FEW)
    assert sum(killed for killed, _ in counts) >= LEAST * sum(tried for _, tried in counts)


def test_every_robot_stands_in_time_but_for_those_that_nothing_can_stop():
    ends = dict(re.split(r"\s{2,}", line, maxsplit=1) for line in DEATHS.read_text().splitlines())
    milliseconds = {death: int(end[:-3]) for death, end in ends.items() if end.endswith(" ms")}
    assert len(milliseconds) > 100 and max(milliseconds.values()) <= 1000 * LONGEST_S
    assert all(WITHOUT_WATCHDOG.fullmatch(death) for death in ends.keys() - milliseconds.keys())
