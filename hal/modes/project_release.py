"""The Webots release of a project: controllers written before R2023a expect other values."""

from __future__ import annotations

from functools import lru_cache

__all__ = ["is_older"]

HEADER = rb"#VRML_SIM\s+(?:V(\d+)|R(\d{4})([a-z]))"


@lru_cache(maxsize=16)
def is_older(world_path: str, release: str) -> bool:
    """True if the world's header names an earlier release; False if its release is unknown.

    Args:
        world_path: the world file; "": unknown.
        release: with year and letter, for example "R2023a".
    """
    import re  # start-up: not each controller asks

    try:
        with open(world_path, "rb") as file:
            found = re.match(HEADER, file.readline(200))
    except OSError:
        return False
    if found is None:
        return False
    return found[1] is not None or f"R{found[2].decode()}{found[3].decode()}" < release
