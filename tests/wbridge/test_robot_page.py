"""The page "From simulation to your robot": its commands do what it says, in its order."""

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
from wbridge.hal.link.transports import check
from wbridge.main import make_parser

PAGE = (CHECKOUT / "docs" / "from-simulation-to-your-robot.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S+)(?: (\S+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)
SERVERS = ("bridge", "emulate")
PATIENCE = 60.0


def blocks(language: str) -> Iterator[tuple[str, str]]:
    """Blocks of code: what they need ("robot": hardware), text."""
    for found in FENCE.finditer(PAGE):
        if found[1] == language:
            yield found[2] or "", found[3]


def commands(need: str) -> list[list[str]]:
    """The command lines of the page, without `wbridge`, that need something."""
    lines = [line for kind, text in blocks("sh") if kind == need for line in text.splitlines()]
    assert all(line.startswith("wbridge ") for line in lines)
    return [shlex.split(line)[1:] for line in lines]


class Terminal:
    """A program that serves until its successor comes."""

    def __init__(self, arguments: list[str]) -> None:
        command = [sys.executable, "-m", "wbridge", *arguments]
        self.process = subprocess.Popen(
            command, cwd=CHECKOUT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert self.process.stdout is not None
        self.process.stdout.readline()  # where it is

    def stop(self) -> None:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=PATIENCE)


def test_the_page_walked_through(tmp_path: Path):
    serving: Terminal | None = None
    place = {"$HOME": str(tmp_path), "gap.csv": f"{tmp_path}/gap.csv", "frames.txt": f"{tmp_path}/frames.txt"}
    done = 0
    try:
        for line in commands(""):
            arguments = [_placed(one, place) for one in line]
            if line[0] in SERVERS:
                if serving is not None:
                    serving.stop()
                serving = Terminal(arguments)
                continue
            if line[0] == "remote" and "--duration" not in line:
                arguments += ["--duration", "1"]
            command = [sys.executable, "-m", "wbridge", *arguments]
            result = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=PATIENCE)
            assert result.returncode == 0, (line, result.stderr)
            done += 1
    finally:
        if serving is not None:
            serving.stop()
    assert done >= 6
    assert "Welcome" in (tmp_path / "frames.txt").read_text()
    ((_, program),) = blocks("python")
    result = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert re.fullmatch(r"\d+\.\d cm in step \d+ of \d+\n", result.stdout), result.stderr


def _placed(argument: str, places: dict[str, str]) -> str:
    for name, path in places.items():
        argument = argument.replace(name, path)
    return argument


@pytest.mark.parametrize("line", commands("robot"), ids=" ".join)
def test_commands_that_need_a_robot_can_be_given(line: list[str]):
    verb, *arguments = line
    args = make_parser(verb, import_module(f"wbridge.commands.{verb}")).parse_args(arguments)  # type: ignore[arg-type]
    assert (CHECKOUT / args.world).is_file()
    for url in [args.url] if isinstance(args.url, str) else args.url:
        check(url.replace("{robot}", "leader"))


def test_urls_of_the_page_are_known(tmp_path: Path):
    secret = tmp_path / "secret"
    secret.write_text("password")
    urls = re.findall(r"`((?:serial|tcp|mqtts?|usb)://[^`]+)`", PAGE)
    assert len(urls) >= 4
    for url in urls:
        check(url.replace("=FILE", f"={secret}"))
