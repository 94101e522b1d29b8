"""What reaches a simulation's state has the same bits on every machine.

The C library's functions behind Python's `math` and NumPy differ in the last place between systems, and
NumPy's matrix products between processors. For the engine's C++ see tests/engine/test_mathematics.py.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.project.files import CHECKOUT

ONLY_SHOWN = (
    "drawing",
    "importers",
    "recordings",
    "render",
    "robots/urdf.py",
    "scene/templates",
    "view",
    "visual",
    "windows",
)
"""Folders and files of wbcore for what a simulation shows, or reads before it begins."""
FUNCTIONS = {
    **{name: name for name in "acos asin atan atan2 cos exp hypot log log10 sin tan".split()},
    "arccos": "acos",
    "arcsin": "asin",
    "arctan": "atan",
    "arctan2": "atan2",
    "pow": "power",
    **dict.fromkeys(("power", "float_power", "cbrt", "exp2"), "power"),
    **dict.fromkeys("cosh sinh tanh expm1 log1p log2 acosh asinh atanh erf erfc gamma".split(), "exp or log"),
}
"""Functions of `math` and NumPy, and what wbcore.engine.mathematics has instead."""
PRODUCTS = {"dot", "einsum", "inner", "matmul", "tensordot", "vdot"}
MODULES = ("math", "np", "numpy")


def complaints(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the replacement of each forbidden function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            for one in node.names:
                if one.name in FUNCTIONS:
                    yield node.lineno, f"use wbcore.engine.mathematics.{FUNCTIONS[one.name]}"
        elif (
            isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in MODULES
        ):
            if node.attr in FUNCTIONS:
                yield node.lineno, f"use wbcore.engine.mathematics.{FUNCTIONS[node.attr]}"
            elif node.attr in PRODUCTS:
                yield node.lineno, "use wbcore.physics.exact_sums"


def state_files() -> list[Path]:
    """Return the sources of wbcore whose results reach state or sensors."""
    root = CHECKOUT / "wbcore"
    shown = [root / one for one in ONLY_SHOWN]
    return [
        file for file in sorted(root.rglob("*.py")) if not any(one in (file, *file.parents) for one in shown)
    ]


def test_state_is_computed_with_functions_that_have_the_same_bits_everywhere():
    assert [
        f"{file.relative_to(CHECKOUT)}:{line}: {advice}"
        for file in state_files()
        for line, advice in complaints(file.read_text(encoding="utf-8"))
    ] == []


def test_the_rule_finds_calls_names_and_imports():
    text = "import math\nfrom math import sin, pi\nmath.cos(1)\nnp.arctan2(1, 2) + math.pi\nnp.dot(a, b)\n"
    assert sorted(complaints(text)) == [
        (2, "use wbcore.engine.mathematics.sin"),
        (3, "use wbcore.engine.mathematics.cos"),
        (4, "use wbcore.engine.mathematics.atan2"),
        (5, "use wbcore.physics.exact_sums"),
    ]
