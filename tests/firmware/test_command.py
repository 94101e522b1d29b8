"""`wbridge firmware` from the world to a board that a controller drives over its wire."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hal.firmware.boards import load_board
from tests.firmware.conftest import WORLD, boards, require_board
from wbridge.main import main

CONTROLLER = """
from controller import Robot
robot = Robot()
motor, front = robot.getDevice("left wheel motor"), robot.getDevice("front")
front.enable(32)
motor.setPosition(float("inf"))
motor.setVelocity(6.0)
for _ in range(10):
    robot.step(32)
print("front:", round(front.getValue()))
"""


def test_from_a_world_to_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    require_board("arduino-uno")
    map_file = tmp_path / "hardware.toml"
    assert main(["firmware", "new", str(WORLD), "--board", "arduino-uno", "--out", str(map_file)]) == 0
    assert main(["firmware", "new", str(WORLD), "--out", str(map_file)]) == 2  # it exists
    assert main(["firmware", "build", str(map_file)]) == 0
    assert "of 32256 bytes" in capsys.readouterr().out
    map_file.write_text(map_file.read_text().replace('pwm = "D3"', 'pwm = "D4"'))
    assert main(["firmware", "build", str(map_file)]) == 2
    assert "hardware.toml:18: " in capsys.readouterr().err


def test_what_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    assert main(["firmware", "build", str(tmp_path / "none.toml")]) == 2
    assert "make one: wbridge firmware new" in capsys.readouterr().err
    assert main(["firmware", "new", str(WORLD), "--board", "arduino"]) == 2
    assert "there are: arduino-uno, host, " in capsys.readouterr().err
    (tmp_path / "firmware").mkdir()
    (tmp_path / "firmware" / "mine.c").write_text("int mine;")
    assert main(["firmware", "new", str(WORLD), "--out", str(tmp_path / "h.toml")]) == 0
    assert main(["firmware", "build", str(tmp_path / "h.toml")]) == 1
    assert "has files of its own" in capsys.readouterr().err


@pytest.mark.parametrize("board", boards())
def test_a_controller_drives_an_emulated_board_by_remote_control(tmp_path: Path, board: str):
    require_board(board)
    command = [sys.executable, "-m", "wbridge"]
    map_file, controller = tmp_path / "hardware.toml", tmp_path / "drive.py"
    controller.write_text(CONTROLLER)
    subprocess.run(
        [*command, "-q", "firmware", "new", WORLD, "--board", board, "--out", map_file], check=True
    )
    with subprocess.Popen(
        [*command, "-q", "firmware", "emulate", map_file],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as emulation:
        assert emulation.stdin is not None and emulation.stdout is not None
        try:
            url = emulation.stdout.readline().split(": ")[1].strip()
            text = map_file.read_text()
            front = re.search(r'"front"\][^[]*pin = "(\w+)"', text)
            assert front is not None
            emulation.stdin.write(f"drive {front[1]} {load_board(board).supply / 2}\n")
            assert emulation.stdout.readline() == "ok\n"
            run = [*command, "-q", "remote", WORLD, "--url", url, "--controller", controller]
            done = subprocess.run(run, capture_output=True, text=True, timeout=60, check=False)
            assert done.returncode == 0, done.stderr
            assert "front: 500" in done.stdout or "front: 501" in done.stdout
            emulation.terminate()
            emulation.stdin.close()
            assert emulation.wait(10) == 0
        finally:
            emulation.kill()
