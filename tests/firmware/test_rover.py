"""A robot of up to fourteen devices (motors with encoders, a servo, I2C parts, sensors, LEDs, a serial line)
with a controller of several files: boards do what the desktop does, with the map that is proposed."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.firmware.conftest import kinds, require_board
from tests.firmware.rovers import WITH_LINE, prepare
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board

TALKING = "host", "stm32f405", "stm32vldiscovery", "arduino-mega"
"""Boards with a second line, one of each kind; test_verify_packets.py compares the packets of the others."""
RELATED = "nucleo-f401re", "bluepill"
"""Boards with chips of the families of stm32f405 and stm32vldiscovery."""
SILENT = [one for one in kinds() if one not in (*TALKING, *RELATED)] + ["host"]
"""Boards of the other kinds, and the host, whose robot can run alone; all but the line is the same."""
STEPS, FEW = 1000, 150
"""Of the whole comparison, and of the one in `make test`."""
GIVEN_UP = 30
"""Steps after which that was seen."""
LONGEST = 600.0
"""Real time (s) after which the comparison under QEMU hangs, 20 times what it takes on 2 cores."""


def compare(map_: Path, steps: int, capsys: pytest.CaptureFixture[str]) -> str:
    """Both flavors agree in all steps; what was said of it."""
    capsys.readouterr()
    code = main(["firmware", "verify", str(map_), "--steps", str(steps)])
    told = "".join(capsys.readouterr())
    assert code == 0, told
    found = re.findall(r"^(\w+) .*: agrees in \d+ comparisons of \d+ values, (\d+) steps", told, re.MULTILINE)
    assert found == [("hil", str(steps)), ("standalone", str(steps))]
    return told


@pytest.mark.boards
@pytest.mark.parametrize("board", SILENT)
def test_a_board_with_many_devices_does_what_the_desktop_does(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    map_ = prepare(tmp_path, board, has_line=False)
    begun = time.monotonic()
    told = compare(map_, STEPS, capsys)
    assert load_board(board).emulator != "qemu" or time.monotonic() - begun < LONGEST
    assert load_board(board).real == 4 or "run alone, it gives a bit-identical world" in told


@pytest.mark.boards
@pytest.mark.parametrize("board", TALKING)
def test_a_board_that_also_talks_does_what_the_desktop_does(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    compare(prepare(tmp_path, board, has_line=True), STEPS, capsys)


@pytest.mark.parametrize("board", ["host", pytest.param("arduino-uno", marks=pytest.mark.slow)])
def test_the_quick_boards_do_it_for_some_seconds(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    compare(prepare(tmp_path, board, board in WITH_LINE), FEW, capsys)


@pytest.mark.boards
def test_a_reading_that_the_board_gives_up_was_not_ended_wrongly(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """In some phases of the encoders' edges, interrupts keep this board from its bus until it gives up."""
    require_board("arduino-leonardo")
    compare(prepare(tmp_path, "arduino-leonardo", has_line=False), GIVEN_UP, capsys)
