"""Chains of WS2812 LEDs: emulated LEDs decode the pulses, and check their times with the data sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firmware.conftest import boards, require_board
from tests.firmware.test_drivers import pin
from tests.firmware.watched import Robot
from tests.firmware.wired import mapped, table_of, verify_standalone
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.building.build import Built, build
from wbridge.wbfirmware.map.reading import load_hardware
from wbridge.wbfirmware.problems import HardwareError
from wbridge.wbfirmware.template_folders import board_names

RED, ORANGE = [1.0, 0.0, 0.0], [1.0, 0.5, 0.0]
DEVICES = {
    "third": ("LED", {"gradual": False, "color": [RED, ORANGE]}),
    "first": ("LED", {"gradual": True, "color": []}),
    "other": ("LED", {"gradual": True, "color": [ORANGE]}),
}
MAP = """format = 1
world = "w.wbt"
robot = "all"
board = "BOARD"
[link]
table = false
[devices.third]
driver = "ws2812"
pin = "D12"
place = 2
[devices.first]
driver = "ws2812"
pin = "D12"
place = 0
[devices.other]
driver = "ws2812"
pin = "D13"
"""
BOARDS = [name for name in board_names() if load_board(name).circuit.pixels]


def table() -> DeviceTable:
    return table_of(DEVICES)


def wired(board: str) -> str:
    """The hardware map for a board."""
    text = MAP.replace("BOARD", board)
    return re.sub(r'"(D1[23])"', lambda match: f'"{pin(board, match[1])}"', text)


@pytest.fixture(scope="module", params=boards(*BOARDS))
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    require_board(request.param)
    folder = tmp_path_factory.mktemp(request.param)
    return build(mapped(folder, wired(request.param), table()), folder / "firmware")


@pytest.fixture
def robot(program: Built) -> Iterator[Robot]:
    made = Robot(program, table())
    yield made
    made.bench.close()


def light(robot: Robot, name: str, place: int) -> tuple[str, float]:
    """What an LED of a chain shows."""
    return robot.bench.show(f"WS2812:{pin(robot.board, name)}:{place}")[:2]


def test_the_leds_of_two_chains_show_their_colors(robot: Robot):
    """Judge: data sheet of the WS2812B: green, red, blue; the times are checked, too."""
    for name in ("D12", "D13"):
        assert light(robot, name, 0) == ("color", 0), "decodes from now on"
    robot.set(1, "value", 2)
    robot.set(2, "value", 0x1280FF)
    robot.set(3, "value", 51)
    for _ in range(3):
        robot.step()
        robot.pass_time(0.03)
    assert light(robot, "D12", 0) == ("color", 0x1280FF)
    assert light(robot, "D12", 1) == ("color", 0), "no device has this place"
    assert light(robot, "D12", 2) == ("color", 0xFF8000)
    assert light(robot, "D13", 0) == ("color", 0x331900)
    robot.set(1, "value", 0)
    robot.step()
    robot.pass_time(0.03)
    assert light(robot, "D12", 2) == ("color", 0)
    assert light(robot, "D12", 0) == ("color", 0x1280FF)


def test_two_devices_at_one_place_and_a_board_without_such_pins(tmp_path: Path):
    path = tmp_path / "hardware.toml"
    path.write_text(wired("arduino-uno").replace("place = 2", "place = 0"))
    with pytest.raises(HardwareError, match='"first": place: 0 of the chain at D12 .* "third"; .* is 1'):
        load_hardware(path, table())
    path.write_text(wired("microbit"))
    with pytest.raises(HardwareError, match="no output for a chain of WS2812 LEDs; no pin of this board has"):
        load_hardware(path, table())


WORLD = """#VRML_SIM R2025a utf8
WorldInfo { basicTimeStep 16 }
Robot {
  name "all"
  children [
    LED { name "third" color [ 1 0 0, 1 0.5 0 ] }
    LED { name "first" gradual TRUE color [ ] }
    LED { name "other" gradual TRUE color [ 1 0.5 0 ] }
  ]
}
"""
CODE = """#include <webots/led.h>
#include <webots/robot.h>
int main(void) {
  wb_robot_init();
  WbDeviceTag third = wb_robot_get_device("third"), first = wb_robot_get_device("first");
  WbDeviceTag other = wb_robot_get_device("other");
  for (int k = 0; wb_robot_step(16) != -1; k++) {
    wb_led_set(third, k % 3);
    wb_led_set(first, 0x0203 * (k % 60));
    wb_led_set(other, k % 256);
  }
  return 0;
}
"""


@pytest.mark.boards
@pytest.mark.parametrize("board", ["host", "arduino-uno", "pico"])
def test_verify_compares_them(board: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board(board)
    text = wired(board).replace("[link]", 'flavor = "standalone"\ncontroller = "code.c"\n[link]')
    assert verify_standalone(tmp_path, WORLD, CODE, text) == 0, capsys.readouterr()
