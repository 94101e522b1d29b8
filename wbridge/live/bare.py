"""Python files without what people read: pages load less, and lines keep their numbers in tracebacks."""

from __future__ import annotations

import ast
import io
import tokenize

from wbridge.wbfirmware.building.micropython.compact import is_text

__all__ = ["bare"]


def bare(text: str) -> str:
    """Return a program whose comments are gone and whose docstrings are empty.

    Args:
        text: a program without syntax errors.
    """
    lines = text.splitlines(keepends=True)
    for string in filter(is_text, ast.walk(ast.parse(text))):
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
