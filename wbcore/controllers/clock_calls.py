"""Find uses of wall-clock time in a Python controller; this time differs from simulated time in a fast
run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

CLOCKS = {
    "time": {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "sleep"},
    "datetime": {"now", "utcnow", "today"},
}
"""Clock functions by module; those of `datetime` are methods of its classes."""
_MODULE = re.compile(rf"\b(?:{'|'.join(CLOCKS)})\b".encode())


def clock_call(script: Path) -> str:
    """Return name and place of the first clock call in a controller or in modules beside it that it imports.

    Returns:
        For example "time.sleep() in avoider.py, line 12"; "" if none is found.
    """
    waiting, known = [script], {script}
    while waiting:
        file = waiting.pop(0)
        text = _text(file)
        # Parsing takes 5 ms, so files that can contain no clock call are not parsed.
        if not _MODULE.search(text) and not _has_others(file):
            continue
        tree = _tree(text)
        if tree is None:
            continue
        if (found := _first(tree)) is not None:
            return f"{found[1]}() in {file.name}, line {found[0]}"
        beside = {file.parent / f"{name}.py" for name in _imported(tree)} - known
        waiting += sorted(file for file in beside if file.is_file())
        known |= beside
    return ""


def _text(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError:
        return b""


def _has_others(file: Path) -> bool:
    return any(path != file for path in file.parent.glob("*.py"))


def _tree(text: bytes) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (ValueError, SyntaxError, RecursionError):
        return None


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _first(tree: ast.Module) -> tuple[int, str] | None:
    """Return line and name of the first call of a clock."""
    names = _names(tree)
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    found = ((call.lineno, _full_name(call.func, names)) for call in calls)
    return min(((line, name) for line, name in found if _is_clock(name)), default=None)


def _names(tree: ast.Module) -> dict[str, str]:
    """Map the names bound by imports in a module to full names."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {name.asname or name.name: name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    return found


def _full_name(function: ast.expr, names: dict[str, str]) -> str:
    if isinstance(function, ast.Attribute):
        return f"{_full_name(function.value, names)}.{function.attr}"
    return names.get(function.id, "") if isinstance(function, ast.Name) else ""


def _is_clock(name: str) -> bool:
    module, _, rest = name.partition(".")
    function = rest.rpartition(".")[2] if module == "datetime" else rest
    return function in CLOCKS.get(module, ())
