"""Copy a board's folder over its serial port."""

from __future__ import annotations

import logging
from pathlib import Path

from wbridge.hal.link.transports.serial import PORT_ERRORS
from wbridge.wbfirmware.building.build import Built
from wbridge.wbfirmware.flash.copying import copy_folder
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.repl import BoardSilent, ExecutionFailed, RawRepl
from wbridge.wbfirmware.flash.serial_ports import open_port

BAUD, READ_S = 115200, 0.1
SKIPPED = ".wbridge-firmware"
"""wbridge's own record of the folder."""

_LOG = logging.getLogger("wbridge")


def copy_by_repl(built: Built, port: str) -> None:
    """Copy the folder of a build to a board with MicroPython, and start it.

    Args:
        built: the build.
        port: serial port, for example /dev/ttyACM0.

    Raises:
        FlashError: the port cannot be used, or there is no MicroPython, or it cannot store the files.
    """
    folder = built.program.parent
    files = sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if _is_copied(file))
    try:
        with open_port(port, BAUD, READ_S) as line:
            repl = RawRepl(line)
            repl.enter()
            done = False
            for words in copy_folder(repl, folder, files):
                _LOG.info("%s", words)
                done = True
            line.flush()
    except PORT_ERRORS as problem:
        raise FlashError(f"cannot use {port}: {problem}") from None
    except (BoardSilent, ExecutionFailed) as problem:
        python = built.board.python
        source = python.firmware if python is not None else ""
        raise FlashError(f"{port}: {problem}; MicroPython for the board: {source}") from None
    if not done:
        _LOG.info("the board has these files already")


def _is_copied(path: Path) -> bool:
    return path.is_file() and path.name != SKIPPED and "__pycache__" not in path.parts
