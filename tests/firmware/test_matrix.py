"""LEDs of a matrix, as the 25 of a micro:bit.

Judge: the schematics of the boards, and the pins in the libraries of Lancaster University for them
(microbit-dal; codal-microbit-v2, inc/MicroBitIO.h and model/MicroBitIO.cpp). V1: rows P0.13 to P0.15,
columns P0.04 to P0.12, and which of the 27 crossings is at which place (the letter is the row). V2: rows
P0.21, P0.22, P0.15, P0.24 and P0.19, columns P0.28, P0.11, P0.31, P1.05 and P0.30, each LED at its own row
and column. An LED is lit while its row is high and its column low.
"""

from __future__ import annotations

import csv
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_micropython import verify
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.problems import HardwareError

PLACES_OF_V1 = ["A1 B4 A2 B5 A3", "C4 C5 C6 C7 C8", "B2 A9 B3 C9 B1", "A8 A7 A6 A5 A4", "C3 B7 C1 B6 C2"]
COLUMNS = {
    "microbit": ("P3", "P4", "P10", "COL4", "COL5", "COL6", "P9", "P7", "P6"),
    "microbit-v2": ("P4", "P7", "P3", "P6", "P10"),
}
CHIP_PINS = {
    "microbit": ((13, 14, 15), (4, 5, 6, 7, 8, 9, 10, 11, 12)),
    "microbit-v2": ((21, 22, 15, 24, 19), (28, 11, 31, 32 + 5, 30)),
}
PICTURE = (".#.#.", "#.#.#", "#...#", ".#.#.", "..#..")


def crossing(board: str, x: int, y: int) -> tuple[int, int]:
    """Row and column of an LED, from 0."""
    if board == "microbit-v2":
        return y, x
    name = PLACES_OF_V1[y].split()[x]
    return "ABC".index(name[0]), int(name[1]) - 1


def lamp(name: str, row: str, column: str) -> str:
    return f'[devices.{name}]\ndriver = "matrix_led"\nrow = "{row}"\ncolumn = "{column}"\n'


def head(board: str) -> str:
    return f'format = 1\nworld = "w.wbt"\nrobot = "all"\nboard = "{board}"\n'


@pytest.mark.parametrize("board", boards("microbit", "microbit-v2"))
def test_a_picture_appears(board: str, tmp_path: Path):
    require_board(board)
    places = [(x, y) for y in range(5) for x in range(5)]
    table = table_of({f"led{x}{y}": ("LED", {}) for x, y in places})
    crossings = {place: crossing(board, *place) for place in places}
    text = head(board)
    for (x, y), (row, column) in crossings.items():
        text += lamp(f"led{x}{y}", f"ROW{row + 1}", COLUMNS[board][column])
    robot = Robot(build(mapped(tmp_path, text, table), tmp_path / "firmware"), table)
    rows = [f"ROW{k + 1}" for k in range(len(CHIP_PINS[board][0]))]
    lit, looks = Counter[tuple[int, int]](), Counter[str]()
    with robot.bench:
        for tag, (x, y) in enumerate(places, 1):
            robot.set(tag, "value", int(PICTURE[y][x] == "#"))
        robot.step()
        robot.pass_time(0.02)
        for _ in range(60):
            robot.pass_time(0.0007)
            states = robot.bench.show_all([*rows, *COLUMNS[board]])
            high = [row for row in rows if states[row].value]
            assert len(high) == 1
            looks[high[0]] += 1
            for place, (row, column) in crossings.items():
                lit[place] += bool(states[rows[row]].value) and not states[COLUMNS[board][column]].value
    assert set(looks) == set(rows)
    assert ["".join(".#"[lit[x, y] > 0] for x in range(5)) for y in range(5)] == list(PICTURE)


@pytest.mark.parametrize("board", CHIP_PINS)
def test_the_lines_are_those_of_the_schematic(board: str):
    header = load_board(board).pins_header
    assert header is not None
    numbers = {name: int(at) for name, at in re.findall(r"#define PIN_(\w+) (\d+)", header.read_text())}
    rows, columns = CHIP_PINS[board]
    assert tuple(numbers[f"ROW{k + 1}"] for k in range(len(rows))) == rows
    assert tuple(numbers[name] for name in COLUMNS[board]) == columns


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot { name "all" children [ LED { name "a" } LED { name "b" } LED { name "c" } ] }
"""
CODE = {
    ".c": """#include <webots/led.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  for (int k = 0; wb_robot_step(16) != -1; k++)
    for (int led = 0; led < 3; led++) {
      const char name[] = {(char)('a' + led), 0};
      wb_led_set(wb_robot_get_device(name), k / 20 >> led & 1);
    }
  return 0;
}
""",
    ".py": """from controller import Robot

robot = Robot()
leds = [robot.getDevice(name) for name in "abc"]
k = 0
while robot.step(16) != -1:
    for place, led in enumerate(leds):
        led.set(k // 20 >> place & 1)
    k += 1
""",
}
LINES = {
    "host": ("D2", "D3", "D4", "D5"),
    "arduino-uno": ("D2", "D3", "D4", "D5"),
    "microbit": ("ROW1", "ROW2", "P3", "COL4"),
    "host-python": ("GP2", "GP3", "GP4", "GP5"),
}


def robot_folder(folder: Path, board: str, suffix: str) -> Path:
    upper, lower, left, right = LINES[board]
    (folder / "w.wbt").write_text(WORLD)
    (folder / f"code{suffix}").write_text(CODE[suffix])
    text = head(board) + f'flavor = "standalone"\ncontroller = "code{suffix}"\n'
    text += lamp("a", upper, left) + lamp("b", upper, right) + lamp("c", lower, left)
    (folder / "hardware.toml").write_text(text)
    return folder / "hardware.toml"


def results(table: Path) -> dict[str, set[tuple[str, str]]]:
    """What verify says of each LED: the result, and what the board showed."""
    found: dict[str, set[tuple[str, str]]] = {}
    with table.open(newline="") as file:
        for row in csv.DictReader(file):
            if row["value"] == "lit":
                found.setdefault(row["device"], set()).add((row["result"], row["board"]))
    return found


@pytest.mark.parametrize(
    ("board", "suffix"),
    [("host", ".c"), pytest.param("arduino-uno", ".c", marks=pytest.mark.slow), ("host-python", ".py")],
)
def test_verify_compares_them(board: str, suffix: str, tmp_path: Path):
    if suffix == ".c":
        require_board(board)
    hardware, table = robot_folder(tmp_path, board, suffix), tmp_path / "table.csv"
    assert verify(hardware, "--flavor", "standalone", "--table", str(table), steps=160) == 0
    assert results(table) == {name: {("agrees", "0.0"), ("agrees", "1.0")} for name in "abc"}


@pytest.mark.boards
def test_verify_compares_them_on_a_microbit(tmp_path: Path):
    require_board("microbit")
    hardware, table = robot_folder(tmp_path, "microbit", ".c"), tmp_path / "table.csv"
    assert verify(hardware, "--flavor", "standalone", "--table", str(table), steps=160) == 0
    assert results(table) == {name: {("agrees", "0.0"), ("agrees", "1.0")} for name in "abc"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hardware map of a robot with Python that was built."""
    hardware = robot_folder(tmp_path_factory.mktemp("matrix"), "host-python", ".py")
    assert main(["-q", "firmware", "build", str(hardware)]) == 0
    return hardware


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        pytest.param("value != 0", "value == 0", marks=pytest.mark.slow),
        pytest.param("may_be_lit and self._is_lit", "may_be_lit", marks=pytest.mark.slow),
        ("value(is_on)", "value(1)"),
    ],
)
def test_verify_finds_a_fault(text: str, wrong: str, built: Path, tmp_path: Path):
    shutil.copytree(built.with_name("firmware"), tmp_path / "firmware")
    place, table = tmp_path / "firmware" / "wb" / "matrix_led.py", tmp_path / "table.csv"
    assert text in place.read_text()
    place.write_text(place.read_text().replace(text, wrong))
    program = str(tmp_path / "firmware" / "main.py")
    more = ("--flavor", "standalone", "--firmware", program, "--table", str(table))
    assert verify(built, *more, steps=130) == 1
    assert any(result != "agrees" for found in results(table).values() for result, _ in found)


@pytest.mark.parametrize(
    ("devices", "problem"),
    [
        (lamp("a", "ROW1", "P3") + lamp("b", "ROW1", "P3"), '"b" is at the same row and column, ROW1 and P3'),
        (lamp("a", "ROW1", "P3") + lamp("b", "P3", "P4"), 'P3 is already used by "a": column'),
        (lamp("a", "ROW1", "P3") + '[devices.b]\ndriver = "gpio_led"\npin = "P3"\n', "P3 is already used"),
    ],
)
def test_wrong_crossings_are_refused(devices: str, problem: str, tmp_path: Path):
    table = table_of({name: ("LED", {}) for name in "ab"})
    with pytest.raises(HardwareError, match=problem):
        mapped(tmp_path, head("microbit") + devices, table)
