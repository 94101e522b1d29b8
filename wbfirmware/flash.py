"""Brings a firmware onto a real board by the board's usual tool, and asks the board what it then runs."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import time
from pathlib import Path

from hal.link.errors import MessageError
from hal.link.messages import Hello, Refusal, Welcome, decode, encode
from hal.link.numbering import Numbering
from hal.link.transports import connect
from hal.table import DeviceTable
from wbfirmware.boards import Board, FlashMethod
from wbfirmware.build import Built
from wbfirmware.problems import nearest
from wbfirmware.tools import need, run

__all__ = ["FlashError", "build_name", "check_drive", "choose_way", "command_of", "drives", "flash"]
__all__ += ["installed", "told_build"]

COPY = "copy"
DRIVES = ("/media/*/{}", "/run/media/*/{}", "/media/{}", "/mnt/{}", "/Volumes/{}")
"""Where systems show drives."""
FORMS = {"hex": ["-O", "ihex"], "bin": ["-O", "binary"]}
SESSION, WATCHDOG = 1, 500
_IDENTITY = re.compile(r"^Unique ID:\s*(\w+)", re.MULTILINE)
_BUILD = re.compile(r'#define LINK_BUILD "([^"]*)"')


class FlashError(RuntimeError):
    """A firmware cannot be brought onto a board; the message says what helps."""


def installed(way: FlashMethod) -> bool:
    """Its tool is there."""
    return way.tool == COPY or shutil.which(way.tool) is not None


def choose_way(board: Board, tool: str | None = None, also_absent: bool = False) -> FlashMethod:
    """The way to flash a board: the one that is asked for, else the first whose tool is installed.

    Args:
        board: the board.
        tool: which tool.
        also_absent: where none is installed, the first one.

    Raises:
        FlashError: there is none; the message says which there are, and what to install.
    """
    if not board.flashing:
        raise FlashError(f"{board.title} is not flashed; run it with: wbridge firmware emulate")
    listed = "; ".join(f"{one.tool} ({one.about})" for one in board.flashing)
    wanted = [one for one in board.flashing if tool in (None, one.tool)]
    if not wanted:
        meant = nearest(str(tool), [one.tool for one in board.flashing])
        raise FlashError(f"{board.title} is not flashed by {tool}{meant}; there are: {listed}")
    there = [one for one in wanted if installed(one)]
    if there or also_absent:
        return [*there, *wanted][0]
    packages = " or ".join(f"apt install {one.packages}" for one in wanted)
    raise FlashError(f"no tool is installed that flashes {board.title}: {listed}; for example: {packages}")


def drives(way: FlashMethod) -> list[Path]:
    """The drives of boards that are plugged in."""
    places = (Path("/").glob(pattern.format(way.drive).lstrip("/")) for pattern in DRIVES)
    return sorted({place for found in places for place in found if place.is_dir()})


def check_drive(way: FlashMethod, board: Board, drive: Path) -> None:
    """Is a drive that of a board that takes this firmware? One that does not tell is taken.

    Raises:
        FlashError: it is another board's.
    """
    if not way.identity:
        return
    try:
        text = (drive / way.identity).read_text("utf-8", "replace")
    except OSError:
        return
    found = _IDENTITY.search(text)
    if found is None or found[1].startswith(tuple(way.accepts.values())):
        return
    known = (name for name, number in way.rejects.items() if found[1].startswith(number))
    listed = ", ".join(way.accepts)
    raise FlashError(
        f"{drive} is the drive of {next(known, 'another board')} (its {way.identity} has the unique ID "
        f"{found[1][:16]}), and this firmware is for {board.title} ({board.processor}): {listed}"
    )


def command_of(way: FlashMethod, port: str) -> list[str]:
    """The command line that flashes, to be run in the project's folder."""
    files = {form: f"firmware.{form}" for form in (*FORMS, "elf")}
    return [way.tool, *(word.format(port=port, **files) for word in way.command)]


def flash(way: FlashMethod, built: Built, port: str) -> None:
    """Flash a board.

    Args:
        way: how.
        built: what.
        port: the serial port; of `copy` the drive.

    Raises:
        FlashError: the tool has failed; what it says was shown as it said it.
        BuildError: a tool of the compiler is missing.
    """
    if way.tool == COPY:
        _copy(_image(built, "hex"), Path(port))
        return
    command = command_of(way, port)
    for form in FORMS:
        if any(f"firmware.{form}" in word for word in command):
            _image(built, form)
    if subprocess.run(command, cwd=built.program.parent, stdin=subprocess.DEVNULL, check=False).returncode:
        raise FlashError(f"{way.tool} has failed; see above. Is the board plugged in ({way.about})?")


def _image(built: Built, form: str) -> Path:
    """The program as a file that flashing tools read."""
    place = built.program.with_suffix(f".{form}")
    compiler = built.board.compiler
    tool = need(compiler.tool("objcopy"), compiler.packages, "it makes the file that is flashed")
    run([tool, *FORMS[form], "-R", ".eeprom", built.program, place], place.parent)
    return place


def _copy(image: Path, drive: Path) -> None:
    try:
        with image.open("rb") as source, (drive / image.name).open("wb") as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())  # the board programs itself as soon as all has come
    except OSError as problem:
        raise FlashError(f"the file cannot be written to {drive}: {problem}") from None


def build_name(built: Built) -> str:
    """The name of a build, as the board tells it over its link."""
    found = _BUILD.search((built.program.parent / "config.h").read_text(encoding="utf-8"))
    assert found is not None, "every project has one"
    return found[1]


def told_build(url: str, table: DeviceTable, timeout: float) -> str | None:
    """The name of the build that a board tells, whichever end of the link it is.

    Args:
        url: of the board's wire.
        table: of the robot.
        timeout: how long to ask, in s.

    Returns:
        None when it says nothing.

    Raises:
        LinkError: there is no such wire.
    """
    client = secrets.randbits(32)
    hello = encode(Hello(1, SESSION, client, WATCHDOG, Numbering(table).hash, "wbridge flash"))
    pipe = connect(url)
    end = time.monotonic() + timeout
    try:
        while time.monotonic() < end:
            pipe.send(hello)
            again = min(time.monotonic() + max(pipe.retry, 0.2), end)
            while (data := pipe.receive(max(again - time.monotonic(), 0.0))) is not None:
                try:
                    message = decode(data)
                except MessageError:
                    continue
                if isinstance(message, (Hello, Welcome, Refusal)):
                    return message.build
    finally:
        pipe.close()
    return None
