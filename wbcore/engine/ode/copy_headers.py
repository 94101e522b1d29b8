"""Copies ODE's headers into the build without their comments, which are half of their size in the wheel.

    python copy_headers.py FOLDER HEADER...

The first comment of each stays: its copyright and licence. A file that is the same already is not written, so
that nothing is compiled again.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

COMMENT_OR_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
BLANK = re.compile(r"(?<!\\)[ \t]*\n(?:[ \t]*\n)*")
"""Line ends with blank lines, but not the end of a line that goes on: a blank one may end a macro."""


def without_comments(text: str) -> str:
    """Return C or C++ source with its first comment only; each other one becomes a space."""
    first = COMMENT_OR_TEXT.match(text.lstrip())
    head = first.group() + "\n" if first else ""
    rest = text.lstrip()[len(head) - 1 :] if first else text
    bare = COMMENT_OR_TEXT.sub(lambda part: part.group() if part.group()[0] == '"' else " ", rest)
    return head + BLANK.sub("\n", bare).lstrip("\n")


def main(folder: Path, headers: list[Path]) -> None:
    """Copy the headers."""
    folder.mkdir(parents=True, exist_ok=True)
    for header in headers:
        text, copy = without_comments(header.read_text(encoding="latin-1")), folder / header.name
        if not copy.is_file() or copy.read_text(encoding="latin-1") != text:
            copy.write_text(text, encoding="latin-1", newline="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), list(map(Path, sys.argv[2:])))
