"""Make text safe to print in a terminal: untrusted text, and text that may contain passwords."""

from __future__ import annotations

import sys
from contextlib import suppress

__all__ = ["HIDDEN", "keep_secret", "print_problem", "printable", "printable_lines", "without_secrets"]

HIDDEN = "***"
"""Takes the place of a password or token."""
SHORTEST_SECRET = 6
"""Shorter ones are hidden in addresses only: as words they may mean something else."""
MOST_SECRETS = 100
_PASSWORD = r"""(://[^\s"'/:@[\]]*:)[^\s"'/]+@"""
_secrets: dict[str, None] = {}


def print_problem(text: str) -> None:
    """Print a message to stderr. One that nobody reads any more must not keep a program from stopping a
    robot: that it cannot be written is no error."""
    with suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def keep_secret(text: str) -> None:
    """Never show a password or token from now on."""
    if len(text) >= SHORTEST_SECRET and len(_secrets) < MOST_SECRETS:
        _secrets[text] = None


def without_secrets(text: str) -> str:
    """Replace the passwords of addresses in a text, and those that were named to `keep_secret`."""
    for secret in _secrets:
        text = text.replace(secret, HIDDEN)
    if "@" not in text:
        return text
    import re  # start-up: 5 ms, only for addresses

    return re.sub(_PASSWORD, rf"\1{HIDDEN}@", text)


def printable(text: str, limit: int = 0) -> str:
    """Escape all characters that a terminal would interpret instead of showing.

    Passwords are hidden. Control characters (including ANSI escapes and line breaks), marks that change the
    writing direction, invisible characters and lone surrogates become escapes such as \\x1b or \\u202e.

    Args:
        text: from a wire, a file or another program.
        limit: maximum length in characters, beyond which the text is cut; 0: no limit.
    """
    text = without_secrets(text)
    cut = f"{text[:limit]}..." if 0 < limit < len(text) else text
    return cut if cut.isprintable() else "".join(map(_shown, cut))


def printable_lines(text: str) -> str:
    """Like `printable` for a text of several lines; line ends are kept."""
    return "\n".join(map(printable, text.split("\n")))


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
