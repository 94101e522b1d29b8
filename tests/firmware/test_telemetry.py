"""Named values that a controller prints for plots, in every language and on every kind of board.

Judge: Teleplot's format (">name:value"), and the comparison of what desktop and board print.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.firmware.conftest import WORLD, require_board, two_wheels
from wbridge.main import main
from wbridge.telemetry import telemetry
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.micropython.checks import problems_of
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import load_hardware

STEPS = 12
C = """#include <math.h>
#include <wbridge/telemetry.h>
#include <webots/robot.h>

int main(void) {
  wb_robot_init();
  int step = 0;
  while (wb_robot_step(16) != -1) {
    telemetry("step", ++step);
    telemetry("a third of it", step / 3.0);
    telemetry("unknown", step % 2 ? NAN : -INFINITY);
  }
}
"""
CXX = """#include <wbridge/telemetry.h>
#include <webots/Robot.hpp>

int main() {
  webots::Robot robot;
  int step = 0;
  while (robot.step(16) != -1) telemetry("a third of it", ++step / 3.0);
}
"""
PYTHON = """from controller import Robot
from wbridge.telemetry import telemetry

robot = Robot()
step = 0
while robot.step(16) != -1:
    step += 1
    telemetry("step", step)
    telemetry("a third of it", step / 3)
    telemetry("unknown", float("nan"))
"""


def written(folder: Path, board: str, suffix: str, text: str) -> Path:
    """Write a controller and the map of the sample's robot with it."""
    (folder / f"teller{suffix}").write_text(text)
    lines = propose(two_wheels(), str(WORLD), board).replace('flavor = "slave"', 'flavor = "standalone"')
    place = folder / "hardware.toml"
    place.write_text(lines.replace("format = 1\n", f'format = 1\ncontroller = "teller{suffix}"\n'))
    return place


@pytest.mark.parametrize(
    ("board", "suffix"),
    [
        pytest.param("host", ".c", marks=pytest.mark.slow),
        ("arduino-uno", ".cpp"),
        pytest.param("esp32", ".cpp", marks=pytest.mark.slow),
        ("host-python", ".py"),
    ],
)
def test_the_board_prints_what_the_desktop_prints(
    board: str, suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    if load_board(board).python is None:
        require_board(board)
    text = {".c": C, ".cpp": CXX, ".py": PYTHON}[suffix]
    place = written(tmp_path, board, suffix, text)
    words = ["--steps", str(STEPS), "--flavor", "standalone", "--json"]
    assert main(["-q", "firmware", "verify", str(place), *words]) == 0, capsys.readouterr()
    (check,) = json.loads(capsys.readouterr().out)["checks"]
    assert check["text"]["agrees"]
    assert check["text"]["lines"] >= (STEPS - 1) * text.count(" telemetry(")


def test_a_value_is_a_line_that_plotting_programs_read(capsys: pytest.CaptureFixture[str]):
    telemetry("speed", 1 / 3)
    telemetry("on", True)
    telemetry("lost", float("-inf"))
    assert capsys.readouterr().out == ">speed:0.333333333\n>on:1\n>lost:-inf\n"


def test_a_board_with_python_has_only_the_module_for_telemetry(tmp_path: Path):
    text = PYTHON.replace("wbridge.telemetry", "wbridge.running")
    place = written(tmp_path, "host-python", ".py", text)
    (line,) = problems_of(load_hardware(place, two_wheels()))
    assert "has no module wbridge" in line
