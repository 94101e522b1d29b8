"""A board at the port of the page: programs are written to it, and what it says is shown."""

from __future__ import annotations

import io
import json
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

from wbridge.hal.link.errors import LinkError
from wbridge.hal.link.transports import page
from wbridge.live.page_bytes import PageBytes
from wbridge.live.page_port import PagePipe, PagePort
from wbridge.live.projects import unpack
from wbridge.live.real_robot import RealRobot
from wbridge.running.board_monitor import Monitor
from wbridge.wbfirmware.emulators.board_output import Message, Said, Text, Value
from wbridge.wbfirmware.flash.copying import copy_folder
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.intel_hex import program_of
from wbridge.wbfirmware.flash.repl import BoardSilent, ExecutionFailed, RawRepl
from wbridge.wbfirmware.flash.stk500 import UNO, flash

__all__ = ["PageBoard"]

UNO_BAUD = PYTHON_BAUD = 115200
READ_S = 0.1
MAIN = "main.py"


class PageBoard:
    """The board; its functions return what a person reads at the end."""

    def __init__(self, run: RealRobot, tell: Callable[[str], object]) -> None:
        """
        Args:
            run: of the page; robots and boards have the same port.
            tell: takes news as JSON: {"progress": text}, {"value": [name, number]}, {"text": ...} or
                {"message": ...}.
        """
        self._run, self._port, self._tell = run, run.port, tell
        self._over = PageEvent(run.port)

    def _say(self, **news: object) -> None:
        self._tell(json.dumps(news))

    @contextmanager
    def _opened(self, baud: int) -> Iterator[PagePipe]:
        pipe = self._port.open(baud)
        try:
            yield pipe
        finally:
            pipe.close()

    def flash(self, text: str) -> str:
        """Write a program in Intel's hexadecimal format to an Arduino Uno.

        Raises:
            HexError: it is no such program.
            LinkError: the port cannot be opened.
            FlashError: there is no such board, or the program is not there now.
        """
        program = program_of(text, UNO.flash)

        def tell(done: int, total: int) -> None:
            what = "Writing" if done <= len(program) else "Comparing"
            self._say(progress=f"{what}: {100 * done // total} %")

        with self._run.paused(), self._opened(UNO_BAUD) as pipe:
            self._port.reset_board()
            flash(pipe, program, UNO, tell)
        return f"{len(program)} bytes were written and compared; the program runs."

    def copy(self, data: PageBytes) -> str:
        """Copy a program to a board with MicroPython: the files of a zip archive, or a main program.

        Raises:
            ProjectError: the archive cannot be used.
            LinkError: the port cannot be opened.
            FlashError: there is no MicroPython, or it cannot store the files.
        """
        content = data.to_bytes()
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            if zipfile.is_zipfile(io.BytesIO(content)):
                unpack(content, folder)
            else:
                (folder / MAIN).write_bytes(content)
            files = sorted(one.relative_to(folder).as_posix() for one in folder.rglob("*") if one.is_file())
            with self._run.paused(), self._opened(PYTHON_BAUD) as pipe:
                self._copy(pipe, folder, files)
        return f"The board has {len(files)} file{'s' * (len(files) != 1)}, and runs {MAIN}."

    def _copy(self, pipe: PagePipe, folder: Path, files: list[str]) -> None:
        repl = RawRepl(ReadPort(pipe))
        try:
            repl.enter()
            for words in copy_folder(repl, folder, files):
                self._say(progress=words)
        except (BoardSilent, ExecutionFailed) as problem:
            raise FlashError(f"{problem}; is MicroPython on this board?") from None
        except LinkError as problem:
            raise FlashError(f"{problem}: the board has a part of the files; copy them again") from None

    def monitor(self, baud: int) -> str:
        """Show what a board says until `leave`.

        Raises:
            RunError: the port cannot be opened.
        """
        page.provide(self._port.open)
        self._over.clear()
        with Monitor(f"page://port?baud={baud}", None, [self]) as monitor:
            self._say(progress="Listening")
            monitor.run(self._over, None)
        return ""

    def leave(self) -> None:
        """End `monitor`."""
        self._over.set()

    # As a target of the monitor.

    def take(self, said: Said, at: float) -> None:
        """Show what the board said."""
        if isinstance(said, Value):
            self._say(value=[said.name, said.value])
        elif isinstance(said, Message):
            self._say(message=said.text)
        elif isinstance(said, Text):
            self._say(text=said.text)

    def poll(self) -> None:
        """Nothing: the page is served while bytes are waited for."""


class PageEvent(Event):
    """An event for which the page is served meanwhile."""

    def __init__(self, port: PagePort) -> None:
        super().__init__()
        self._port = port

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for a time, whether the event comes or not."""
        self._port.wait(self._port.browser.pause(1000 * (timeout or 0.0)))
        return self.is_set()


class ReadPort:
    """The port as the REPL reads it (see `wbridge.wbfirmware.flash.repl.SerialPort`)."""

    def __init__(self, pipe: PagePipe) -> None:
        self._pipe, self._data = pipe, b""

    def read(self, size: int = 1) -> bytes:
        """Read some bytes, none after a short time."""
        if not self._data:
            self._data = self._pipe.receive(READ_S) or b""
        part, self._data = self._data[:size], self._data[size:]
        return part

    def write(self, data: bytes, /) -> int:
        """Send bytes."""
        self._pipe.send(data)
        return len(data)
