"""Flash a firmware to a real board with the board's usual tool, and ask the board which build it runs."""

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
from wbfirmware.boards import REPL, Board, FlashMethod
from wbfirmware.build import Built
from wbfirmware.flash_errors import FlashError
from wbfirmware.micropython.project import built_name
from wbfirmware.micropython.serial_port import copy_by_repl
from wbfirmware.problems import nearest
from wbfirmware.tools import need, run
from wbfirmware.touch import new_one, new_port, serial_ports, touch
from wbfirmware.uf2 import uf2

__all__ = ["FlashError", "build_name", "check_drive", "choose_way", "command_of", "drives", "flash"]
__all__ += ["APPEARANCE", "ask_for_boot_loader", "installed", "told_build"]

COPY = "copy"
DRIVES = ("/media/*/{}", "/run/media/*/{}", "/media/{}", "/mnt/{}", "/Volumes/{}")
"""Mount points of drives."""
FORMS = {"hex": ["-O", "ihex"], "bin": ["-O", "binary"]}
APPEARANCE = 15.0
"""Time (s) for a drive to be mounted."""
PORT_APPEARANCE = 5.0
"""Time (s) for the serial port of a boot loader, which waits for about 8 s."""
SESSION, WATCHDOG = 1, 500
_IDENTITY = re.compile(r"^Unique ID:\s*(\w+)", re.MULTILINE)
_BUILD = re.compile(r'#define LINK_BUILD "([^"]*)"')


def installed(way: FlashMethod) -> bool:
    """Return True if the tool is installed."""
    return way.tool in (COPY, REPL) or shutil.which(way.tool) is not None


def choose_way(board: Board, tool: str | None = None, also_absent: bool = False) -> FlashMethod:
    """Return the requested way to flash a board, or the first whose tool is installed.

    Args:
        board: the board.
        tool: name of the tool.
        also_absent: if none is installed, return the first one.

    Raises:
        FlashError: none is available; the message lists the tools and what to install.
    """
    if not board.flashing:
        raise FlashError(f"{board.title} cannot be flashed; run it with: wbridge firmware emulate")
    listed = "; ".join(f"{one.tool} ({one.about})" for one in board.flashing)
    wanted = [one for one in board.flashing if tool in (None, one.tool)]
    if not wanted:
        meant = nearest(str(tool), [one.tool for one in board.flashing])
        raise FlashError(f"{board.title} cannot be flashed with {tool}{meant}; available: {listed}")
    there = [one for one in wanted if installed(one)]
    if there or also_absent:
        return [*there, *wanted][0]
    packages = " or ".join(one.installation for one in wanted)
    raise FlashError(f"no tool for flashing {board.title} is installed: {listed}; for example: {packages}")


def drives(way: FlashMethod) -> list[Path]:
    """Return the drives of connected boards."""
    places = (Path("/").glob(pattern.format(way.drive).lstrip("/")) for pattern in DRIVES)
    return sorted({place for found in places for place in found if place.is_dir()})


def ask_for_boot_loader(way: FlashMethod, port: str) -> str:
    """Ask the program that runs on a board for the boot loader; its motors stop.

    Args:
        way: a method with `touch`.
        port: serial port of the board.

    Returns:
        The drive or the serial port of the boot loader.

    Raises:
        FlashError: the port cannot be opened, or no drive appears.
    """
    return str(_ask_for_drive(way, port)) if way.tool == COPY else _ask_for_port(way, port)


def _ask_for_port(way: FlashMethod, port: str) -> str:
    """Return the serial port of the boot loader, which often has the name of the program's port. If none
    appears, `port` may be that of a boot loader with unknown numbers."""
    before, place = serial_ports(), os.path.realpath(port)
    if any(one.name == place and one.numbers in way.loaders for one in before):
        return port
    touch(port)
    found = new_port(before, PORT_APPEARANCE)
    return port if found is None else found.name


def _ask_for_drive(way: FlashMethod, port: str) -> Path:
    before = drives(way)
    touch(port)
    drive = new_one(lambda: drives(way), before, APPEARANCE)
    if drive is None:
        raise FlashError(
            f"no drive {way.drive} has appeared within {APPEARANCE:g} s. If the system does not mount it, "
            f"mount it at /mnt/{way.drive}; if the board runs another program, hold its button BOOTSEL while "
            "you connect it; then flash without --port"
        )
    return drive


def check_drive(way: FlashMethod, board: Board, drive: Path) -> None:
    """Check that a drive belongs to a board that takes this firmware; unidentified drives are accepted.

    Raises:
        FlashError: the drive belongs to another board.
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
    """Return the command line that flashes, to be run in the project's folder."""
    files = {form: f"firmware.{form}" for form in (*FORMS, "elf")}
    return [way.tool, *(word.format(port=port, **files) for word in way.command)]


def flash(way: FlashMethod, built: Built, port: str) -> None:
    """Flash a board.

    Args:
        way: the flash method.
        built: the firmware.
        port: the serial port, or the drive for `copy`.

    Raises:
        FlashError: the tool has failed; its output was shown as it appeared.
        BuildError: a tool of the compiler is missing.
    """
    if way.tool == REPL:
        copy_by_repl(built, port)
        return
    if way.tool == COPY:
        _copy(_uf2(built, way.family) if way.family else _image(built, way.form), Path(port))
        return
    command = command_of(way, port)
    for form in FORMS:
        if any(f"firmware.{form}" in word for word in command):
            _image(built, form)
    if subprocess.run(command, cwd=built.program.parent, stdin=subprocess.DEVNULL, check=False).returncode:
        raise FlashError(f"{way.tool} failed; see its output above. Is the board connected ({way.about})?")


def _image(built: Built, form: str) -> Path:
    """Return the program as a file for flashing tools."""
    place = built.program.with_suffix(f".{form}")
    compiler = built.board.compiler
    tool = need(compiler.tool("objcopy"), compiler.packages, "it creates the file to flash")
    run([tool, *FORMS[form], "-R", ".eeprom", built.program, place], place.parent)
    return place


def _uf2(built: Built, family: int) -> Path:
    """Return the program as a UF2 file."""
    place = built.program.with_suffix(".uf2")
    image = _image(built, "bin").read_bytes()
    place.write_bytes(uf2(image, int(built.board.memory["flash"], 0), family))
    return place


def _copy(image: Path, drive: Path) -> None:
    try:
        with image.open("rb") as source, (drive / image.name).open("wb") as target:
            shutil.copyfileobj(source, target)
            target.flush()
            os.fsync(target.fileno())  # the board programs itself when the file is complete
    except OSError as problem:
        raise FlashError(f"cannot write the file to {drive}: {problem}") from None


def build_name(built: Built) -> str:
    """Return the name of a build, as the board reports it over its link."""
    if built.board.python is not None:
        return built_name(built.program.parent)
    found = _BUILD.search((built.program.parent / "config.h").read_text(encoding="utf-8"))
    assert found is not None, "every project has one"
    return found[1]


def told_build(url: str, table: DeviceTable, timeout: float) -> str | None:
    """Return the build name that a board reports, at whichever end of the link it is.

    Args:
        url: URL of the board's wire.
        table: the robot's device table.
        timeout: timeout in s.

    Returns:
        None if it does not reply.

    Raises:
        LinkError: the wire does not exist.
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
