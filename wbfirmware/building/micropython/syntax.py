"""Syntax that MicroPython refuses, or that fails there when it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

LACKS = "MicroPython does not support"


def refused_syntax(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Iterate over the nodes that MicroPython refuses, with the reason."""
    for node in ast.walk(tree):
        why = _why_refused(node)
        if why:
            yield node, f"{LACKS} {why}"


def _why_refused(node: ast.AST) -> str:
    """Return what MicroPython lacks to run a node; "" if nothing."""
    if type(node).__name__ in ("Match", "TryStar", "TypeAlias"):
        return {"Match": "match", "TryStar": "except*", "TypeAlias": "type"}[type(node).__name__]
    if isinstance(node, (ast.FunctionDef, ast.Lambda)) and node.args.posonlyargs:
        return "positional-only parameters (/)"
    if isinstance(node, ast.Dict) and None in node.keys:
        return "** in a dictionary; use update()"
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)) and isinstance(
        getattr(node, "ctx", ast.Load()), ast.Load
    ):
        return "* in a list or tuple; add lists instead" if _has_star(node.elts) else ""
    if isinstance(node, ast.ClassDef) and node.keywords:
        return "keywords of classes (metaclass)"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
        flush = [part.arg for part in node.keywords if part.arg == "flush"]
        return "print(flush=...); the text appears at once" if flush else ""
    return ""


def _has_star(elements: list[ast.expr]) -> bool:
    return any(isinstance(element, ast.Starred) for element in elements)
