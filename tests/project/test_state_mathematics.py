"""What reaches a simulation's state has the same bits on every machine.

The C library's functions behind Python's `math` and NumPy differ in the last place between systems, and
NumPy's matrix products between processors. For the engine's C++ see tests/engine/test_mathematics.py.
"""

import ast
import re
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
"""Functions of `math` and NumPy, and what wbridge.wbcore.engine.mathematics has instead."""
PRODUCTS = {"dot", "einsum", "inner", "matmul", "tensordot", "vdot"}
MODULES = ("math", "np", "numpy")


def complaints(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the replacement of each forbidden function."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy"):
            for one in node.names:
                if one.name in FUNCTIONS:
                    yield node.lineno, f"use wbridge.wbcore.engine.mathematics.{FUNCTIONS[one.name]}"
        elif (
            isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in MODULES
        ):
            if node.attr in FUNCTIONS:
                yield node.lineno, f"use wbridge.wbcore.engine.mathematics.{FUNCTIONS[node.attr]}"
            elif node.attr in PRODUCTS:
                yield node.lineno, "use wbridge.wbcore.physics.exact_sums"
        elif (
            isinstance(node, (ast.BinOp, ast.AugAssign))
            and isinstance(node.op, ast.Pow)
            and not (isinstance(node, ast.BinOp) and _is_integer(node.left) and _is_integer(node.right))
        ):
            yield node.lineno, "use wbridge.wbcore.engine.mathematics.power, or products"


def _is_integer(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


SORTED = {
    "collide_capsule_box.cpp": "numbers",
    "draw/draw_list.cpp": "no two instances have the same number",
    "mesh_contacts.cpp": "numbers",
    "pairs.cpp": "no two pairs have the same geoms",
    "scene/bvh.cpp": "items with the same center are ordered by their numbers",
    "solver.cpp": "piles with the same rows are ordered by their numbers",
    "world_geoms.cpp": "numbers",
    "world_sleep.cpp": "numbers",
}
"""Sources of the engine that sort, and why no two elements that differ are equal in the order."""


def complaints_of_cpp(text: str, file: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each construct whose result the C++ standard leaves open, and what is wrong."""
    unordered = re.findall(r"std::unordered_\w+<[^;]*>\s+(\w+)\s*[;={]", text)
    walks = "|".join(unordered) or "(?!)"
    rules = {
        r"\blong double\b": "long double has another size elsewhere",
        r"std::\w+_distribution\b|std::shuffle|std::random_device|\brand\(": "use random.h",
        rf":\s*(?:{walks})\s*\)|\b(?:{walks})\.c?begin\(": "the order of an unordered container is open",
        r"\(char\)|static_cast<char>\((?!'|is_)|\bchar \w+ = ": "the sign of char is open",
    }
    if file not in SORTED:
        rules[r"std::(?:sort|nth_element|partial_sort)\("] = "stable_sort, or a reason in SORTED"
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, wrong in rules.items():
            if re.search(pattern, line.partition("//")[0]):
                yield number, wrong


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
    text += "2**20 + r**3\n"
    assert sorted(complaints(text)) == [
        (2, "use wbridge.wbcore.engine.mathematics.sin"),
        (3, "use wbridge.wbcore.engine.mathematics.cos"),
        (4, "use wbridge.wbcore.engine.mathematics.atan2"),
        (5, "use wbridge.wbcore.physics.exact_sums"),
        (6, "use wbridge.wbcore.engine.mathematics.power, or products"),
    ]


def test_the_engine_leaves_no_result_to_the_standard_library():
    root = CHECKOUT / "wbcore" / "engine" / "src"
    files = sorted({*root.rglob("*.cpp"), *root.rglob("*.h")})
    assert [
        f"{file.relative_to(root)}:{line}: {wrong}"
        for file in files
        for line, wrong in complaints_of_cpp(file.read_text(), file.relative_to(root).as_posix())
    ] == []


def test_the_rule_for_cpp_finds_what_is_left_open():
    text = (
        "std::unordered_map<int, int> all_;\nfor (auto &one : all_) use(one);\n"
        "all_.find(3);\nlong double x;\n"
        "std::sort(a, b);\nstd::stable_sort(a, b);\nstd::normal_distribution<double> d;\nchar c = -1;\n"
    )
    assert [line for line, _ in complaints_of_cpp(text, "x.cpp")] == [2, 4, 5, 7, 8]
