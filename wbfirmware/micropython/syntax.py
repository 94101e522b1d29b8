"""Syntax that MicroPython refuses, or that fails there when it runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["refused_syntax"]

LACKS = "MicroPython does not support"


def refused_syntax(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Iterate over the nodes that MicroPython refuses, with the reason."""
    for one in ast.walk(tree):
        why = _why_refused(one)
        if why:
            yield one, f"{LACKS} {why}"


def _why_refused(one: ast.AST) -> str:
    """Return what MicroPython lacks to run a node; "" if nothing."""
    if type(one).__name__ in ("Match", "TryStar", "TypeAlias"):
        return {"Match": "match", "TryStar": "except*", "TypeAlias": "type"}[type(one).__name__]
    if isinstance(one, (ast.FunctionDef, ast.Lambda)) and one.args.posonlyargs:
        return "positional-only parameters (/)"
    if isinstance(one, ast.Dict) and None in one.keys:
        return "** in a dictionary; use update()"
    if isinstance(one, (ast.List, ast.Tuple, ast.Set)) and isinstance(
        getattr(one, "ctx", ast.Load()), ast.Load
    ):
        return "* in a list or tuple; add lists instead" if _has_star(one.elts) else ""
    if isinstance(one, ast.ClassDef) and one.keywords:
        return "keywords of classes (metaclass)"
    if isinstance(one, ast.Call) and isinstance(one.func, ast.Name) and one.func.id == "print":
        flush = [part.arg for part in one.keywords if part.arg == "flush"]
        return "print(flush=...); the text appears at once" if flush else ""
    return ""


def _has_star(elements: list[ast.expr]) -> bool:
    return any(isinstance(one, ast.Starred) for one in elements)
