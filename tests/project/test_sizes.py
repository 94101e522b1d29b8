"""Files and functions stay small enough to be read at once."""

import ast
import statistics
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.house import statements
from tests.project.files import hand_written, product_modules

FILE_LIMIT = 600
CODE_SUFFIXES = {".py", ".cpp", ".h", ".c", ".js", ".proto", ".sh", ".j2"}


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in statements(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def length(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its decorators and docstring."""
    lines = (function.end_lineno or 0) - function.lineno + 1
    if ast.get_docstring(function, clean=False) is not None:
        docstring = function.body[0]
        lines -= (docstring.end_lineno or 0) - docstring.lineno + 1
    return lines


@cache
def lengths() -> dict[str, int]:
    return {
        f"{file}:{one.lineno} {one.name}": length(one)
        for file in product_modules()
        for one in functions(ast.parse(file.read_text(encoding="utf-8")))
    }


def test_no_hand_written_file_is_longer_than_600_lines():
    counts = {
        str(file): len(file.read_text(encoding="utf-8").splitlines())
        for file in hand_written()
        if file.suffix in CODE_SUFFIXES
    }
    assert {file: count for file, count in counts.items() if count > FILE_LIMIT} == {}


def test_functions_have_a_median_of_at_most_9_lines():
    assert statistics.median(lengths().values()) <= 9


def test_nine_of_ten_functions_have_at_most_35_lines():
    ordered = sorted(lengths().items(), key=lambda item: item[1])
    name, lines = ordered[int(len(ordered) * 0.9)]
    assert lines <= 35, f"the 90th percentile is {lines} lines ({name}); the longest are {ordered[-10:]}"


def test_a_function_s_length_leaves_out_its_docstring():
    text = '@cache\ndef one(\n    a: int,\n) -> int:\n    """Two\n    lines."""\n    return a\n'
    (function,) = functions(ast.parse(text))
    assert length(function) == 4


def test_the_measured_files_are_the_product():
    assert Path("wbridge/main.py") in product_modules()
