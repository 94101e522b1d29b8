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
        if not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
            continue
        if isinstance(node.value.value, str):
            lines = node.value.value.splitlines()
            yield from (node.lineno + index for index, line in enumerate(lines) if _BROKEN.match(line))
