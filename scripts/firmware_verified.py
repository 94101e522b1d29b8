#!/usr/bin/env python3
"""Generate docs/verified-boards.md: the same sample in C, C++ and Python, verified on every emulated board,
and a robot of many parts on the boards whose emulators have them.

Every flavor is compared that the board's emulator can serve. `--check` compares the file with the results.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402
from tests.firmware.towers import PINS, tower_map  # noqa: E402
from wbridge.hal.table import DeviceTable  # noqa: E402
from wbridge.wbcore.scene.load import load_world  # noqa: E402
from wbridge.wbcore.scene.tables.device_tables import device_tables  # noqa: E402
from wbridge.wbfirmware.boards.board import Board, load_board  # noqa: E402
from wbridge.wbfirmware.boards.flavors import load_flavor  # noqa: E402
from wbridge.wbfirmware.building.build import build  # noqa: E402
from wbridge.wbfirmware.map.propose import propose  # noqa: E402
from wbridge.wbfirmware.map.reading import load_hardware  # noqa: E402
from wbridge.wbfirmware.template_folders import all_board_folders  # noqa: E402
from wbridge.wbverify.flavor_check import HIL, STANDALONE, FlavorResult, check_flavor, desktop_program  # noqa: E402

OUTPUT = ROOT / "docs" / "verified-boards.md"
WORLD = ROOT / "worlds" / "two_wheels.wbt"
STEPS = 1000
SAMPLES = {
    "C": "two_wheels_avoider",
    "C++": "two_wheels_avoider_cpp",
    "Python": "two_wheels_avoider_python",
}
HEAD = f"""# Verified boards

The same sample, an obstacle avoider for the robot of `worlds/two_wheels.wbt`, in C, C++ and Python: each
program is compared with the desktop for {STEPS:,} steps, as by `wbridge firmware verify`, on every emulated
board and in every flavor that its emulator can serve (see [firmware.md](firmware.md#verification)).
*Equal* are values with the same bits on both sides: commands, LEDs, and the sensor values that the controller
read. The others are velocities at the pins, which PWM can express only in steps, and PWM frequencies; they
are *within the tolerance* that is listed there. Written by `make test-firmware`.

| board | language | flavor | steps | equal | within the tolerance | result |
|---|---|---|---|---|---|---|
"""
TOWER = """
## A robot of ten drivers

A time-of-flight sensor, an ultrasonic sensor, a line sensor, a load cell, an orientation sensor, a compass,
two motors, one of which holds its speed by an encoder, and a chain of LEDs (`tests/firmware/towers.py`),
on the boards whose emulators have these parts.

| board | language | flavor | steps | equal | within the tolerance | result |
|---|---|---|---|---|---|---|
"""


class Case(NamedTuple):
    """A comparison."""

    board: Board
    language: str
    flavor: str


def cases() -> Iterator[Case]:
    """Iterate over boards, the languages that they take, and flavors."""
    for name in all_board_folders():
        board = load_board(name)
        if "mqtt" in board.wires:
            continue  # Wi-Fi boards, whose sketches run on this computer
        for language in SAMPLES:
            if (language == "Python") == (board.python is not None):
                flavors = (STANDALONE,) if board.python is not None else (HIL, STANDALONE)
                yield from (Case(board, language, flavor) for flavor in flavors)


def compared(case: Case, table: DeviceTable, folder: Path) -> FlavorResult:
    """Build the firmware of a case and compare it."""
    controller = ROOT / "controllers" / SAMPLES[case.language]
    map_file = folder / "hardware.toml"
    text = propose(table, str(WORLD), case.board.name)
    begin = text.index('flavor = "')
    end = text.index("\n", begin)
    map_file.write_text(f'{text[:begin]}flavor = "{case.flavor}"\ncontroller = "{controller}"{text[end:]}')
    hardware = load_hardware(map_file, table)
    assert hardware.flavor == load_flavor(case.flavor) and hardware.controller is not None
    program = desktop_program(hardware.controller)
    built = build(hardware, folder / "firmware")
    return check_flavor(hardware, built, lambda: load_world(WORLD), program, STEPS)


def tower_cases() -> list[Case]:
    """Return the boards that have all parts of the robot with ten drivers."""
    boards = [load_board(name) for name in sorted(PINS)]
    return [Case(one, "C" if one.python is None else "Python", STANDALONE) for one in boards]


def compared_tower(case: Case, folder: Path) -> FlavorResult:
    """Build the firmware of the robot with ten drivers for a board and compare it."""
    map_file = tower_map(folder, case.board.name)
    world = folder / "tower.wbt"
    hardware = load_hardware(map_file, device_tables(load_world(world))[0])
    assert hardware.controller is not None
    program = desktop_program(hardware.controller)
    built = build(hardware, folder / "firmware")
    return check_flavor(hardware, built, lambda: load_world(world), program, STEPS)


def row(case: Case) -> str:
    """Return a line of the table."""
    table = device_tables(load_world(WORLD))[0]
    with tempfile.TemporaryDirectory() as folder:
        return _line(case, compared(case, table, Path(folder)))


def tower_row(case: Case) -> str:
    """Return a line of the table of the robot with ten drivers."""
    with tempfile.TemporaryDirectory() as folder:
        return _line(case, compared_tower(case, Path(folder)))


def _line(case: Case, found: FlavorResult) -> str:
    result = "agrees" if found.agrees else f"differs: {found.failure or found.first}"
    print(f"{case.board.name}, {case.language}, {case.flavor}: {result}", flush=True)
    rows = [one for one in found.compared if not one.source]
    equal = sum(one.apart == 0 for one in rows)
    numbers = f"{found.steps} | {equal} | {sum(one.agrees for one in rows) - equal}"
    return f"| `{case.board.name}` | {case.language} | {case.flavor} | {numbers} | {result} |"


def main() -> int:
    """Compare everything, and write or compare the table; return the exit code."""
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        rows = list(pool.map(row, cases()))
        tower = list(pool.map(tower_row, tower_cases()))
    text = HEAD + "\n".join(rows) + "\n" + TOWER + "\n".join(tower) + "\n"
    code = write_or_compare("Make docs/verified-boards.md.", lambda: {OUTPUT: text})
    return max(code, int("differs" in text))


if __name__ == "__main__":
    sys.exit(main())
