"""What a controller prints on the board is compared with the desktop, line by line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, require_board, two_wheels
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbverify.desktop_text import DesktopText, PrintedLine
from wbridge.wbverify.printed_text import TextComparison, compare_text

SINGLE = 64 * 2**-24
"""Relative precision of computed numbers where reals have 4 bytes."""


def compared(
    desktop: Sequence[str], board: bytes, late: bytes = b"", relative: float = 0.0, ended: bool = False
) -> TextComparison:
    """Compare text in which each line of the desktop has a step of its own, and the board is as fast.

    `board` is printed in the two steps of the run, `late` after them.
    """
    lines = [PrintedLine(step, text) for step, text in enumerate(desktop)]
    first = board.find(b"\n") + 1
    return compare_text(lines, board + late, [first, len(board)], relative, ended)


def test_equal_text_agrees():
    found = compared(["one", "two"], b"one\ntwo\n")
    assert found.agrees
    assert str(found) == "2 printed lines agree"
    assert str(compared([], b"")) == "the controller prints nothing"


def test_a_line_that_differs_is_told_with_its_step_and_both_texts():
    found = compared(["one", "two"], b"one\ntwin\n")
    assert not found.agrees
    assert str(found) == (
        '1 of 2 printed lines differ; first: line 2 (step 1): "two" on the desktop, "twin" on the board'
    )


def test_a_line_that_one_side_does_not_print_is_a_difference():
    (missing,) = compared(["one", "two"], b"one\n").differences
    assert missing == (2, 1, "two", None)
    (more,) = compared(["one"], b"one\nmore\n").differences
    assert more == (2, 1, None, "more")
    assert 'line 2 (step 1): nothing on the desktop, "more" on the board' in str(more)


def test_a_slow_serial_line_may_end_the_last_lines_after_the_run():
    assert compared(["one", "two"], b"one\ntw", b"o\n").agrees
    assert not compared(["one", "two"], b"one\n", b"2\n").agrees


def test_what_follows_the_run_is_not_compared_unless_the_controller_has_ended():
    """The desktop's controller then prints its farewell; the board's goes on."""
    lines = ["one", "two", "next", "farewell"]
    assert compared(lines, b"one\ntwo\n", b"next\nthen\n").agrees
    assert compared(lines, b"one\ntwo\nnext\n").agrees  # the board has begun the next step
    assert not compared(lines, b"one\ntwo\n", b"next\nthen\n", ended=True).agrees
    assert compared(lines, b"one\ntwo\n", b"next\nfarewell\n", ended=True).agrees


def test_messages_of_the_libraries_are_not_the_controller_s():
    desktop = ["one", "Error: wb_motor_set_velocity() called with NaN", "two"]
    board = b"one\nwbridge: motor command ignored: NaN\ntwo\n"
    lines = [PrintedLine(0, text) for text in desktop]
    assert compare_text(lines, board, [len(board)], 0.0).agrees
    # It may come within a line that the controller has not finished.
    board = b"onwbridge: a step of 16 ms took 45 ms; overruns so far: 1\ne\ntwo\n"
    assert compare_text(lines, board, [len(board)], 0.0).agrees


def test_ends_of_lines_may_have_a_carriage_return():
    assert compared(["one", "two"], b"one\r\ntwo\r\n").agrees


@pytest.mark.parametrize(
    ("desktop", "board", "is_near"),
    [
        ("x 0.3333333333333333 m", "x 0.33333334 m", True),
        ("x 0.12 m", "x 0.13 m", True),  # 0.125, rounded either way
        ("x 0.12 m", "x 0.14 m", False),
        ("x 1234.567", "x 1234.568", True),
        ("x 1234.567", "x 1234.667", False),
        ("x 1.25e+20", "x 1.24999e+20", True),
        ("x -0.001", "x  0.000", True),
        ("x 12", "x 13", False),  # whole numbers
        ("x 3", "x 2.1", False),
        ("x 0.5", "x 0.512345", False),
        ("x 1e+06", "x 2e+06", False),
        ("x 1e+06", "x 999999", True),
        ("x 1.0 y", "x 1.0 z", False),
        ("x 1.0", "x 1.0 2.0", False),
        ("nan 1.0", "inf 1.0", False),
    ],
)
def test_digits_that_the_board_s_numbers_do_not_have_may_differ(desktop: str, board: str, is_near: bool):
    data = board.encode() + b"\n"
    found = compared([desktop], data, relative=SINGLE)
    assert found.agrees == is_near
    assert len(found.rounded) == is_near
    assert not compared([desktop], data).agrees  # where numbers are those of the desktop


def test_the_step_of_a_line_is_that_in_which_it_is_complete():
    text = DesktopText("robot")
    text.add("robot", "be", False)
    text.add("another", "no\n", False)
    text.add("robot", "gun\nsecond", True)
    text._step = 3
    text.add("robot", "\n", False)
    assert text.lines == [(0, "begun"), (3, "second")]


@pytest.mark.parametrize("value", ['" "', "true", "3"])
def test_a_map_says_why_text_may_differ(tmp_path: Path, value: str):
    place = tmp_path / "hardware.toml"
    text = propose(two_wheels(), str(WORLD), "arduino-uno")
    place.write_text('text_may_differ = "it prints addresses"\n' + text)
    assert load_hardware(place, two_wheels()).text_may_differ == "it prints addresses"
    place.write_text(f"text_may_differ = {value}\n{text}")
    with pytest.raises(HardwareError, match="expected why the printed text may differ, for example"):
        load_hardware(place, two_wheels())


C = """#include <stdio.h>
#include <webots/distance_sensor.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  WbDeviceTag front = wb_robot_get_device("front");
  wb_distance_sensor_enable(front, 32);
  puts("ready");
  for (int k = 1; wb_robot_step(32) != -1; k++) {
    const double near = wb_distance_sensor_get_value(front);
    printf("%d: %.4f,", k, near / 7);
    printf(" %s\\n", sizeof(void *) > SIZE ? "large" : "small");
    if (k % 5 == 0) fprintf(stderr, "%3d is a fifth\\n", k);
  }
  printf("bye\\n");
}
"""
CXX = """#include <iostream>
#include <webots/DistanceSensor.hpp>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  webots::DistanceSensor *front = robot.getDistanceSensor("front");
  front->enable(32);
  std::cout << "ready" << std::endl;
  for (int k = 1; robot.step(32) != -1; k++)
    std::cout << k << ": " << (front->getValue() > 500) << (sizeof(void *) > SIZE ? " large" : " small")
              << std::endl;
  std::cout << "bye" << std::endl;
}
"""
PYTHON = """import sys
from controller import Robot

robot = Robot()
front = robot.getDevice("front")
front.enable(32)
print("ready")
k = 0
while robot.step(32) != -1:
    k += 1
    size = "large" if sys.implementation.name == "cpython" and SIZE < 8 else "small"
    print(f"{k}:", round(front.getValue() / 7, 3), end=", ")
    print(size)
print("bye")
"""


def verified(folder: Path, board: str, kind: str, size: int, head: str = "") -> int:
    """Compare 20 steps of a controller whose text depends on `size`, below which an address is small."""
    code = {"c": C, "cpp": CXX, "py": PYTHON}[kind].replace("SIZE", str(size))
    (folder / f"talk.{kind}").write_text(code)
    text = propose(two_wheels(), str(WORLD), board)
    text = text.replace("format = 1\n", f'format = 1\ncontroller = "talk.{kind}"\n{head}')
    place = folder / "hardware.toml"
    place.write_text(text.replace('flavor = "slave"', 'flavor = "standalone"'))
    words = ["--steps", "20", "--flavor", "standalone", "--report", str(folder / "report.html"), "--json"]
    return main(["-q", "firmware", "verify", str(place), *words])


CASES = [
    pytest.param("host", "c", marks=pytest.mark.slow),
    ("host-python", "py"),
    *(
        pytest.param(board, kind, marks=pytest.mark.boards)
        for board, kind in (
            ("arduino-uno", "c"),
            ("arduino-uno", "cpp"),
            ("arduino", "c"),
            ("pico", "cpp"),
            ("stm32f405", "c"),
            ("microbit", "c"),
            ("pico-micropython", "py"),
        )
    ),
]


@pytest.mark.parametrize(("board", "kind"), CASES)
def test_controllers_in_all_languages_print_the_same(
    board: str, kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    if kind != "py":
        require_board(board)
    assert verified(tmp_path, board, kind, 8) == 0, capsys.readouterr()
    text = json.loads(capsys.readouterr().out)["checks"][0]["text"]
    assert text["agrees"]
    assert text["lines"] >= 10 + (kind == "c")  # "ready", one each 32 ms, and a fifth


@pytest.mark.boards
def test_other_text_is_a_difference_unless_the_map_allows_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board("arduino-uno")
    assert load_board("arduino-uno").compiler.command == "avr-gcc"  # whose pointers have 2 bytes
    assert verified(tmp_path, "arduino-uno", "c", 4) == 1
    text = json.loads(capsys.readouterr().out)["checks"][0]["text"]
    first = text["first_difference"]
    assert (first["line"], first["step"]) == (2, 2)
    assert first["desktop"].replace("large", "small") == first["board"]
    assert "printed lines differ; first: line 2 (step 2)" in (tmp_path / "report.html").read_text()
    reason = "it prints what depends on addresses"
    assert verified(tmp_path, "arduino-uno", "c", 4, f'text_may_differ = "{reason}"\n') == 0
    text = json.loads(capsys.readouterr().out)["checks"][0]["text"]
    assert text["may_differ"] == reason
    assert f"they may differ, because: {reason}" in (tmp_path / "report.html").read_text()
