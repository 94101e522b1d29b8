"""The folder of a board with MicroPython is copied by its raw REPL."""

from __future__ import annotations

import os
import pty
import subprocess
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
import serial

from tests.conftest import CHECKOUT, require_tool
from tests.firmware.repl_peer import ReplPeer
from wbridge.main import main
from wbridge.wbfirmware.building.micropython.project import built_name
from wbridge.wbfirmware.emulators import micropython
from wbridge.wbfirmware.flash.copying import copy_folder
from wbridge.wbfirmware.flash.repl import BoardSilent, ExecutionFailed, RawRepl

FILES = {"main.py": "print('é')\n" * 200, "wb/board.py": "x = 1\n", "user/deep/other.py": ""}
SAMPLE = CHECKOUT / "worlds" / "two_wheels_pico.toml"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder to copy."""
    for name, text in FILES.items():
        place = tmp_path / "made" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return tmp_path / "made"


@pytest.fixture(params=[True, False], ids=["with flow control", "without"])
def peer(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReplPeer:
    """A board."""

    def ilistdir(path: str) -> Iterator[tuple[str, int]]:
        for one in sorted(os.scandir(path), key=lambda each: each.name):
            yield one.name, 0x4000 if one.is_dir() else 0x8000

    monkeypatch.setattr(os, "ilistdir", ilistdir, raising=False)
    (tmp_path / "board").mkdir()
    return ReplPeer(tmp_path / "board", request.param)


def entered(port: ReplPeer) -> RawRepl:
    """The REPL of a board."""
    repl = RawRepl(port, timeout=1.0)
    repl.enter()
    return repl


def there(folder: Path) -> dict[str, str]:
    """The files of a folder."""
    files = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_text() for one in files}


def test_all_files_arrive_and_the_board_restarts(peer: ReplPeer, folder: Path, tmp_path: Path):
    said = list(copy_folder(entered(peer), folder, sorted(FILES)))
    assert there(tmp_path / "board") == FILES
    assert peer.restarts == 1
    assert said[-1].startswith("copied main.py"), "a half-copied program must not start"


def test_only_changes_are_copied_and_leftovers_are_removed(peer: ReplPeer, folder: Path, tmp_path: Path):
    list(copy_folder(entered(peer), folder, sorted(FILES)))
    (folder / "wb" / "board.py").write_text("x = 2\n")
    (folder / "user" / "deep" / "other.py").unlink()
    files = ["main.py", "wb/board.py"]
    said = list(copy_folder(entered(peer), folder, files))
    assert [one.split(" (")[0] for one in said] == [
        *("removed user/deep/other.py", "copied wb/board.py", "copied main.py"),
    ]
    assert there(tmp_path / "board") == {"main.py": FILES["main.py"], "wb/board.py": "x = 2\n"}


def test_an_exception_on_the_board_is_reported(peer: ReplPeer):
    repl = entered(peer)
    with pytest.raises(ExecutionFailed, match="ZeroDivisionError"):
        repl.run("1 / 0")
    assert repl.run("print(6 * 7)").strip() == b"42"


def test_a_board_that_is_starting_is_asked_again(peer: ReplPeer, monkeypatch: pytest.MonkeyPatch):
    send, asked = peer.write, [0]

    def write(data: bytes) -> int:
        asked[0] += 1
        return send(data) if asked[0] > 4 else len(data)

    monkeypatch.setattr(peer, "write", write)
    repl = RawRepl(peer, timeout=0.1)
    repl.enter()
    assert asked[0] == 6 and repl.run("print(6 * 7)").strip() == b"42"


def test_a_silent_port_is_reported():
    class Silent:
        def read(self, size: int = 1) -> bytes:
            return b""

        def write(self, data: bytes) -> int:
            return len(data)

    with pytest.raises(BoardSilent, match="starting its raw REPL"):
        RawRepl(Silent(), timeout=0.05).enter()


@pytest.fixture
def vm_port(tmp_path: Path) -> Iterator[str]:
    """A terminal at which MicroPython's own REPL answers."""
    node = require_tool("node", "runs MicroPython's virtual machine")
    ours, theirs = pty.openpty()
    tty.setraw(theirs)
    script = Path(__file__).with_name("micropython_repl.mjs")
    command = [node, str(script), str(micropython.library())]
    process = subprocess.Popen(command, stdin=ours, stdout=ours, cwd=tmp_path)
    yield os.ttyname(theirs)
    process.kill()
    process.wait()
    os.close(ours)
    os.close(theirs)


@pytest.mark.boards
def test_the_command_copies_to_micropython_itself(vm_port: str, tmp_path: Path):
    project = tmp_path / "project"
    command = ["-q", "firmware", "flash", str(SAMPLE), "--out", str(project), "--port", vm_port]
    assert main(command) == 0
    with serial.Serial(vm_port, timeout=0.1) as port:
        repl = RawRepl(port)
        repl.enter()
        repl.run("import wb.build, wb.table")
        assert repl.run("print(wb.build.NAME)").decode().strip() == built_name(project)
        assert b"'left wheel motor'" in repl.run("print(wb.table.DEVICES)")
    assert main(command) == 0, "a second time, nothing has changed"
