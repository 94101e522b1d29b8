#!/usr/bin/env python3
"""Generate docs/firmware-sizes.md: the firmware sizes of each board, from the boards' own compilers.

The robots are those of worlds/two_wheels.wbt and, with a display, worlds/radar.wbt, with their controllers in
C and the hardware maps proposed by `wbridge firmware new`. `--check` only compares.
"""

from __future__ import annotations

import os
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402
from wbridge.hal.table import DeviceTable  # noqa: E402
from wbridge.wbcore.scene.load import load_world  # noqa: E402
from wbridge.wbcore.scene.tables.device_tables import device_tables  # noqa: E402
from wbridge.wbfirmware.boards.board import load_board  # noqa: E402
from wbridge.wbfirmware.building.build import Built, build  # noqa: E402
from wbridge.wbfirmware.map.propose import propose  # noqa: E402
from wbridge.wbfirmware.map.reading import load_hardware  # noqa: E402
from wbridge.wbfirmware.template_folders import board_names, flavor_names  # noqa: E402

OUTPUT = ROOT / "docs" / "firmware-sizes.md"
WORLD = ROOT / "worlds" / "two_wheels.wbt"
CONTROLLER = ROOT / "controllers" / "two_wheels_avoider"
RADAR = ROOT / "worlds" / "radar.wbt", ROOT / "controllers" / "radar"
"""A robot with a display, for boards with an I2C bus."""
HEAD = """# Sizes of firmware

What the firmware of the robot in `worlds/two_wheels.wbt` (two motors with encoders, a distance sensor, a
lamp) takes of each board, in bytes, with the hardware map that `wbridge firmware new` proposes. The flavor
`slave` carries the device table where the board does so by default; the others carry the controller
`two_wheels_avoider` in C. RAM are the variables; the stack is a bound from the compiler's numbers and the
calls in the program. Written by `make test-firmware`.

| board | flavor | flash | of | RAM | stack at most | of |
|---|---|---|---|---|---|---|
"""
WITH_DISPLAY = """
The same numbers of the robot in `worlds/radar.wbt`, with its controller `radar` on the board: a servo, an
ultrasonic sensor, and a display of 128 x 64 pixels, whose picture takes 1024 bytes of RAM.

| board | flavor | flash | of | RAM | stack at most | of |
|---|---|---|---|---|---|---|
"""


def made(
    board: str, flavor: str, table: DeviceTable, folder: Path, robot: tuple[Path, Path] = (WORLD, CONTROLLER)
) -> Built:
    """Build the firmware of a robot, given by its world and its controller."""
    text = propose(table, str(robot[0]), board)
    controller = f'\ncontroller = "{robot[1]}"' if flavor != "slave" else ""
    path = folder / "hardware.toml"
    path.write_text(text.replace('flavor = "slave"', f'flavor = "{flavor}"{controller}'))
    return build(load_hardware(path, table), folder / "firmware")


class Case(NamedTuple):
    """A line of a table."""

    board: str
    flavor: str
    robot: tuple[Path, Path]
    """Its world and its controller."""


def cases() -> list[Case]:
    """Return the lines of the table, without boards that are programs on this computer."""
    names = [name for name in board_names() if load_board(name).ram]
    return [Case(name, flavor, (WORLD, CONTROLLER)) for name in names for flavor in flavor_names()]


def cases_with_display() -> list[Case]:
    """Return the lines of the robot with a display, for boards with an I2C bus."""
    boards = [load_board(name) for name in board_names()]
    return [Case(one.name, "standalone", RADAR) for one in boards if one.ram and one.able("sda")]


def row(case: Case) -> str:
    """Build the firmware of a line and return the line."""
    table = device_tables(load_world(case.robot[0]))[0]
    with tempfile.TemporaryDirectory() as folder:
        return _row(made(case.board, case.flavor, table, Path(folder), case.robot), case.flavor)


def _row(built: Built, flavor: str) -> str:
    size, board = built.size, built.board
    numbers = (size.flash, board.flash, size.ram, size.stack, board.ram)
    return f"| `{board.name}` | {flavor} | {' | '.join(map(str, numbers))} |"


def main() -> int:
    """Print the table, and write or compare it; return the exit code."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows, displays = list(pool.map(row, cases())), list(pool.map(row, cases_with_display()))
    text = HEAD + "\n".join(rows) + "\n" + WITH_DISPLAY + "\n".join(displays) + "\n"
    print(text)
    return write_or_compare("Make docs/firmware-sizes.md.", lambda: {OUTPUT: text})


if __name__ == "__main__":
    sys.exit(main())
