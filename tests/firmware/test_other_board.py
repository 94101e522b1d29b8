"""A project that is built for another board in the same folder: nothing of the former one is left."""

from __future__ import annotations

from pathlib import Path

from tests.firmware.conftest import require_board
from tests.firmware.onboard import AVOIDER, hardware
from wbridge.wbfirmware.building.build import build

MACHINE, AVR = 18, 83
"""Where an ELF file tells its processor, and its number of the AVR."""


def test_the_board_of_a_map_can_be_changed(tmp_path: Path):
    boards = ("host", "arduino-uno")
    for board in boards:
        require_board(board)
    made = [hardware(tmp_path, board, "standalone", str(AVOIDER)) for board in boards]
    _, built = [build(one, tmp_path / "firmware") for one in made]
    assert built.program.read_bytes()[MACHINE] == AVR
