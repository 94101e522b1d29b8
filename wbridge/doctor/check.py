"""The result of a check."""

from __future__ import annotations

from typing import NamedTuple


class Check(NamedTuple):
    """What was looked for, and what to do about it."""

    name: str
    purpose: str
    """What it is needed for."""
    is_ok: bool
    detail: str
    """A version, a path, or what is missing."""
    advice: str = ""
    """The command that adds it; "" if nothing is missing."""
    is_needed: bool = False
    """True if no simulation runs without it."""

    @property
    def state(self) -> str:
        """The word in front of the line."""
        if self.is_ok:
            return "ok"
        return "BROKEN" if self.is_needed else "missing"
