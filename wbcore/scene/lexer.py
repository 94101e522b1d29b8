"""The tokens of VRML-like text as regular expressions, shared by all its readers.

Every pattern takes linear time: no two repetitions can match the same characters. Texts must use "\\n" line
ends and end with one (see `normalized`).
"""

from __future__ import annotations

import re

SPACE = r"[ \t\n\f\v,]"
BLANK = rf"{SPACE}*(?:#[^\n]*\n{SPACE}*)*"
"""White space, commas and comments, possibly none."""
GAP = rf"(?:{SPACE}|#[^\n]*\n)+"
"""White space, commas and comments, at least one."""
END = r"(?=[ \t\n\f\v,\[\]{}#\"])"
"""Lookahead: a word must be followed by one of these."""
NAME = r"[^ \t\n\f\v,\[\]{}#\"]+"
"""Any word: existing DEF names use all these characters."""
IDENTIFIER = r"[^ \t\n\f\v,\[\]{}#\"0-9.+\-\\'][^ \t\n\f\v,\[\]{}#\"\\']*"
STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
NUMBER = r"[-+.0-9eE]+"
"""A superset of numbers; `float` validates."""

blank = re.compile(BLANK)
word = re.compile(rf"{BLANK}({NAME})")
atom = re.compile(rf"{BLANK}({STRING}|{NAME}|[\[\]{{}}]|\")", re.DOTALL)
number = re.compile(rf"{BLANK}({NUMBER}){END}")
string = re.compile(rf"{BLANK}({STRING})", re.DOTALL)
opening_bracket = re.compile(rf"{BLANK}\[")
number_list = re.compile(rf"{BLANK}\[([-+.0-9eE \t\n\f\v,]*)\]")
body_item = re.compile(rf"{BLANK}(?:(hidden){GAP})?(?:({IDENTIFIER})|(\}}))")
node_start = re.compile(
    rf"{BLANK}(?:(\])|(NULL){END}|USE{GAP}({NAME})|(?:DEF{GAP}({NAME}){GAP})?({IDENTIFIER}){BLANK}\{{)"
)
is_reference = re.compile(rf"{BLANK}IS{GAP}({IDENTIFIER})")
bracket_or_skipped = re.compile(rf"{STRING}|#[^\n]*\n|([\[\]{{}}])", re.DOTALL)

_ESCAPE = re.compile(r'\\(["\\])')


def normalized(text: str) -> str:
    """Return the text without byte order mark, with "\\n" line ends, ending in one."""
    if text.startswith("\ufeff"):
        text = text[1:]
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.endswith("\n") else text + "\n"


def unquoted(quoted: str) -> str:
    """The value of a string in quotes: \\" and \\\\ stand for themselves, all else is kept."""
    inner = quoted[1:-1]
    return _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner


def skip_balanced(text: str, position: int) -> int:
    """Return the position after the bracket that closes the one at this position (or the end of the text)."""
    depth = 0
    for match in bracket_or_skipped.finditer(text, position):
        bracket = match.group(1)
        if bracket is None:
            continue
        depth += 1 if bracket in "[{" else -1
        if depth <= 0:
            return match.end()
    return len(text)
