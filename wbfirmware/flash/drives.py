"""The drives that connected boards show: they program themselves with the file that is copied there."""

from __future__ import annotations

import os
import re
import string
import time
from collections.abc import Collection
from pathlib import Path

from wbridge.wbfirmware.boards.board import Board, FlashMethod
from wbridge.wbfirmware.flash.flash_errors import FlashError
from wbridge.wbfirmware.flash.serial_ports import PAUSE

DRIVES = ("/media/*/{}", "/run/media/*/{}", "/media/{}", "/mnt/{}", "/Volumes/{}")
"""Mount points of drives."""
LETTERS = tuple(f"{letter}:\\" for letter in string.ascii_uppercase) if os.name == "nt" else ()
"""Where Windows shows drives."""
UF2_FILE, DEBUGGER_FILE = "INFO_UF2.TXT", "DETAILS.TXT"
"""Files on every drive that takes UF2 files (section "Files exposed by bootloaders" of the format's
specification), and on those of a debugger with DAPLink or ST-LINK/V2-1."""
_IDENTITY = re.compile(r"^Unique ID:\s*(\w+)", re.MULTILINE)
_UF2_BOARD = re.compile(r"^Board-ID:\s*(\S+)", re.MULTILINE)


def drives(way: FlashMethod) -> list[Path]:
    """Return the drives of connected boards. Empty folders that once were mount points are none."""
    places = [place for pattern in DRIVES for place in _named(pattern, way.drive)]
    places += [place for place in map(Path, LETTERS) if _tells(way, place)]
    return sorted({place for place in places if is_drive(way, place)})


def mounts(way: FlashMethod) -> list[tuple[Path, int]]:
    """Return the drives of connected boards with the number of the device that is mounted there now."""
    places = []
    for place in drives(way):
        try:
            places.append((place, place.stat().st_dev))
        except OSError:
            continue  # it has just gone
    return places


def new_drive(way: FlashMethod, before: Collection[tuple[Path, int]], timeout: float) -> Path | None:
    """Return the drive that appears, maybe in the folder of one that has gone; None: none does.

    Args:
        way: the flash method.
        before: what `mounts` returned.
        timeout: in s.
    """
    end = time.monotonic() + timeout
    while time.monotonic() < end:
        drive = next((place for place, device in mounts(way) if (place, device) not in before), None)
        if drive is not None:
            return drive
        time.sleep(PAUSE)
    return None


def is_drive(way: FlashMethod, place: Path) -> bool:
    """Return True if a board's drive is mounted in a folder."""
    if (place / _marker(way)).is_file():
        return True
    return not way.family and place.is_dir() and os.path.ismount(place)


def _marker(way: FlashMethod) -> str:
    return UF2_FILE if way.family else way.identity or DEBUGGER_FILE


def _named(pattern: str, name: str) -> list[Path]:
    """Return folders with the name of a drive; systems add a number to a name that is taken."""
    own = re.compile(rf"{re.escape(name)}( ?\d{{1,2}})?")
    drives = Path("/").glob(pattern.format(f"{name}*").lstrip("/"))
    return [place for place in drives if own.fullmatch(place.name)]


def _tells(way: FlashMethod, place: Path) -> bool:
    """Return True if a drive without a name says in its file that it is the board's."""
    said = _UF2_BOARD.search(_text(place / UF2_FILE)) if way.family else None
    if said is not None:
        return said[1] == way.drive
    return bool(way.identity) and _IDENTITY.search(_text(place / way.identity)) is not None


def _text(file: Path) -> str:
    """Return what a file says; "" if it cannot be read."""
    try:
        return file.read_text("utf-8", "replace")
    except OSError:
        return ""


def check_drive(way: FlashMethod, board: Board, drive: Path) -> None:
    """Check that a drive belongs to a board that takes this firmware; unidentified drives are accepted.

    Raises:
        FlashError: the drive belongs to another board.
    """
    if not way.identity:
        return
    identity = _IDENTITY.search(_text(drive / way.identity))
    if identity is None or identity[1].startswith(tuple(way.accepts.values())):
        return
    known = (name for name, number in way.rejects.items() if identity[1].startswith(number))
    listed = ", ".join(way.accepts)
    raise FlashError(
        f"{drive} is the drive of {next(known, 'another board')} (its {way.identity} has the unique ID "
        f"{identity[1][:16]}), and this firmware is for {board.title} ({board.processor}): {listed}"
    )
