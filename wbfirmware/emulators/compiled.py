"""The programs around emulators, in C and JavaScript; those in C are compiled on first use."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from wbridge.hal.folders import cache_folder, replacement, sole_builder
from wbridge.wbfirmware.tools import need, run


def programs_folder() -> Path:
    """Return the folder with their sources."""
    return Path(__file__).resolve().parent / "programs"


def compiled(sources: Sequence[Path], options: Sequence[str], libraries: Sequence[str] = ()) -> Path:
    """Return a program from the user's cache, compiled if needed.

    Args:
        sources: its C files and headers; the program is named after the first one.
        options: options of the compiler.
        libraries: libraries for the linker.

    Raises:
        BuildError: the compiler is missing or failed.
    """
    parts = [*(source.read_bytes() for source in sources), *(option.encode() for option in options)]
    digest = hashlib.sha256(b"\0".join(parts)).hexdigest()[:16]
    place = cache_folder() / "emulators" / f"{sources[0].stem}-{digest}"
    if place.is_file():
        return place
    compiler = need("cc", "gcc", "it compiles the emulator of the board")
    with sole_builder(place) as is_missing:
        if is_missing:
            programs = [source for source in sources if source.suffix == ".c"]
            with replacement(place) as draft:
                run([compiler, "-O2", *options, *programs, "-o", draft, *libraries], place.parent)
    return place
