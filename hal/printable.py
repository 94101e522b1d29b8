"""Makes text that came from somebody else safe to show in a terminal."""

from __future__ import annotations

__all__ = ["printable", "printable_lines"]


def printable(text: str, limit: int = 0) -> str:
    """A text without anything that a terminal obeys instead of showing it.

    Control characters (with the escape that begins ANSI sequences, and line breaks), marks that change the
    direction of writing, invisible characters and lone surrogates become escapes such as \\x1b or \\u202e.

    Args:
        text: from a wire, a file or another program.
        limit: longest text in characters, more is cut; 0: none.
    """
    cut = f"{text[:limit]}..." if 0 < limit < len(text) else text
    return cut if cut.isprintable() else "".join(map(_shown, cut))


def printable_lines(text: str) -> str:
    """As `printable`, for a text of several lines: their ends stay."""
    return "\n".join(map(printable, text.split("\n")))


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
