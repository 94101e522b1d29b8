"""Make Python round as boards do, whose floating-point numbers have 32 bits.

Each operation on doubles that is then rounded to 24 binary digits gives exactly the result of the same
operation on 32-bit numbers, for +, -, *, / and square roots (a double has more than twice as many digits).
Other functions may differ in the last digit.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

ROUND = "_f"
AUGMENTED: dict[type[ast.operator], str] = {
    ast.Add: "_iadd",
    ast.Sub: "_isub",
    ast.Mult: "_imul",
    ast.Div: "_itruediv",
    ast.Mod: "_imod",
    ast.FloorDiv: "_ifloordiv",
    ast.Pow: "_ipow",
}
SYMBOLS = {"_iadd": "+", "_isub": "-", "_imul": "*", "_itruediv": "/", "_imod": "%", "_ifloordiv": "//"}
SYMBOLS |= {"_ipow": "**"}
_OPERATOR = re.compile(rb"(\*\*|//|[-+*/%])=")
HELPERS = (
    """\
import builtins
from array import array

_cell = array("f", [0.0])


def _f(value):
    if type(value) is float:
        _cell[0] = value
        return _cell[0]
    return value


def _sum(values, start=0):
    for one in values:
        start = _f(start + one)
    return start


"""
    + "\n\n".join(
        f"def {name}(a, b):\n    a {symbol}= b\n    return _f(a)\n" for name, symbol in SYMBOLS.items()
    )
    + f"\n\nbuiltins.{ROUND}, builtins.sum = {ROUND}, _sum\n"
    + "".join(f"builtins.{name} = {name}\n" for name in SYMBOLS)
)
"""Defines what `rounded` texts call, in the module `builtins`."""


def rounded(text: str) -> str:
    """Return a Python text whose arithmetic is rounded to 32-bit numbers; its lines stay where they are.

    Expressions in f-strings are not rounded. A text that cannot be parsed is returned as it is.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return text
    source = text.encode()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    parts, done = [], 0
    for place, *_, removed, inserted in sorted(_edits(tree, source, starts)):
        parts += [source[done:place], inserted]
        done = place + removed
    return b"".join([*parts, source[done:]]).decode()


Edit = tuple[int, int, int, int, bytes]
"""Place, order there (two numbers), bytes to remove, bytes to insert."""


def _edits(tree: ast.AST, source: bytes, starts: list[int]) -> Iterator[Edit]:
    for node in _nodes(tree):
        if isinstance(node, ast.AugAssign):
            yield from _augmented(node, source, starts)
        elif _is_rounded(node):
            begin, end = _span(node, starts)
            yield from _around(begin, end, f"{ROUND}(".encode(), b")")


def _is_rounded(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        return not (isinstance(node.func, ast.Name) and node.func.id == "super")
    return isinstance(node, ast.BinOp) or (isinstance(node, ast.Constant) and isinstance(node.value, float))


def _around(begin: int, end: int, first: bytes, last: bytes, removed: int = 0) -> Iterator[Edit]:
    """Put something around a range: outside of ranges within it."""
    yield begin, 1, begin - end, removed, first
    yield end, 0, end - begin, 0, last


def _augmented(assignment: ast.AugAssign, source: bytes, starts: list[int]) -> Iterator[Edit]:
    """Turn `x += y` into `x = _iadd(x, (y))`, unless the target has calls, which would be repeated."""
    name = AUGMENTED.get(type(assignment.op))
    if name is None or any(isinstance(part, ast.Call) for part in ast.walk(assignment.target)):
        return
    begin, end = _span(assignment.target, starts)
    operator = _OPERATOR.search(source, end)
    assert operator is not None, "an augmented assignment has an operator"
    head = b"= " + name.encode() + b"(" + source[begin:end] + b", ("
    yield from _around(operator.start(), _span(assignment, starts)[1], head, b"))", len(operator[0]))


def _span(node: ast.AST, starts: list[int]) -> tuple[int, int]:
    """Return the bytes at which a node begins and ends."""
    assert isinstance(node, (ast.expr, ast.stmt)) and node.end_lineno is not None
    assert node.end_col_offset is not None
    return starts[node.lineno - 1] + node.col_offset, starts[node.end_lineno - 1] + node.end_col_offset


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Iterate over the nodes outside of f-strings and annotations, without calls whose result is dropped."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            node = node.value
            waiting += [node.func, *node.args, *(part.value for part in node.keywords)]
            continue
        yield node
        for name, value in ast.iter_fields(node):
            if name not in ("annotation", "returns"):
                inner = value if isinstance(value, list) else [value]
                waiting += [part for part in inner if isinstance(part, ast.AST)]
