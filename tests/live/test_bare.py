"""Python files without comments and docstrings.

Judge: Python's own syntax tree, with the places of all its nodes.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from wbridge.live.bare import bare

ROOT = Path(__file__).parents[2]
TEXT = '''"""A module. ü"""  # with a comment

from __future__ import annotations

SIGN = "# no comment"  # ä comment
"""What SIGN
is."""


class Wheel: """Short."""


def turn(angle: float) -> str:
    """Turn. é

    Args:
        angle: rad.
    """
    # nothing else
    return f"""{angle}  # in a text
"""


def nothing() -> None:
    """Nothing."""
'''


def emptied(text: str) -> str:
    """The tree of a program without the words of its docstrings, with the places of all else."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            node.value = ast.Constant("")
            node.end_lineno = node.end_col_offset = None
            node.lineno = node.col_offset = 0
    for node in ast.walk(tree):
        if hasattr(node, "end_lineno"):
            node.end_lineno = node.end_col_offset = None  # of functions that end with a docstring
    return ast.dump(tree, include_attributes=True)


def test_comments_and_words_of_docstrings_are_gone() -> None:
    short = bare(TEXT)
    assert emptied(short) == emptied(TEXT)
    assert not any(word in short for word in ("module", "with a", "comment  ", "What", "rad", "nothing else"))
    assert '"# no comment"' in short and "# in a text" in short
    assert short.count("\n") == TEXT.count("\n")


@pytest.mark.parametrize("folder", ["wbcore/scene", "hal/protocol", "wbridge/live"])
def test_programs_stay_the_same(folder: str) -> None:
    for file in sorted((ROOT / folder).rglob("*.py")):
        text = file.read_text("utf-8")
        assert emptied(bare(text)) == emptied(text), file
        compile(bare(text), str(file), "exec")
