"""Find calls of Python's library that Windows lacks, where nothing asks for the system before them.

Judge: the lists of names in the documentation of Python's library (tests/project/windows_names.py).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tests.project.windows_names import MODULES, NAMES

__all__ = ["calls_in", "may_have_calls"]

LACKING = {module.__name__: frozenset(names) | {"MSG_DONTWAIT"} for module, names in NAMES.items()}
KEYWORDS = {"pass_fds", "preexec_fn", "process_group", "start_new_session"}
"""Of subprocess.Popen; Windows refuses them, or does nothing."""
PLACES = ("/proc/", "/dev/", "/tmp", "/etc/", "/sys/")
"""Starts of texts that name files of Linux."""
QUESTIONS = ("sys.platform", "hasattr(", "os.name")
ENDS = (ast.Return, ast.Raise, ast.Continue)
WORDS = re.compile(
    rf"\b(?:{'|'.join(sorted({*LACKING, *MODULES, *KEYWORDS}))})\b|{'|'.join(place[1:] for place in PLACES)}"
)
"""Without one of these a text has none of the names, so it need not be parsed."""


def may_have_calls(text: str) -> bool:
    """Return whether a file has words without which no name is found."""
    return WORDS.search(text) is not None


def calls_in(tree: ast.Module) -> set[str]:
    """Return the names that Windows lacks, in a file."""
    return set(_block(tree.body))


def _asks(test: ast.expr) -> bool:
    return any(question in ast.unparse(test) for question in QUESTIONS)


def _block(statements: list[ast.stmt]) -> Iterator[str]:
    """The names in statements, up to one that leaves them on a system."""
    for statement in statements:
        if isinstance(statement, ast.If) and _asks(statement.test):
            last = statement.body[-1]
            if isinstance(last.body[-1] if isinstance(last, ast.Try) else last, ENDS):
                return
            continue
        yield from _in(statement)


def _in(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.IfExp, ast.BoolOp)) and _asks(node):
        return
    yield from _own(node)
    for _, value in ast.iter_fields(node):
        if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
            yield from _block(value)
        elif isinstance(value, list):
            for each in value:
                if isinstance(each, ast.AST):
                    yield from _in(each)
        elif isinstance(value, ast.AST):
            yield from _in(value)


def _own(node: ast.AST) -> Iterator[str]:
    """The names that a node itself has."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        if node.attr in LACKING.get(node.value.id, ()):
            yield f"{node.value.id}.{node.attr}"
    elif isinstance(node, ast.ImportFrom):
        names = LACKING.get(node.module or "", frozenset())
        yield from (f"{node.module}.{each.name}" for each in node.names if each.name in names)
        if node.module in MODULES:
            yield str(node.module)
    elif isinstance(node, ast.Import):
        yield from (each.name for each in node.names if each.name in MODULES)
    elif isinstance(node, ast.keyword) and node.arg in KEYWORDS:
        yield str(node.arg)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith(PLACES):
        yield node.value
