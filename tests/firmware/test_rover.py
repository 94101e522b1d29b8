"""A robot of twelve devices (motors with encoders, a servo, I2C parts, sensors, LEDs) with a controller of
several files: boards do what the desktop does, with the map that is proposed but for the encoders' counts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import boards, require_board
from wbridge.main import main

ROVER = CHECKOUT / "tests" / "firmware" / "rover"
STEPS = {"host": 300, "arduino-uno": 300}
"""Of boards that `make test` emulates; others make 1,000."""
COUNTS = 360
"""Of the encoders, per turn: each edge takes an emulator time."""


@pytest.mark.parametrize("board", boards())
def test_a_board_with_many_devices_does_what_the_desktop_does(
    board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    map_ = tmp_path / "hardware.toml"
    world = ROVER / "worlds" / "rover.wbt"
    assert main(["-q", "firmware", "new", str(world), "--board", board, "--out", str(map_)]) == 0
    text = re.sub(r"counts = [\d.]+", f"counts = {COUNTS}.0", map_.read_text())
    assert 'driver = "none"' not in text
    controller = ROVER / "controllers" / "rover"
    text = text.replace('flavor = "slave"', f'flavor = "standalone"\ncontroller = "{controller}"')
    map_.write_text(text)
    steps = STEPS.get(board, 1000)
    capsys.readouterr()
    code = main(["firmware", "verify", str(map_), "--steps", str(steps)])
    told = "".join(capsys.readouterr())
    assert code == 0, told
    found = re.findall(r"^(\w+) .*: agrees in \d+ comparisons of \d+ values, (\d+) steps", told, re.MULTILINE)
    assert found == [("hil", str(steps)), ("standalone", str(steps))]
