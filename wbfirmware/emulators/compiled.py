"""Small programs in C of this folder: they are compiled when they are used for the first time."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from hal.folders import cache_folder
from wbfirmware.tools import need, run

__all__ = ["compiled"]


def compiled(sources: Sequence[Path], options: Sequence[str], libraries: Sequence[str] = ()) -> Path:
    """A program, from the user's cache.

    Args:
        sources: its C files and headers; the first one gives it its name.
        options: of the compiler.
        libraries: of the linker.

    Raises:
        BuildError: there is no compiler, or it failed.
    """
    digest = hashlib.sha256(b"\0".join(one.read_bytes() for one in sources)).hexdigest()[:16]
    place = cache_folder() / "emulators" / f"{sources[0].stem}-{digest}"
    if place.is_file():
        return place
    compiler = need("cc", "gcc", "it compiles the emulator of the board")
    place.parent.mkdir(parents=True, exist_ok=True)
    made = place.with_name(f"{place.name}.{os.getpid()}")
    programs = [one for one in sources if one.suffix == ".c"]
    run([compiler, "-O2", *options, *programs, "-o", made, *libraries], place.parent)
    made.replace(place)
    return place
