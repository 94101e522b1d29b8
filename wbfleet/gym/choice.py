"""Choosing devices by patterns, and the error if that fails."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from wbridge.wbcore.scene.diagnostics import did_you_mean


class UnknownDevice(ValueError):
    """A pattern matches no device of the robot that can be used."""


def matching(pattern: str, names: Sequence[str], robot: str, what: str) -> list[int]:
    """Return the places of the names that match a pattern with `*`, `?` and `[...]`, as in file names.

    Args:
        pattern: a device's name or a pattern.
        names: the names to choose from.
        robot: the robot's name, for the message.
        what: what the devices are, for the message.

    Raises:
        UnknownDevice: none matches; the message lists the names.
    """
    found = [place for place, name in enumerate(names) if name == pattern or fnmatchcase(name, pattern)]
    if not found:
        known = ", ".join(f'"{name}"' for name in names) or "none"
        hint = did_you_mean(pattern, list(names))
        raise UnknownDevice(f'robot "{robot}" has no {what} "{pattern}"{hint}; it has: {known}')
    return found
