"""The rover of tests/firmware/rover: a robot of up to fourteen devices with a controller of several files."""

from __future__ import annotations

import shutil
from pathlib import Path

from tests.conftest import CHECKOUT
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.template_folders import board_names

__all__ = ["WITH_LINE", "prepare"]

ROVER = CHECKOUT / "tests" / "firmware" / "rover"
SILENT = """#include "talk.h"

void talk_init(int period) { (void)period; }

void talk_step(long step, bool blocked) { (void)step, (void)blocked; }
"""
"""talk.c where there is no second serial line: calls for devices without a driver are refused."""
AXES, TURNED = 'axes = ["x", "y", "z"]', 'axes = ["-y", "x", "z"]'
"""The inertial part is mounted with a quarter turn."""
WITH_LINE = [name for name in board_names() if load_board(name).able("tx")]
"""Boards that have one."""


def prepare(folder: Path, board: str, has_line: bool) -> Path:
    """Write world, controllers, and the hardware map that is proposed.

    Returns:
        The hardware map, of the flavor standalone.
    """
    shutil.copytree(ROVER, folder, dirs_exist_ok=True)
    world, controller = folder / "worlds" / "rover.wbt", folder / "controllers" / "rover"
    if not has_line:
        (controller / "talk.c").write_text(SILENT)
        # Nobody but the rover has a controller: then it can also lead the world alone.
        world.write_text(world.read_text().replace('controller "station"', 'controller "<none>"'))
    map_ = folder / "hardware.toml"
    words = ["--robot", "rover", "--board", board, "--out", str(map_)]
    assert main(["-q", "firmware", "new", str(world), *words]) == 0
    text = map_.read_text()
    assert text.count('driver = "none"') == (0 if board in WITH_LINE else 2)
    assert text.count(AXES) == 2
    text = text.replace(AXES, TURNED)
    map_.write_text(
        text.replace('flavor = "slave"', 'flavor = "standalone"\ncontroller = "controllers/rover"')
    )
    return map_
