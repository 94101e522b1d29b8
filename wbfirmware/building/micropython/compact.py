"""Shorten Python texts for boards with little room: docstrings, comments, empty lines, wide indentation."""

from __future__ import annotations

import ast
import io
import tokenize
from bisect import bisect_left
from collections.abc import Iterator
from typing import TypeGuard


def compact(text: str) -> str:
    """Return a Python text that does the same; a text that cannot be parsed is returned as it is."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    lines, dropped, kept = text.split("\n"), set[int](), set[int]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)):
            kept.update(_lines(node))
    for body in _bodies(tree):
        texts = [statement for statement in body if is_text(statement)]
        dropped.update(line for text in texts for line in _lines(text))
        if len(texts) == len(body):
            dropped.discard(body[0].lineno)
            lines[body[0].lineno - 1] = " " * body[0].col_offset + "pass"
    left = [
        line
        for number, line in enumerate(lines, 1)
        if number not in dropped and (number in kept or line.strip().partition("#")[0])
    ]
    return "\n".join(left) + "\n"


def narrow(text: str) -> str:
    """Return a Python text that does the same, indented by one space at each level.

    A text that cannot be parsed is returned as it is.
    """
    try:
        tree = ast.parse(text)
        tokens = [*tokenize.generate_tokens(io.StringIO(text).readline)]
    except (SyntaxError, ValueError, tokenize.TokenError):
        return text
    widths = sorted({0, *(len(token.string) for token in tokens if token.type == tokenize.INDENT)})
    strings = (node for node in ast.walk(tree) if isinstance(node, (ast.Constant, ast.JoinedStr)))
    within = {line for string in strings for line in _lines(string)[1:]}
    return "\n".join(
        line if number in within else _indented(line, widths)
        for number, line in enumerate(text.split("\n"), 1)
    )


def _indented(line: str, widths: list[int]) -> str:
    """Return a line with one space for each narrower indentation, which keeps the order of all of them."""
    code = line.lstrip(" \t")
    return " " * bisect_left(widths, len(line) - len(code)) + code


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Iterate over the bodies of modules, classes, functions and loops that have statements."""
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and body:
            yield body


def is_text(statement: ast.AST) -> TypeGuard[ast.Expr]:
    """True for a string that is a statement, such as a docstring."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def _lines(node: ast.expr | ast.stmt) -> range:
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)
