"""For which release of Webots a project was written: controllers from before R2023a expect other values."""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["is_older"]

HEADER = re.compile(rb"#VRML_SIM\s+(?:V(\d+)|R(\d{4})([a-z]))")


@lru_cache(maxsize=16)
def is_older(world_path: str, release: str) -> bool:
    """True when the world's header names an earlier release, for example "R2023a"; False when none is known.

    Args:
        world_path: the file of the world; "": it is not known.
        release: with year and letter.
    """
    try:
        with open(world_path, "rb") as file:
            found = HEADER.match(file.readline(200))
    except OSError:
        return False
    if found is None:
        return False
    return found[1] is not None or f"R{found[2].decode()}{found[3].decode()}" < release
