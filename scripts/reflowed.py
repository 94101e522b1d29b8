"""Find paragraphs of docstrings that a mechanical reflow has broken.

A reflow that does not know lists joins items into one line (`* *` in the middle or at the start), or leaves
the marker of a list at the start of what is the middle of a sentence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

_BROKEN = re.compile(r"^\s*(?:[*-] [*-] |.*[.;,:] \* [A-Za-z`])")


def broken_paragraphs(nodes: Iterable[ast.AST]) -> Iterator[int]:
    """Yield the lines of docstrings at which list items are joined or doubled."""
    for node in nodes:
        text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else ""
        if isinstance(text, str):
            lines = text.splitlines()
            yield from (node.lineno + index for index, line in enumerate(lines) if _BROKEN.match(line))
