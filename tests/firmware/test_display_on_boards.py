"""Displays with an SSD1306 at emulated boards show the picture of the simulated display, bit for bit."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.firmware.conftest import require_board
from tests.firmware.test_display import MAP, table
from tests.firmware.test_imu import BUS
from tests.firmware.wired import mapped, verify_standalone
from wbfirmware.bench import Bench
from wbfirmware.bringup.session import as_slave
from wbfirmware.build import build

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
    (agreeing,) = re.findall(r"agrees in (\d+) comparisons", capsys.readouterr().out)
    assert 90 <= int(agreeing) <= 100, "a transfer may take a step or two"


def test_a_wrong_pixel_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The board's int has 16 bits, so it draws this line elsewhere."""
    require_board("arduino-uno")
    code = CODE.replace("k < 28", "k < 300").replace("-5, 3", "(int)(k * 4000L), 3")
    assert verify_standalone(tmp_path, WORLD.replace("HEIGHT", "64"), code, wired("arduino-uno")) == 1
    assert re.search(
        r"first: step \d+ .* screen\.pixels that differ: 0\.0 on the desktop", capsys.readouterr().out
    )


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
