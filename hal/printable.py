"""Make untrusted text safe to print in a terminal."""

from __future__ import annotations

__all__ = ["printable", "printable_lines"]


def printable(text: str, limit: int = 0) -> str:
    """Escape all characters that a terminal would interpret instead of showing.

    Control characters (including ANSI escapes and line breaks), marks that change the writing direction,
    invisible characters and lone surrogates become escapes such as \\x1b or \\u202e.

    Args:
        text: from a wire, a file or another program.
        limit: maximum length in characters, beyond which the text is cut; 0: no limit.
    """
    cut = f"{text[:limit]}..." if 0 < limit < len(text) else text
    return cut if cut.isprintable() else "".join(map(_shown, cut))


def printable_lines(text: str) -> str:
    """Like `printable` for a text of several lines; line ends are kept."""
    return "\n".join(map(printable, text.split("\n")))


def _shown(character: str) -> str:
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
