"""Displays with an SSD1306 at emulated boards show the picture of the simulated display, bit for bit."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from tests.conftest import CHECKOUT, absent, require_tool
from tests.firmware.conftest import require_board
from tests.firmware.test_display import MAP, table
from tests.firmware.test_imu import BUS
from tests.firmware.wired import mapped, verify_standalone
from wbridge.libcontroller.compiling import BuildError
from wbridge.main import main
from wbridge.wbfirmware.bench import Bench
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.bringup.device_test import DeviceTest
from wbridge.wbfirmware.bringup.routines import routine
from wbridge.wbfirmware.bringup.session import as_slave
from wbridge.wbfirmware.building.build import build
from wbridge.wbfirmware.emulators.micropython import library
from wbridge.wbverify.coupling.couplings import PIXELS

if TYPE_CHECKING:
    from wbridge.wbfirmware.bringup.robot import TestedRobot

pytestmark = pytest.mark.boards
EMULATED = ("host", "arduino-uno", "arduino-mega", "pico")
"""Boards whose emulators have this part."""
WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 32 }
Robot { name "all" children [ Display { name "screen" width 128 height HEIGHT } ] }
"""
CODE = """#include <stdio.h>
#include <webots/display.h>
#include <webots/robot.h>
static const int x[] = {60, 120, 100, 70, 64}, y[] = {20, 5, 50, 62, 40};
int main(void) {
  wb_robot_init();
  WbDeviceTag screen = wb_robot_get_device("screen");
  wb_display_draw_text(screen, "Wheels 21 °C\\n{first}", 2, -1);
  wb_display_set_font(screen, "Lucida Console", 10, false);
  for (int k = 0; wb_robot_step(32) != -1; k++) {
    char text[20];
    if (k == 4) wb_display_draw_polygon(screen, x, y, 5);
    if (k == 8) wb_display_fill_polygon(screen, y, x, 5);
    if (k == 12) wb_display_draw_oval(screen, 64, wb_display_get_height(screen) / 2, 50, 14);
    if (k == 16) wb_display_set_alpha(screen, 0.25);
    if (k == 16) wb_display_fill_oval(screen, 100, 20, 35, 12);
    if (k == 20) wb_display_set_alpha(screen, 1);
    if (k == 20) wb_display_draw_line(screen, -5, 3, wb_display_get_width(screen) + 70, 60);
    if (k == 24) wb_display_draw_rectangle(screen, 100, -4, 20, 30);
    if (k < 28) continue;
    wb_display_set_color(screen, 0);
    wb_display_fill_rectangle(screen, 10, 9, 80, 16);
    wb_display_set_color(screen, 0xFFFFFF);
    snprintf(text, sizeof text, "x = %d", k);
    wb_display_draw_text(screen, text, 12, 10);
    wb_display_draw_pixel(screen, k, 8);
  }
  return 0;
}
"""


def wired(board: str) -> str:
    sda, scl = BUS[board]
    return MAP.replace("BOARD", board).replace("SDA", sda).replace("SCL", scl)


@pytest.mark.parametrize(
    ("board", "height", "more"),
    [*((board, 64, "") for board in EMULATED), ("host", 32, "upside_down = true")],
)
def test_it_shows_the_simulated_picture(
    board: str, height: int, more: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    require_board(board)
    world = WORLD.replace("HEIGHT", str(height))
    assert verify_standalone(tmp_path, world, CODE, wired(board) + more) == 0, capsys.readouterr()
    with (tmp_path / "table.csv").open(newline="") as file:
        pictures = [row for row in csv.DictReader(file) if row["value"] == PIXELS]
    assert 90 <= len(pictures) <= 100, "a transfer may take a step or two"


def test_a_wrong_pixel_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The board's int has 16 bits, so it draws this line elsewhere."""
    require_board("arduino-uno")
    code = CODE.replace("k < 28", "k < 300").replace("-5, 3", "(int)(k * 4000L), 3")
    assert verify_standalone(tmp_path, WORLD.replace("HEIGHT", "64"), code, wired("arduino-uno")) == 1
    out = capsys.readouterr().out
    assert re.search(r"first: step \d+ .* screen\.pixels that differ: 0\.0 on the desktop", out)


BLINKING = """#include <webots/display.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  WbDeviceTag screen = wb_robot_get_device("screen");
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    wb_display_set_color(screen, k % 2 ? 0 : 0xFFFFFF);
    wb_display_fill_rectangle(screen, 0, 0, 128, 64);
  }
  return 0;
}
"""


def test_a_display_that_never_shows_a_whole_picture_is_a_difference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """1024 bytes, 24 in each ms, do not fit into steps of 16 ms."""
    require_board("host")
    world = WORLD.replace("HEIGHT", "64").replace("32", "16")
    assert verify_standalone(tmp_path, world, BLINKING, wired("host")) == 1
    assert "screen.whole pictures: 1.0 on the desktop, 0.0 on the board" in capsys.readouterr().out


@pytest.mark.parametrize("board", sorted(set(BUS) - {"host", "arduino-uno"}))
def test_it_compiles_for_all_boards(board: str, tmp_path: Path):
    require_board(board)
    (tmp_path / "code.c").write_text(CODE)
    hardware = mapped(tmp_path, wired(board), table())
    assert build(hardware, tmp_path / "firmware").size.flash > 0


def test_a_display_that_is_connected_later_is_set_up(tmp_path: Path):
    """Also with the test picture of firmware without a controller."""
    require_board("host")
    (tmp_path / "code.c").write_text(CODE)
    built = build(as_slave(mapped(tmp_path, wired("host"), table())), tmp_path / "firmware")
    frame = ["#" * 128, *["#" * 16 + "." * 111 + "#"] * 15, *["#" + "." * 126 + "#"] * 47, "#" * 128]
    with Bench(built.board, built.program, lockstep=True) as bench:
        bench.run(300_000)
        for _ in range(2):
            bench.drive("SSD1306:0x3C:64", 1)
            bench.run(300_000)
            assert bench.tell("show SSD1306:0x3C:64") == "\n".join(frame)
            bench.drive("SSD1306:0x3C:64", 0)
            bench.run(300_000)
            assert not any(bench.picture("SSD1306:0x3C:64"))


class Onlooker:
    """Robot and user of a bring-up test: time passes on the board, and answers are what the display shows."""

    def __init__(self, bench: Bench, mounted_upside_down: bool) -> None:
        self.bench, self.turned = bench, mounted_upside_down

    def run(self, seconds: float) -> None:
        self.bench.run(round(1e6 * seconds))

    def say(self, text: str) -> None:
        pass

    def number(self, text: str, live: Callable[[], str] | None = None) -> float | None:
        raise AssertionError(text)

    def ask(self, text: str, answers: Mapping[str, str], live: Callable[[], str] | None = None) -> str:
        rows = str(self.bench.tell("show SSD1306:0x3C:64")).splitlines()
        if self.turned:
            rows = [row[::-1] for row in rows[::-1]]
        if "frame" in text:
            return "y" if "." not in rows[0] + rows[-1] else "n"
        return "u" if rows[9][9] == "#" else "l" if rows[-9][-9] == "#" else "o"


@pytest.mark.parametrize(
    ("address", "mounted_upside_down", "result", "changes"),
    [
        (0x3C, False, "passed", {}),
        (0x3C, True, "corrected", {("devices", "screen", "upside_down"): True}),
        (0x3D, False, "failed", {}),
    ],
)
def test_bring_up_asks_for_the_test_picture(
    tmp_path: Path, address: int, mounted_upside_down: bool, result: str, changes: dict[str, object]
):
    require_board("host")
    (tmp_path / "code.c").write_text(CODE)
    hardware = as_slave(mapped(tmp_path, f"{wired('host')}address = {address}\n", table()))
    built = build(hardware, tmp_path / "firmware")
    with Bench(built.board, built.program, lockstep=True) as bench:
        bench.drive("SSD1306:0x3C:64", 1)
        onlooker = Onlooker(bench, mounted_upside_down)
        test = DeviceTest(hardware, hardware.wirings[0], cast("TestedRobot", onlooker), onlooker, {})
        assert routine("picture").run(test) == result
    assert test.changes == changes
    assert ("address is 0x3c instead of 0x3d" in test.why) is (result == "failed")


CXX = """#include <webots/Display.hpp>
#include <webots/Robot.hpp>
using namespace webots;
int main() {
  Robot robot;
  Display *screen = robot.getDisplay("screen");
  screen->setFont("Courier New", 9, false);
  static const int x[] = {5, 90, 40}, y[] = {5, 20, 60};
  for (int k = 0; robot.step(32) != -1; k++) {
    if (k == 2) screen->fillPolygon(x, y, 3);
    if (k == 5) screen->setColor(0);
    if (k == 5) screen->drawText("C++", 30, 15);
    if (k == 8) screen->setColor(0xFFFFFF);
    if (k == 8) screen->drawOval(screen->getWidth() - 20, screen->getHeight() / 2, 15, 25);
  }
  return 0;
}
"""


@pytest.mark.parametrize("board", ["arduino-mega"])
def test_the_class_in_cxx_draws_the_same(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board(board)
    require_tool(load_board(board).compiler.cxx, "compiles controllers in C++")
    (tmp_path / "code.cpp").write_text(CXX)
    text = wired(board).replace("code.c", "code.cpp")
    assert verify_standalone(tmp_path, WORLD.replace("HEIGHT", "64"), "", text) == 0, capsys.readouterr()


def test_the_radar_sample_shows_the_simulated_picture(capsys: pytest.CaptureFixture[str]):
    require_board("arduino-uno")
    words = ["--steps", "300", "--flavor", "standalone"]
    assert main(["-q", "firmware", "verify", str(CHECKOUT / "worlds" / "radar_uno.toml"), *words]) == 0, (
        capsys.readouterr()
    )


PYTHON = """from controller import Robot
robot = Robot()
screen = robot.getDevice("screen")
screen.drawText("Wheels 21 °C\\n{first}", 2, -1)
screen.setFont("Lucida Console", 10, False)
x, y = [60, 120, 100, 70, 64], [20, 5, 50, 62, 40]
k = 0
while robot.step(32) != -1:
    if k == 4:
        screen.drawPolygon(x, y)
    if k == 8:
        screen.fillPolygon(y, x)
        screen.drawOval(64, screen.getHeight() // 2, 50, 14)
    if k == 12:
        screen.setAlpha(0.25)
        screen.fillOval(100, 20, 35, 12)
        screen.setAlpha(1)
    if k == 16:
        screen.drawLine(-5, 3, screen.getWidth() + 70, 60)
        screen.drawRectangle(100, -4, 20, 30)
    if k >= 20:
        screen.setColor(0)
        screen.fillRectangle(10, 9, 80, 16)
        screen.setColor(0xFFFFFF)
        screen.drawText("x = %d" % k, 12, 10)
        screen.drawPixel(k, 8)
    k += 1
"""


@pytest.mark.parametrize(("board", "height"), [("host-python", 64), ("pico-micropython", 32)])
def test_boards_with_python_show_it_too(
    board: str, height: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    if board == "pico-micropython":
        require_tool("node", "apt install nodejs")
        try:
            library()
        except BuildError as problem:
            absent(str(problem))
    (tmp_path / "code.py").write_text(PYTHON)
    text = (
        MAP.replace("BOARD", board).replace("SDA", "GP4").replace("SCL", "GP5").replace("code.c", "code.py")
    )
    world = WORLD.replace("HEIGHT", str(height))
    assert verify_standalone(tmp_path, world, "", text.replace("[link]\ntable = false\n", "")) == 0, (
        capsys.readouterr()
    )
