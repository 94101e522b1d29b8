"""Splits a PROTO body into plain text, statements and expressions.

Comments of the file format take precedence over template code: from a '#' outside a string to the end of the
line, everything is plain text, including template tokens. In a statement, '#' has the language's meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from wbridge.wbcore.scene.templates.model import TemplateError

TEXT = "text"
STATEMENT = "statement"
EXPRESSION = "expression"

# Opening and closing token of each language.
TOKENS = {"lua": ("%{", "}%"), "javascript": ("%<", ">%")}

# The tokens that matter between statements: an escaped character, a quote, a comment, a line end, an opening
# token.
_MARKS = {
    "%{": re.compile(r'\\.|"|#|\n|(?P<open>%\{)'),
    "%<": re.compile(r'\\.|"|#|\n|(?P<open>%<)'),
    "any": re.compile(r'\\.|"|#|\n|(?P<open>%[{<])'),
}


class Piece(NamedTuple):
    """A part of the body: its kind, its text without tokens, its first line (from 1)."""

    kind: str
    text: str
    line: int


class _Scanner:
    """Finds opening tokens between statements, and tracks whether a string is open."""

    def __init__(self, body: str, marks: str) -> None:
        self.body = body
        self.marks = _MARKS[marks]
        self.in_string = False

    def opening(self, position: int) -> int:
        """Return the offset of the next opening token outside comments from `position`; -1 if there is none.

        A quote lasts at most to the end of its line, so that a template may choose between two halves of a
        string.
        """
        while match := self.marks.search(self.body, position):
            position = match.end()
            mark = match.group()
            if match["open"]:
                return match.start()
            if mark == '"':
                self.in_string = not self.in_string
            elif mark == "\n":
                self.in_string = False
            elif mark == "#" and not self.in_string:
                position = self.body.find("\n", position)
                if position < 0:
                    return -1
        return -1


def language_of(body: str) -> str | None:
    """Return the language of the first template token outside comments; None for a plain body."""
    at = _Scanner(body, "any").opening(0)
    if at < 0:
        return None
    return "lua" if body[at + 1] == "{" else "javascript"


def split(body: str, language: str) -> Iterator[Piece]:
    """Yield the pieces of a body in order.

    Raises:
        TemplateError: a statement is not closed; its line and column count from the start of the body.
    """
    opening, closing = TOKENS[language]
    scanner = _Scanner(body, opening)
    position, line = 0, 1
    while (start := scanner.opening(position)) >= 0:
        text = body[position:start]
        if text:
            yield Piece(TEXT, text, line)
        line += text.count("\n")
        end = body.find(closing, start + 2)
        if end < 0:
            raise _unclosed(body, start, line, opening, closing)
        kind = EXPRESSION if body.startswith("=", start + 2) else STATEMENT
        code = body[start + (3 if kind == EXPRESSION else 2) : end]
        yield Piece(kind, code, line)
        line += code.count("\n")
        position = end + 2
    if position < len(body):
        yield Piece(TEXT, body[position:], line)


def _unclosed(body: str, start: int, line: int, opening: str, closing: str) -> TemplateError:
    """Return the error for a statement without its closing token."""
    turned = closing[::-1]
    hint = f" ({turned!r} does not close it)" if turned in body[start:] else ""
    column = start - body.rfind("\n", 0, start)
    return TemplateError(f"{opening!r} is never closed: {closing!r} is missing{hint}", line, column)


def unix_lines(text: str) -> str:
    """Return the text with one character at each line end."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
