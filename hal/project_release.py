"""The Webots release of a project: controllers written before R2023a expect other values."""

from __future__ import annotations

HEADER = rb"#VRML_SIM\s+(?:V(\d+)|R(\d{4})([a-z]))"


_releases: dict[str, str] = {}
"""By world file; "" if a file names none."""


def is_older(world_path: str, release: str) -> bool:
    """True if the world's header names an earlier release; False if its release is unknown.

    Args:
        world_path: the world file; "": unknown.
        release: with year and letter, for example "R2023a".
    """
    if world_path not in _releases:
        _releases[world_path] = _release(world_path)
    return "" < _releases[world_path] < release


def _release(world_path: str) -> str:
    """The release in a world's header, "R0" for those before the yearly ones, or ""."""
    import re  # start-up: not each controller asks

    try:
        with open(world_path, "rb") as file:
            header = re.match(HEADER, file.readline(200))
    except OSError:
        return ""
    if header is None:
        return ""
    return "R0" if header[1] is not None else f"R{header[2].decode()}{header[3].decode()}"
