"""Compile the programs of inline controllers.

Most programs of robots run their loop outside of a function. There, Python looks up each name in up to three
dictionaries whenever it is used. After a statement `global`, it remembers where the name is, as it does in
functions. The meaning is the same, because the names of a module are its global names.
"""

from __future__ import annotations

import ast
from functools import lru_cache
from types import CodeType

CONSTANTS = frozenset(("__debug__",))
"""Names that no statement may declare."""


@lru_cache(maxsize=64)
def compiled(text: bytes, name: str) -> CodeType:
    """Compile a controller's file; robots with the same controller share its code in memory.

    Args:
        text: its content.
        name: its path, for messages.

    Raises:
        SyntaxError: as by `compile`.
    """
    tree = ast.parse(text, name)
    # A docstring and imports of features have to come first.
    start = 0 if ast.get_docstring(tree, clean=False) is None else 1
    features: set[str] = set()
    while start < len(tree.body) and _is_feature(tree.body[start], features):
        start += 1
    names = sorted(_names(tree) - features - CONSTANTS)
    if names and start < len(tree.body):
        tree.body.insert(start, ast.copy_location(ast.Global(names), tree.body[start]))
    return compile(tree, name, "exec", dont_inherit=True)


def _is_feature(statement: ast.stmt, names: set[str]) -> bool:
    """Return True for an import of features of Python, and add the names that it sets."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return False
    names.update(alias.asname or alias.name for alias in statement.names)
    return True


def _names(tree: ast.Module) -> set[str]:
    """The names that a program uses, also those that are local in its functions: these stay local there."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.alias):
            names.add(node.asname or node.name.partition(".")[0])
        else:  # functions, classes, exceptions and patterns
            names.update(getattr(node, field, None) or "" for field in ("name", "rest"))
    return {name for name in names if name.isidentifier()}
