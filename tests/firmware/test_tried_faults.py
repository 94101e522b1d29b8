"""What is recorded of trials that take long keeps its promises, and is of the faults of today."""

from __future__ import annotations

import re

import pytest

from scripts.generate_tried_faults import DEATHS
from tests.firmware.mutants.catalogue import FEW, LEAST, read_faults, read_verdicts
from tests.firmware.mutants.judge import KILLED
from tests.remote import board_deaths, fates, window_deaths
from tests.remote.deaths import LONGEST_S, deaths
from wbridge.remote_controls.common.unstoppable import UNSTOPPABLE

CATALOGUES = "catalogue.toml", "outsider.toml", "outsider_stm32.toml", "reviewer.toml"
BYTE_STREAMS = ("epuck", "create2", "firmata")
PROCESSES = ("controller", "guard", "gateway", "simulator")
LONGEST_SINGLE_MS = 300
"""Until a robot without a watchdog stands after the end of one process that drives it."""


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_nine_of_ten_seeded_faults_were_found_on_each_board(catalogue: str):
    verdicts, faults = read_verdicts()[catalogue], read_faults(catalogue)
    assert {board: set(rows) for board, rows in verdicts.items()} == {
        board: {fault.name for fault in rows} for board, rows in faults.items()
    }
    counts = [(sum(row.kind == KILLED for row in rows.values()), len(rows)) for rows in verdicts.values()]
    assert all(killed >= LEAST * tried for killed, tried in counts if tried >= FEW)
    assert sum(killed for killed, _ in counts) >= LEAST * sum(tried for _, tried in counts)


def _ends() -> dict[str, str]:
    return dict(re.split(r"\s{2,}", line, maxsplit=1) for line in DEATHS.read_text().splitlines())


def _milliseconds() -> dict[str, int]:
    return {death: int(end[:-3]) for death, end in _ends().items() if end.endswith(" ms")}


def test_every_death_that_is_tried_has_a_row():
    groups = (fates, window_deaths, board_deaths)
    assert list(_ends()) == [*map(str, deaths()), *(name for group in groups for name in group.names())]


def test_every_robot_stands_in_time_but_for_those_that_a_run_names():
    assert max(_milliseconds().values()) <= 1000 * LONGEST_S
    unstoppable = [death for death in deaths() if death.is_unstoppable]
    assert {event.victim for event in UNSTOPPABLE} == {death.victim for death in unstoppable}
    assert _ends().keys() - _milliseconds().keys() == {*map(str, unstoppable)}


def test_robots_of_the_link_do_not_wait_for_their_watchdog_after_the_end_of_a_process():
    ends = {str(death) for death in deaths() if death.victim in PROCESSES and death.signal != "STOP"}
    assert max(_milliseconds()[death] for death in ends) <= LONGEST_SINGLE_MS


def test_robots_without_a_watchdog_stand_sooner():
    single = {str(death) for death in deaths() if death.plugin in BYTE_STREAMS and death.victim in PROCESSES}
    times = {death: time for death, time in _milliseconds().items() if death in single}
    assert times.keys() == single
    assert max(times.values()) <= LONGEST_SINGLE_MS
