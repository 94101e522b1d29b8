"""The hardware map of a robot in a page: what its functions answer, and what a board gets.

Judge: the folders that `wbridge firmware build` writes for the same map.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from wbridge.live.page_hardware import PageHardware
from wbridge.main import main
from wbridge.wbcore.controllers.runner import Runner
from wbridge.wbcore.scene.load import load_world

WORLDS = Path(__file__).parents[2] / "worlds"


@pytest.fixture
def hardware() -> Iterator[PageHardware]:
    with Runner(load_world(WORLDS / "sonar_avoiders.wbt")) as runner:
        made = PageHardware(runner)
        yield made
        made.close()


def test_robots_and_boards_can_be_chosen(hardware: PageHardware) -> None:
    choices = json.loads(hardware.choices())
    robot = choices["robots"][0]
    titles = {board["title"]: board["is_python"] for board in choices["boards"]}
    assert titles["Arduino Uno"] is False
    python = [board["name"] for board in choices["boards"] if board["is_python"]]
    for name in python:
        assert json.loads(hardware.begin(robot["number"], name))["is_python"]


def test_a_program_is_that_of_the_command(hardware: PageHardware, tmp_path: Path) -> None:
    number = json.loads(hardware.choices())["robots"][0]["number"]
    hardware.begin(number, "pico-micropython")
    hardware.choose("so11", "none")
    shown = json.loads(hardware.set("left wheel", "acceleration", "5.0"))
    map_file = tmp_path / "maps" / "hardware.toml"
    map_file.parent.mkdir()
    map_file.write_text(shown["text"].replace('"../worlds/', f'"{WORLDS.as_posix()}/'))
    assert main(["-q", "firmware", "build", str(map_file), "--out", str(tmp_path / "out")]) == 0
    with zipfile.ZipFile(io.BytesIO(hardware.build())) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    built = {
        path.relative_to(tmp_path / "out").as_posix(): path.read_bytes()
        for path in (tmp_path / "out").rglob("*")
        if path.is_file()
    }
    assert files == built
    assert "main.py" in files


def test_a_project_in_c_is_that_of_the_command(hardware: PageHardware, tmp_path: Path) -> None:
    number = json.loads(hardware.choices())["robots"][0]["number"]
    shown = json.loads(hardware.begin(number, "arduino-uno"))
    assert (shown["built"], shown["written"]) == ("avr", "flash")
    map_file = tmp_path / "maps" / "hardware.toml"
    map_file.parent.mkdir()
    map_file.write_text(shown["text"].replace('"../worlds/', f'"{WORLDS.as_posix()}/'))
    assert main(["-q", "firmware", "build", str(map_file), "--out", str(tmp_path / "firmware")]) == 0
    with zipfile.ZipFile(io.BytesIO(hardware.build())) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    assert files == {name: (tmp_path / "firmware" / name).read_bytes() for name in files}
    assert {"Makefile", "main.c"} <= files.keys()
    assert json.loads(hardware.project())["files"].keys() == files.keys()
    program = (tmp_path / "firmware" / "firmware.elf").read_bytes()
    assert "of 32256 bytes" in hardware.compiled(Bytes(program))
    with pytest.raises(ValueError, match="expected a program in ELF format"):
        hardware.compiled(Bytes(b"GIF89a"))


class Bytes:
    """JavaScript's bytes."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def to_bytes(self) -> bytes:
        """Return a copy."""
        return self._data


def test_what_cannot_be_built_says_why(hardware: PageHardware) -> None:
    with pytest.raises(ValueError, match="choose a robot and a board first"):
        hardware.build()
    number = json.loads(hardware.choices())["robots"][0]["number"]
    hardware.begin(number, "arduino-uno")
    hardware.set("left wheel", "pwm", '"D99"')
    with pytest.raises(ValueError, match="D99"):
        hardware.project()
    with pytest.raises(ValueError, match="no robot with number 99"):
        hardware.begin(99, "pico")
    hardware.begin(number, "pico-micropython")
    hardware.set("left wheel", "pwm", '"GP999"')
    with pytest.raises(ValueError, match="GP999"):
        hardware.build()
