"""Lookups by name, and their errors."""

from __future__ import annotations

from collections.abc import Iterable

from wbridge.wbcore.scene.diagnostics import did_you_mean

__all__ = ["UnknownNameError", "unknown"]

MOST_LISTED = 12
"""Names in a message."""


class UnknownNameError(KeyError):
    """There is no robot, device, node or field of a name. The message says which names there are."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


def unknown(what: str, name: str, known: Iterable[str], listed: str) -> UnknownNameError:
    """Return the error for a name that does not exist.

    Args:
        what: what is missing: 'robot "e-puck" has no motor "left"'.
        name: the name that was asked for.
        known: the names that exist.
        listed: what they are, in the plural.
    """
    names = list(dict.fromkeys(known))
    shown = ", ".join(f'"{known_name}"' for known_name in names[:MOST_LISTED]) or "none"
    more = f" and {len(names) - MOST_LISTED} more" if len(names) > MOST_LISTED else ""
    return UnknownNameError(f"{what}{did_you_mean(str(name), names)}; {listed}: {shown}{more}")
