"""`wbridge run --record FILE.html`: what is in the page, however the run ends."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import zlib
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from tests.waiting import wait_for
from wbridge.main import main

ARENA = Path("worlds/epuck_arena.wbt").resolve()
PART = re.compile(r'<script type="text/plain" data-part="(\w+)" data-size="(\d+)"[^>]*>([^<]*)')


def parts(page: Path) -> dict[str, list[bytes]]:
    """The contents of the whole parts, by kind."""
    found: dict[str, list[bytes]] = {}
    for kind, size, text in PART.findall(page.read_text()):
        if len(text) == int(size):
            found.setdefault(kind, []).append(zlib.decompress(b64decode(text)))
    return found


def one(page: Path, kind: str) -> dict[str, Any]:
    (data,) = parts(page)[kind]
    found: dict[str, Any] = json.loads(data)
    return found


def frames(page: Path) -> list[dict[str, Any]]:
    return [json.loads(one[4 : 4 + int.from_bytes(one[:4], "little")]) for one in parts(page)["frames"]]


def test_the_parts_of_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    page = tmp_path / "run.html"
    assert (
        main(["run", str(ARENA), "--duration", "8", "--record", str(page), "--plot", "e-puck.ps[0-3]"]) == 0
    )
    head = one(page, "head")
    assert head["title"] == "E-puck in an arena"
    assert head["signals"] == [f"e-puck/ps{i}.value" for i in range(4)]
    assert head["plots"] == [[0, 1, 2, 3]]
    end = one(page, "end")
    assert (end["reason"], end["status"], end["seconds"]) == ("reached the requested time", 0, 8.0)
    assert end["hash"] in capsys.readouterr().out
    described = frames(page)
    for before, after in zip(described, described[1:], strict=False):
        assert after["first"] == before["first"] + before["frames"] - 1, "the last frame is repeated"
    assert described[-1]["first"] + described[-1]["frames"] == 8 / 0.016 + 1
    assert len(parts(page)["values"]) == len(described)


def test_a_page_needs_nothing_else(tmp_path: Path):
    page = tmp_path / "run.html"
    assert main(["run", str(ARENA), "--steps", "1", "--no-controllers", "--record", str(page)]) == 0
    outside = re.findall(r'(?:src|href)="([^"]*)"', page.read_text())
    assert outside == ["data:,"]


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.slow), signal.SIGKILL])
def test_the_page_of_an_interrupted_run_is_complete(number: int, tmp_path: Path):
    page = tmp_path / "run.html"
    arguments = ["run", str(ARENA), "--duration", "1e6", "--record", str(page)]
    with subprocess.Popen(
        [sys.executable, "-m", "wbridge", *arguments], stderr=subprocess.DEVNULL
    ) as process:
        wait_for(lambda: page.exists() and page.read_bytes().count(b'data-part="frames"') > 2)
        process.send_signal(number)
        process.wait(60)
    described = frames(page)
    assert len(described) > 2
    assert described[-1]["first"] == described[-2]["first"] + described[-2]["frames"] - 1
    ends = [json.loads(data) for data in parts(page).get("end", [])]
    assert ends == [] if number == signal.SIGKILL else "SIGINT" in ends[0]["reason"]


def test_wrong_options_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    page = str(tmp_path / "run.html")
    assert main(["run", str(ARENA), "--record", page, "--plot", "e-puck.ps9"]) == 2
    assert "matches no value; did you mean 'e-puck.ps" in capsys.readouterr().err
    assert main(["run", str(ARENA), "--plot", "e-puck.ps0"]) == 2
    assert "add --record FILE.html" in capsys.readouterr().err
    assert main(["run", str(ARENA), "--record", page, "--animation", page]) == 2
    assert "name the same file" in capsys.readouterr().err
