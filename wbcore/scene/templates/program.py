"""Translates a PROTO body to a program in the template's language, with the origin of each line.

Plain text becomes a call that writes it, an expression a call that writes its value; statements are copied.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache

from wbridge.wbcore.scene.templates import pieces
from wbridge.wbcore.scene.templates.imports import Import, extract
from wbridge.wbcore.scene.templates.literals import lua_string
from wbridge.wbcore.scene.templates.pieces import Piece


@dataclass
class Program:
    """Source text in the template's language; lines count from 1 = first line of the body.

    `origins` has the body line of each program line (0: not from the body), `pieces` the body line of each
    piece by its number, `texts` the numbers of the pieces that are plain text.
    """

    chunks: list[str] = field(default_factory=list)
    origins: list[int] = field(default_factory=list)
    pieces: list[int] = field(default_factory=list)
    texts: set[int] = field(default_factory=set)

    @property
    def source(self) -> str:
        """The whole program."""
        return "\n".join(self.chunks)

    def add(self, code: str, line: int) -> None:
        """Append code that starts at body line `line`, on a new program line."""
        self.chunks.append(code)
        self.origins.extend(range(line, line + code.count("\n") + 1))

    def number(self, piece: Piece) -> int:
        """Register a piece and return its number."""
        number = len(self.pieces)
        self.pieces.append(piece.line)
        if piece.kind == pieces.TEXT:
            self.texts.add(number)
        return number

    def origin(self, line: int) -> int:
        """Return the body line of a program line; 0 if it does not come from the body."""
        return self.origins[min(max(line, 1), len(self.origins)) - 1]

    def after_text(self, line: int) -> int:
        """Return the program line of the next statement, if `line` writes plain text; otherwise `line`.

        JavaScript's engine knows the place of calls only: of a loop without calls it tells the last call
        before, which writes the text before the statement.
        """
        writes_text = self.source.split("\n")[line - 1].startswith("__t(")
        return line + 1 if writes_text else line


@lru_cache(maxsize=128)
def translate(body: str, language: str) -> Program:
    """Return the program of a template body.

    Raises:
        TemplateError: a statement is not closed, or an import is not supported.
    """
    return _TRANSLATORS[language](list(pieces.split(body, language)))


def _lua(parts: list[Piece]) -> Program:
    program = Program()
    program.add("local __t, __e = ...", 0)
    for part in parts:
        number = program.number(part)
        if part.kind == pieces.TEXT:
            program.add(f"__t({number},{lua_string(part.text)})", part.line)
        elif part.kind == pieces.EXPRESSION:
            program.add(f"__e({number},{part.text}", part.line)
            program.add(")", _last_line(part))
        else:
            program.add(part.text, part.line)
    return program


def _javascript(parts: list[Piece]) -> Program:
    imports: list[Import] = []
    codes = []
    for part in parts:
        code, found = (part.text, []) if part.kind == pieces.TEXT else extract(part.text, part.line)
        codes.append(code)
        imports += found
    program = Program()
    program.add('__wb.run(function (__t, __e, __use, fields, context) { "use strict";', 0)
    for entry in imports:
        program.add(entry.declaration, entry.line)
    program.add("(function () {", 0)
    for part, code in zip(parts, codes, strict=True):
        number = program.number(part)
        if part.kind == pieces.TEXT:
            program.add(f"__t({number},{json.dumps(part.text)});", part.line)
        elif part.kind == pieces.EXPRESSION:
            program.add(f"__e[{number}] ={code}", part.line)
            program.add(";", _last_line(part))
        else:
            program.add(code, part.line)
    program.add("})(); }", _last_line(parts[-1]) if parts else 1)
    return program


_TRANSLATORS = {"lua": _lua, "javascript": _javascript}


def _last_line(part: Piece) -> int:
    return part.line + part.text.count("\n")
