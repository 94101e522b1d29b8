"""Colors of a terminal; files, pipes and terminals without colors get plain text.

$NO_COLOR turns colors off (https://no-color.org), $FORCE_COLOR turns them on everywhere.
"""

from __future__ import annotations

import os
import re
from typing import TextIO

BOLD, RED, GREEN, YELLOW = "1", "1;31", "32", "33"
"""Parameters of the escape sequence SGR (ECMA-48, 8.3.117)."""
_SEVERITY = re.compile(r": (error|warning): ")
_OF_SEVERITY = {"error": RED, "warning": YELLOW}


def has_colors(stream: TextIO) -> bool:
    """Return whether a stream shows colors."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def colored(text: str, color: str, stream: TextIO) -> str:
    """Return a text in a color if the stream shows it, else as it is."""
    return f"\x1b[{color}m{text}\x1b[0m" if text and color and has_colors(stream) else text


def highlighted(finding: str, stream: TextIO) -> str:
    """Return a line such as "FILE:1:2: error: MESSAGE" with its severity in color."""
    match = _SEVERITY.search(finding)
    if match is None:
        return finding
    word = colored(match[1], _OF_SEVERITY[match[1]], stream)
    return f"{finding[: match.start(1)]}{word}{finding[match.end(1) :]}"
