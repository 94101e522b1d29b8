"""Boards at the port of a page: programs reach them, and what they say is shown.

Judges: a boot loader written from Atmel's note AVR061, a raw REPL written from MicroPython's manual.
"""

from __future__ import annotations

import io
import json
import os
import threading
import tty
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from tests.firmware.boot_loader import BootLoader
from tests.firmware.repl_peer import ReplPeer
from tests.firmware.test_stk500 import BLINK, no_program
from tests.live.fake_browser import Bytes, FakeBrowser
from tests.waiting import wait_for
from wbridge.hal.link.transports import page
from wbridge.live.page_board import PageBoard
from wbridge.live.page_port import PagePort
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.intel_hex import HexError


class Run:
    """The part of a run that boards need."""

    def __init__(self, port: PagePort) -> None:
        self.port = port

    def paused(self) -> AbstractContextManager[None]:
        """No simulation runs."""
        return nullcontext()


class Desk:
    """A board at the port; `news` is what a person sees."""

    def __init__(self, browser: FakeBrowser) -> None:
        self.browser = browser
        self.news: list[dict[str, object]] = []
        run = Run(PagePort(self.browser, lambda result: result))
        self.board = PageBoard(run, lambda text: self.news.append(json.loads(text)))  # type: ignore[arg-type]


class PythonBoard(FakeBrowser):
    """A board with MicroPython."""

    def __init__(self, peer: ReplPeer) -> None:
        super().__init__("")
        self.peer = peer

    def open(self, baud: int) -> str:
        return self.problem

    def write(self, data: bytes) -> None:
        self.peer.write(data)

    def take(self) -> Bytes | None:
        return Bytes(self.peer.read(4096)) or None


@pytest.fixture
def python_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk with a board that has MicroPython; its files are in tmp_path/board."""

    def ilistdir(path: str) -> Iterator[tuple[str, int]]:
        for one in sorted(os.scandir(path), key=lambda each: each.name):
            yield one.name, 0x4000 if one.is_dir() else 0x8000

    monkeypatch.setattr(os, "ilistdir", ilistdir, raising=False)
    (tmp_path / "board").mkdir()
    return Desk(PythonBoard(ReplPeer(tmp_path / "board")))


def test_a_program_file_is_written_to_an_uno():
    with BootLoader(no_program) as loader:
        desk = Desk(FakeBrowser(f"serial://{loader.name}"))
        said = desk.board.flash(BLINK)
    assert said == "20 bytes were written and compared; the program runs."
    assert desk.browser.calls[:2] == [("signals", False), ("signals", True)], "the board was reset"
    assert desk.news[-1] == {"progress": "Comparing: 100 %"}
    assert loader.flash[:4].hex() == "0c943400"


def test_another_file_is_refused_before_the_port_is_opened():
    desk = Desk(FakeBrowser("serial:///dev/no_port"))
    with pytest.raises(HexError, match="line 1 is not a record"):
        desk.board.flash("print('no program')")
    assert desk.browser.speeds == []


def test_a_main_program_reaches_a_board_with_micropython(python_board: Desk, tmp_path: Path):
    said = python_board.board.copy(Bytes(b"print('hello')\n"))
    assert said == "The board has 1 file, and runs main.py."
    assert (tmp_path / "board" / "main.py").read_text() == "print('hello')\n"


def test_the_files_of_an_archive_reach_a_board(python_board: Desk, tmp_path: Path):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("main.py", "import user.own\n")
        archive.writestr("user/own.py", "x = 1\n")
    python_board.board.copy(Bytes(data.getvalue()))
    assert (tmp_path / "board" / "user" / "own.py").read_text() == "x = 1\n"
    assert (tmp_path / "board" / "main.py").is_file()


def test_a_cable_that_is_pulled_while_files_are_copied_is_told(python_board: Desk):
    browser = python_board.browser
    write = browser.write

    def cut(data: bytes) -> None:
        if len(browser.calls) > 3:
            browser.loss = "the cable was pulled"
        browser.calls.append("write")
        write(data)

    browser.write = cut  # type: ignore[method-assign]
    with pytest.raises(FlashError, match="the cable was pulled: the board has a part of the files"):
        python_board.board.copy(Bytes(b"print('hello')\n"))


def test_what_a_board_says_is_shown_until_a_person_leaves():
    own, other = os.openpty()
    tty.setraw(other)
    desk = Desk(FakeBrowser(f"serial://{os.ttyname(other)}"))
    listening = threading.Thread(target=desk.board.monitor, args=(9600,))
    listening.start()
    wait_for(lambda: {"progress": "Listening"} in desk.news)
    os.write(own, b">speed:2.5\nhello\nwbridge: reset by watchdog\n")
    wait_for(lambda: len(desk.news) == 4)
    desk.board.leave()
    listening.join()
    page.provide(None)
    assert desk.news[1:] == [{"value": ["speed", 2.5]}, {"text": "hello"}, {"message": "reset by watchdog"}]
    assert desk.browser.speeds == [9600]
    os.close(own)
    os.close(other)
