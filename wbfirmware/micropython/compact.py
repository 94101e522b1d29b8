"""Shorten Python texts for boards with little room: without docstrings, comments and empty lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["compact"]


def compact(text: str) -> str:
    """Return a Python text that does the same; a text that cannot be parsed is returned as it is."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    lines, dropped, kept = text.split("\n"), set[int](), set[int]()
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, (str, bytes)):
            kept.update(_lines(one))
    for body in _bodies(tree):
        texts = [one for one in body if _is_text(one)]
        dropped.update(line for one in texts for line in _lines(one))
        if len(texts) == len(body):
            dropped.discard(body[0].lineno)
            lines[body[0].lineno - 1] = " " * body[0].col_offset + "pass"
    left = [
        line
        for number, line in enumerate(lines, 1)
        if number not in dropped and (number in kept or line.strip().partition("#")[0])
    ]
    return "\n".join(left) + "\n"


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Iterate over the bodies of modules, classes, functions and loops that have statements."""
    for one in ast.walk(tree):
        body = getattr(one, "body", None)
        if isinstance(body, list) and body:
            yield body


def _is_text(one: ast.stmt) -> bool:
    return (
        isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) and isinstance(one.value.value, str)
    )


def _lines(one: ast.expr | ast.stmt) -> range:
    return range(one.lineno, (one.end_lineno or one.lineno) + 1)
