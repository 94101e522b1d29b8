"""A program of a board compared with the controller of a page's world.

Judge: a hardware map that tells another speed at full duty than the program was built with.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from wbridge.libcontroller.compiling import BuildError
from wbridge.live.verification import Comparison, verified
from wbridge.main import main
from wbridge.wbcore.controllers.runner import RunOptions
from wbridge.wbcore.scene.load import load_world
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.emulators import emulator, started

WORLD = CHECKOUT / "worlds" / "four_wheel_robot.wbt"
STEPS = 60


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, bytes]:
    """The proposed map for an Arduino Uno, and its program."""
    folder = tmp_path_factory.mktemp("uno")
    map_file = folder / "hardware.toml"
    words = ["-q", "firmware", "new", str(WORLD), "--board", "arduino-uno", "--out", str(map_file)]
    assert main(words) == 0
    assert main(["-q", "firmware", "build", str(map_file), "--out", str(folder / "firmware")]) == 0
    return map_file.read_text(), (folder / "firmware" / "firmware.elf").read_bytes()


def compared(map_text: str, program: bytes) -> dict[str, object]:
    options = RunOptions(inline=True)
    return dict(
        json.loads(
            verified(lambda: load_world(WORLD), Comparison(map_text, program, STEPS), lambda _: options)
        )
    )


def test_a_program_agrees_with_the_controller(built: tuple[str, bytes]):
    found = compared(*built)
    assert found["agrees"] is True
    assert str(found["text"]).startswith("Arduino Uno: agrees in ")
    assert str(found["text"]).endswith(f"{STEPS} steps")
    rows = list(csv.DictReader(io.StringIO(str(found["table"]))))
    assert len({row["step"] for row in rows if row["step"]}) >= STEPS


def test_the_command_compares_the_same(built: tuple[str, bytes], tmp_path: Path, capsys):
    """Also without `--flavor`, as the board cannot have a controller in Python."""
    file, program, table = (tmp_path / name for name in ("hardware.toml", "given.elf", "steps.csv"))
    file.write_text(built[0])
    program.write_bytes(built[1])
    words = ["-q", "firmware", "verify", str(file), "--steps", str(STEPS), "--table", str(table)]
    assert main([*words, "--flavor", "slave", "--firmware", str(program)]) == 0
    assert "Arduino Uno: agrees in " in capsys.readouterr().out
    assert table.read_text().startswith(str(compared(*built)["table"]))  # then: what is not compared
    assert main([*words, "--overwrite"]) == 0
    assert "slave " in capsys.readouterr().out


def test_another_speed_is_found(built: tuple[str, bytes]):
    map_text, program = built
    found = compared(map_text.replace("full_speed = 20.0", "full_speed = 25.0", 1), program)
    assert found["agrees"] is False
    assert "DIFFERS" in str(found["text"])
    assert "front left motor" in str(found["text"])


def test_what_cannot_be_compared_says_why(built: tuple[str, bytes]):
    map_text, program = built
    with pytest.raises(ValueError, match='no robot "rover"'):
        compared(map_text.replace('robot = "four-wheel robot"', 'robot = "rover"'), program)


def test_a_page_has_an_emulator_of_its_own(monkeypatch: pytest.MonkeyPatch):
    board = load_board("arduino-uno")
    monkeypatch.setattr(started, "_inside", [])
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(BuildError, match="use Linux"):
        emulator(board)
    started.provide(lambda command: pytest.fail(str(command)))
    assert callable(emulator(board).command)
