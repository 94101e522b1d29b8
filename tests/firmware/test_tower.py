"""A robot of many parts on boards that run C: 1,000 steps of verify."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_micropython import verify
from tests.firmware.towers import DEVICES, PINS, changing_devices, tower_map
from wbridge.wbfirmware.boards.board import load_board

COMPILED = [name for name in PINS if load_board(name).python is None]
STEPS = 1000


@pytest.mark.boards
@pytest.mark.parametrize("board", boards(*COMPILED))
def test_its_parts_do_the_same_as_the_desktop(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board(board)
    table = tmp_path / "table.csv"
    given = ["--flavor", "standalone", "--table", str(table)]
    assert verify(tower_map(tmp_path, board), *given, steps=STEPS) == 0, capsys.readouterr()
    assert changing_devices(table) == DEVICES
