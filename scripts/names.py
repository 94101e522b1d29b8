"""Find names that say nothing about their value, or that describe a program as a stage play.

Names are the places where a program binds one: variables, parameters, functions and classes. The rules name
the replacement, because a ban alone leads to the next empty word.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

EMPTY = {
    "one": "what an element of the sequence is: `node` of nodes, `row` of rows; `other` beside a first value",
    "found": "what was searched for: `match`, `file`, `problems`; a result that grows: what it holds",
    "made": "what was built: `mesh`, `picture`, `project`",
    "told": "what was reported: `message`, `value`, `lines`",
    "given": "what was passed: `field`, `options`, `text`",
    "thing": "what it is, in the word of its class",
    "stands": "the condition, with `is_` or `has_`",
}
"""Whole names, apart from underscores at their start."""
THEATRE = {
    "seat": "`controller_session`",
    "crew": "`workers`",
    "jail": "`sandbox`",
    "wish": "`request`",
    "helm": "`manual_control`",
    "told": "`reported`, or what was reported",
    "audience": "`subscribers`",
    "attendant": "`handler`",
    "mouth": "`output`",
    "bury": "`reap`",
    "hire": "`spawn`",
}
"""Words of a name: `Seat` is one of `InlineSeat`, `told` one of `_told_port`."""
_NAMED = (
    *(ast.ExceptHandler, ast.MatchAs, ast.MatchStar),
    *(ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef),
)
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


class Place(NamedTuple):
    """A name that breaks a rule."""

    word: str
    name: str
    line: int
    replacement: str


def bindings(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, int]]:
    """Yield the names that nodes of a module bind, with their lines."""
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id, node.lineno
        elif isinstance(node, ast.arg):
            yield node.arg, node.lineno
        elif isinstance(node, _NAMED) and node.name:
            yield node.name, node.lineno


def places(nodes: Iterable[ast.AST]) -> Iterator[Place]:
    """Yield the bindings among nodes of a module whose names break a rule."""
    for name, line in bindings(nodes):
        if replacement := EMPTY.get(name.lstrip("_")):
            yield Place(name.lstrip("_"), name, line, replacement)
            continue
        for word in {part.lower() for part in _WORDS.findall(name)} & THEATRE.keys():
            yield Place(word, name, line, THEATRE[word])
