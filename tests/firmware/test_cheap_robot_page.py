"""The page "From a world to a 20-euro robot": its files are valid, and its commands do what it says."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.conftest import CHECKOUT
from tests.firmware.conftest import require_board, two_wheels
from wbridge.main import make_parser
from wbridge.wbfirmware.map.reading import load_hardware

PAGE = (CHECKOUT / "docs" / "20-euro-robot.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
PATIENCE = 300.0
URL = "tcp://127.0.0.1:40123"
"""Of the emulated robot, in the page."""


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Blocks of code: the word after their language, text."""
    for found in FENCE.finditer(PAGE):
        if found[1] == language:
            yield found[2] or "", found[3]


def commands(need: str) -> list[list[str]]:
    """The command lines of the page, without `wbridge`; `need` is "robot" for those that need one."""
    lines = [line for kind, text in blocks("sh") if kind == need for line in text.splitlines()]
    assert all(line.startswith("wbridge ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A checkout with the files of the page in the folder my_robot."""
    for name in ("worlds", "controllers", "protos"):
        (tmp_path / name).symlink_to(CHECKOUT / name)
    (tmp_path / "my_robot").mkdir()
    maps = dict(blocks("toml"))
    devices = maps["pico"].partition("\n[devices")
    maps["wifi"] += "".join(devices[1:])
    for name, text in maps.items():
        (tmp_path / "my_robot" / f"{name}.toml").write_text(text)
    return tmp_path


@pytest.mark.parametrize("board", ["uno", "pico", "wifi"])
def test_the_maps_of_the_page_are_valid(place: Path, board: str):
    hardware = load_hardware(place / "my_robot" / f"{board}.toml", two_wheels())
    assert [one.name for one in hardware.absent] == ["left wheel sensor", "right wheel sensor"]
    assert hardware.doubts == ()


def test_prices_add_up():
    *parts, total = prices()
    assert len(parts) == 10
    for column in (0, 1):
        assert sum(row[column] for row in parts) == pytest.approx(total[column])


def prices() -> list[tuple[float, ...]]:
    """Rows of the list of parts: prices in euros, 0 for none."""
    lines = [line for line in PAGE.partition("## 1.")[0].splitlines() if line.startswith("|") and "€" in line]
    cells = [[cell.strip("* ").removesuffix(" €") for cell in line.split("|")[2:4]] for line in lines]
    return [tuple(float(cell or 0) for cell in row) for row in cells]


@pytest.mark.parametrize("line", commands("robot"), ids=" ".join)
def test_commands_that_need_a_robot_can_be_given(line: list[str]):
    verb, *arguments = line
    make_parser(verb, import_module(f"wbridge.commands.{verb}")).parse_args(arguments)  # type: ignore[arg-type]


def run(place: Path, arguments: list[str]) -> str:
    """Give a command; returns what it says."""
    command = [sys.executable, "-m", "wbridge", *arguments]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, (arguments, done.stderr)
    return done.stdout + done.stderr


@pytest.mark.boards
@pytest.mark.parametrize("board", ["uno", "pico"])
def test_the_page_walked_through(place: Path, board: str):
    require_board({"uno": "arduino-uno"}.get(board, board))
    steps = [line for line in commands("") if "wifi" not in " ".join(line) and URL not in line]
    assert len(steps) == 5
    said = [run(place, [one.replace("my_robot/uno", f"my_robot/{board}") for one in line]) for line in steps]
    assert "reached the requested time" in said[3]
    assert said[4].count(": agrees in ") == 2, "both flavors"
    assert (place / "my_robot" / f"{board}.svg").is_file()
    assert (place / "my_robot" / "report.html").is_file()


@pytest.mark.boards
def test_the_robot_with_wifi(place: Path):
    emulate, remote = [line for line in commands("") if "wifi" in " ".join(line) or URL in line]
    board = subprocess.Popen(
        [sys.executable, "-m", "wbridge", *emulate],
        cwd=place,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert board.stdout is not None
    try:
        told = re.search(r"tcp://[\d.:]+", board.stdout.readline())
        assert told is not None
        run(place, [told[0] if one == URL else one for one in remote] + ["--duration", "2"])
    finally:
        board.send_signal(signal.SIGINT)
        board.communicate(timeout=PATIENCE)
