"""Python files without what people read: pages load less, and lines keep their numbers in tracebacks."""

from __future__ import annotations

import ast
import io
import tokenize

__all__ = ["bare"]


def bare(text: str) -> str:
    """Return a program whose comments are gone and whose docstrings are empty.

    Args:
        text: a program without syntax errors.
    """
    lines = text.splitlines(keepends=True)
    for string in _docstrings(text):
        first, last = string.lineno - 1, (string.end_lineno or string.lineno) - 1
        head = lines[first].encode()[: string.col_offset].decode()
        tail = lines[last].encode()[string.end_col_offset or 0 :].decode()
        lines[first : last + 1] = ["\n"] * (last - first + 1)
        lines[first] = f'{head}""{tail}'
    for token in tokenize.generate_tokens(io.StringIO("".join(lines)).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip() + "\n"
    return "".join(lines)


def _docstrings(text: str) -> list[ast.Constant]:
    """Return the strings that are statements: they describe modules, classes, functions and attributes."""
    statements = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Expr))
    return [
        node.value
        for node in statements
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    ]
