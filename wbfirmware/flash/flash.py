"""Flash a firmware to a real board with the board's usual tool, and ask the board which build it runs."""

from __future__ import annotations

import os
import re
import secrets
import shutil
import subprocess
import time
from pathlib import Path
from typing import IO

from wbridge.hal.link.errors import ConnectionLost, MessageError, RobotBusy
from wbridge.hal.link.messages import Hello, Refusal, Welcome, decode, encode
from wbridge.hal.link.numbering import Numbering
from wbridge.hal.link.pipe import Pipe
from wbridge.hal.link.transports import connect
from wbridge.hal.table import DeviceTable
from wbridge.wbfirmware.boards.board import COPY, REPL, Board, FlashMethod
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.building.micropython.project import built_name
from wbridge.wbfirmware.flash.drives import mounts, new_drive
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.repl_copy import copy_by_repl
from wbridge.wbfirmware.flash.serial_ports import PAUSE, is_same, new_port, serial_ports, wait_for_access
from wbridge.wbfirmware.flash.touch import forget_touch, touch
from wbridge.wbfirmware.flash.uf2 import uf2
from wbridge.wbfirmware.problems import nearest
from wbridge.wbfirmware.tools import need, run

__all__ = ["APPEARANCE", "FlashError", "ask_for_boot_loader", "build_name", "choose_way", "command_of"]
__all__ += ["flash", "installed", "told_build"]

FORMS = {"hex": ["-O", "ihex"], "bin": ["-O", "binary"]}
APPEARANCE = 15.0
"""Time (s) for a drive to be mounted."""
PORT_APPEARANCE = 5.0
"""Time (s) for the serial port of a boot loader, which waits for about 8 s."""
SESSION, WATCHDOG = 1, 500
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
    listed = "; ".join(f"{method.tool} ({method.about})" for method in board.flashing)
    wanted = [method for method in board.flashing if tool in (None, method.tool)]
    if not wanted:
        meant = nearest(str(tool), [method.tool for method in board.flashing])
        raise FlashError(f"{board.title} cannot be flashed with {tool}{meant}; available: {listed}")
    there = [method for method in wanted if installed(method)]
    if there or also_absent:
        return [*there, *wanted][0]
    packages = " or ".join(method.installation for method in wanted)
    raise FlashError(f"no tool for flashing {board.title} is installed: {listed}; for example: {packages}")


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
    before = serial_ports()
    if any(is_same(serial_port, port) and serial_port.numbers in way.loaders for serial_port in before):
        return port
    touch(port)
    loader = new_port(before, way.loaders, PORT_APPEARANCE)
    if loader is None:
        forget_touch(port)
        return port
    wait_for_access(loader.name)
    return loader.name


def _ask_for_drive(way: FlashMethod, port: str) -> Path:
    before = mounts(way)
    touch(port)
    drive = new_drive(way, before, APPEARANCE)
    if drive is None:
        forget_touch(port)
        raise FlashError(
            f"no drive {way.drive} has appeared within {APPEARANCE:g} s. If the system does not mount it, "
            f"mount it at /mnt/{way.drive}; if the board runs another program, hold its button BOOTSEL while "
            "you connect it; then flash without --port"
        )
    return drive


def command_of(way: FlashMethod, port: str) -> list[str]:
    """Return the command line that flashes, to be run in the project's folder."""
    files = {form: f"firmware.{form}" for form in (*FORMS, "elf")}
    return [way.tool, *(word.format(port=port, **files) for word in way.command)]


def flash(way: FlashMethod, built: Built, port: str, output: IO[str] | None = None) -> None:
    """Flash a board.

    Args:
        way: the flash method.
        built: the firmware.
        port: the serial port, or the drive for `copy`.
        output: where tools print; None: on standard output.

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
    folder = built.program.parent
    if subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output, check=False).returncode:
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
    build = _BUILD.search((built.program.parent / "config.h").read_text(encoding="utf-8"))
    assert build is not None, "every project has one"
    return build[1]


def told_build(url: str, table: DeviceTable, timeout: float) -> str | None:
    """Return the build name that a board reports, at whichever end of the link it is.

    Args:
        url: URL of the board's wire.
        table: the robot's device table.
        timeout: timeout in s.

    Returns:
        None if it does not reply.

    Raises:
        LinkError: the wire does not exist, also not at the end.
    """
    client = secrets.randbits(32)
    hello = encode(Hello(1, SESSION, client, WATCHDOG, Numbering(table).hash, "wbridge flash"))
    end = time.monotonic() + timeout
    pipe = _connected(url, end)
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


def _connected(url: str, end: float) -> Pipe:
    """Connect to a board that starts. Its port may be absent, or taken by a service that looks for modems.

    Args:
        url: URL of the board's wire.
        end: when to give up, as time.monotonic().

    Raises:
        LinkError: there is none then, or the URL is wrong.
    """
    while True:
        try:
            return connect(url)
        except (ConnectionLost, RobotBusy):
            if time.monotonic() >= end:
                raise
            time.sleep(PAUSE)
