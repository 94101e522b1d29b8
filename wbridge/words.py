"""Words of messages to the user."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, several: str = "") -> str:
    """A number with what is counted: "1 robot", "2 robots"; `several` is the plural if it is irregular."""
    return f"{number} {one}" if number == 1 else f"{number} {several or one + 's'}"
