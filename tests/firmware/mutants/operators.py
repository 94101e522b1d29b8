"""Faults that people make in C: what a line of a project may become."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

__all__ = ["Mutant", "mutants_of"]

_HIDDEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
"""Comments and texts: no faults there."""
_CALL = re.compile(r"(?<=\w)\((?P<one>[\w.\->\[\]]+), (?P<two>[\w.\->\[\]]+)\)")
_STATEMENT = re.compile(
    r"^\s*(?!return|break|goto|case|default)[\w*][\w\->.\[\]* +]*(\(.*\)|(\+\+|--)|\s*[-+|&^]?=[^=].*);$"
)
_TYPES = "u?int\\d*(_t)?|real|bool|char|float|double|long|size_t|void"
_DECLARED = re.compile(rf"^\s*(static|const|extern|typedef|struct|unsigned|{_TYPES}) ")
_PIN = re.compile(r"\bPIN_\w+")


class Mutant(NamedTuple):
    """A fault in one line of a project."""

    file: str
    line: int
    """From 1."""
    fault: str
    """Which kind of mistake it is."""
    before: str
    after: str
    """The line; blanks at its ends left aside."""

    @property
    def key(self) -> str:
        """It, whatever stands above it in the file."""
        return f"{self.file}: {self.before} -> {self.after}"

    @property
    def label(self) -> str:
        """It, for people."""
        return f"{self.file}:{self.line} [{self.fault}] {self.before}  ->  {self.after}"


def _swapped(*pairs: tuple[str, str]) -> dict[str, str]:
    return {one: other for pair in pairs for one, other in (pair, pair[::-1])}


_SWAPS: dict[str, tuple[str, dict[str, str]]] = {
    "bound": (r"(?<= )(<=|>=|<|>)(?= )", _swapped(("<", "<="), (">", ">="))),
    "comparison": (r"(?<= )(==|!=|<|>)(?= )", _swapped(("==", "!="), ("<", ">"))),
    "sign": (r"(?<=[\w)\]] )([+-])(?= )", _swapped(("+", "-"))),
    "factor": (r"(?<=[\w)\]] )([*/])(?= )", _swapped(("*", "/"))),
    "logic": (r"(&&|\|\|)", _swapped(("&&", "||"))),
    "mask": (r"(?<= )(\||&|\|=|&=)(?= )", _swapped(("|", "&"), ("|=", "&="))),
    "shift": (r"(<<|>>)", _swapped(("<<", ">>"))),
    "count": (r"(\+\+|--)", _swapped(("++", "--"))),
    "truth": (r"\b(true|false)\b", _swapped(("true", "false"))),
}
"""By the kind of mistake: what is looked for, and what it becomes."""


def _negation(code: str) -> Iterator[tuple[int, int, str]]:
    for found in re.finditer(r"!(?=[\w(])|(?<=[(=,?:&|] )[-~](?=[\w(])|(?<=[(])[-~](?=[\w(])", code):
        yield found.start(), found.end(), ""


def _constant(code: str) -> Iterator[tuple[int, int, str]]:
    for found in re.finditer(r"(?<![\w.\"])(0x[0-9A-Fa-f]+|\d+)(?=[uUlL]*\b)(?!\.)", code):
        number = int(found[0], 0)
        digits = f"{number ^ 2:#x}" if found[0].startswith("0x") else str(number + 1)
        yield found.start(), found.end(), digits
    for found in re.finditer(r"(?<![\w.])\d+\.\d+", code):
        yield found.start(), found.end(), f"{float(found[0]) * 1.25 + (float(found[0]) == 0)!r}"


def _arguments(code: str) -> Iterator[tuple[int, int, str]]:
    for found in _CALL.finditer(code):
        yield found.start(), found.end(), f"({found['two']}, {found['one']})"


def _swap(expression: str, becomes: Mapping[str, str]) -> Callable[[str], Iterator[tuple[int, int, str]]]:
    def work(code: str) -> Iterator[tuple[int, int, str]]:
        for found in re.finditer(expression, code):
            yield found.start(), found.end(), becomes[found[0]]

    return work


def _statement(code: str) -> Iterator[tuple[int, int, str]]:
    if _STATEMENT.match(code) and not _DECLARED.match(code):
        begin = len(code) - len(code.lstrip())
        yield begin, len(code), ";"


_FAULTS: dict[str, Callable[[str], Iterator[tuple[int, int, str]]]] = {
    **{fault: _swap(*rule) for fault, rule in _SWAPS.items()},
    "negation": _negation,
    "constant": _constant,
    "arguments": _arguments,
    "statement": _statement,
}


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    """All faults that a C file offers."""
    visible = _HIDDEN.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    pins = sorted(set(_PIN.findall(visible)))
    for number, (line, code) in enumerate(zip(text.splitlines(), visible.splitlines(), strict=True), 1):
        if code.lstrip().startswith("#") and not code.startswith("#define"):
            continue
        faults = {fault: list(find(code)) for fault, find in _FAULTS.items()}
        faults["pin"] = [
            (one.start(), one.end(), pins[(pins.index(one[0]) + 1) % len(pins)])
            for one in _PIN.finditer(code)
            if len(pins) > 1
        ]
        for fault, places in faults.items():
            for begin, end, words in places:
                changed = line[:begin] + words + line[end:]
                yield Mutant(file, number, fault, line.strip(), changed.strip())
