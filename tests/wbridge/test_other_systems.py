"""What needs Linux says so on other systems, such as macOS, before anything fails there."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.project.files import CHECKOUT
from wbridge.libcontroller.compiling import BuildError
from wbridge.main import main
from wbridge.wbfirmware.boards.board import load_board
from wbridge.wbfirmware.emulators import emulator

SYSTEMS = pytest.mark.parametrize("system", ["darwin", "win32"])


@SYSTEMS
def test_programs_of_strangers_are_not_graded(
    system: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    (tmp_path / "rubric.toml").write_text("")
    assert main(["grade", str(tmp_path), str(tmp_path)]) != 0
    assert "use Linux, or WSL" in capsys.readouterr().err


@SYSTEMS
def test_processes_are_not_copied(
    system: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    world = str(CHECKOUT / "worlds" / "two_wheels.wbt")
    assert main(["run", world, "--isolate", "--steps", "1"]) != 0
    assert "as only Linux can; leave it out" in capsys.readouterr().err


@SYSTEMS
def test_boards_are_not_emulated(system: str, monkeypatch: pytest.MonkeyPatch) -> None:
    board = load_board("pico")
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(BuildError, match="use Linux, or WSL"):
        emulator(board)
