"""Boards with an AVR: simavr's library, with a small program of our own around it."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from hal.folders import cache_folder
from libcontroller.compiling import BuildError
from wbfirmware.boards import Board
from wbfirmware.places import templates_path
from wbfirmware.tools import need, run

__all__ = ["command"]

SOURCE = Path(__file__).with_suffix(".c")
SHARED = "boards/shared/registers"
"""Among the templates: what this bench has in common with that of the board `host`."""
HEADERS = Path("/usr/include/simavr"), Path("/usr/local/include/simavr")
PACKAGES = "libsimavr-dev"


def command(board: Board, program: Path, lockstep: bool, wire: str) -> list[str]:
    """simavr with a program; it is built when it is used for the first time.

    Raises:
        BuildError: the library is not installed.
    """
    return [str(_built()), str(program), *(["--lockstep"] if lockstep else [])]


def _built() -> Path:
    shared = templates_path() / SHARED
    sources = [SOURCE, *sorted(shared.glob("*.[ch]"))]
    digest = hashlib.sha256(b"\0".join(one.read_bytes() for one in sources)).hexdigest()[:16]
    place = cache_folder() / "emulators" / f"simavr-{digest}"
    if place.is_file():
        return place
    headers = next((one for one in HEADERS if (one / "sim_avr.h").is_file()), None)
    if headers is None:
        raise BuildError(
            f"simavr is not installed (it emulates boards with an AVR); install it, for example with: "
            f"apt install {PACKAGES}"
        )
    compiler = need("cc", "gcc", "it compiles the emulator of the board")
    place.parent.mkdir(parents=True, exist_ok=True)
    made = place.with_name(f"{place.name}.{os.getpid()}")
    programs = [one for one in sources if one.suffix == ".c"]
    folders = [f"-I{headers}", f"-I{shared}"]
    run([compiler, "-O2", *folders, *programs, "-o", made, "-lsimavr", "-lutil"], place.parent)
    made.replace(place)
    return place
