"""Find what a board's Python cannot run in a controller, before it is copied."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wbfirmware.micropython.classes import unavailable
from wbfirmware.micropython.names import CORE, api_classes, class_of
from wbfirmware.micropython.syntax import refused_syntax
from wbfirmware.problems import nearest
from wbfirmware.template_folders import templates_path

if TYPE_CHECKING:
    from wbfirmware.hardware import Hardware

__all__ = ["MISSING", "STUBS", "TELEMETRY", "problems_of"]

CONTROLLER, OURS = "controller", "wb"
SUPERVISOR = "Supervisor"
STUBS = {path.stem: path for path in sorted((templates_path() / CORE / "stubs").glob("*.py"))}
"""Modules for type annotations, which boards lack; the folder gets empty ones."""
TELEMETRY = "wbridge.telemetry"
"""The module of wbridge that boards have, too."""
MISSING = {
    "math": ("hypot", "dist", "prod", "comb", "perm", "gcd", "lcm", "fsum", "cbrt", "nextafter"),
    "random": ("gauss", "normalvariate", "shuffle", "sample", "choices", "triangular", "expovariate"),
    "time": ("perf_counter", "monotonic", "process_time", "perf_counter_ns", "monotonic_ns", "strptime"),
}
"""Functions of modules that MicroPython has without them."""
Problem = tuple[ast.AST, str]


def problems_of(hardware: Hardware) -> list[str]:
    """Return all problems of the user's controller as lines with their places."""
    controller = hardware.controller
    assert controller is not None, "boards with Python have one"
    files = (*controller.sources, *controller.headers)
    trees, lines = {}, []
    for file in files:
        try:
            trees[file] = ast.parse(file.read_bytes())
        except SyntaxError as problem:
            lines.append(f"{file}:{problem.lineno}:{problem.offset}: {problem.msg}")
        except ValueError as problem:
            lines.append(f"{file}:1: {problem}")
    lines += _taken(hardware, files)
    own = {one.name for tree in trees.values() for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}
    modules = _own_modules(controller.folder, files)
    for file, tree in trees.items():
        found = [
            *refused_syntax(tree),
            *_imports(tree, hardware, modules),
            *_functions(tree),
            *_api_calls(tree, hardware, own),
        ]
        places = {(getattr(one, "lineno", 1), getattr(one, "col_offset", 0) + 1, why) for one, why in found}
        lines += [f"{file}:{line}:{column}: {why}" for line, column, why in sorted(places)]
    return lines


def _taken(hardware: Hardware, files: tuple[Path, ...]) -> Iterator[str]:
    """Iterate over problems with files that would hide a module of the board."""
    assert hardware.board.python is not None, "only boards with Python are checked"
    for file in files:
        if file.stem in (*hardware.board.python.modules, CONTROLLER, OURS):
            why = f"{hardware.board.title} has a module {file.stem}, which this file would hide"
            yield f"{file}:1:1: {why}; rename it"


def _own_modules(folder: Path, files: tuple[Path, ...]) -> set[str]:
    """Return the first names of the user's own modules."""
    return {one.relative_to(folder).parts[0].removesuffix(".py") for one in files}


def _imports(tree: ast.AST, hardware: Hardware, own: set[str]) -> Iterator[Problem]:
    """Iterate over imports of modules and classes that the board does not have."""
    python = hardware.board.python
    assert python is not None, "only boards with Python are checked"
    known = [*python.modules, *STUBS, CONTROLLER, *own]
    for one in ast.walk(tree):
        names: list[str] = []
        if isinstance(one, ast.Import):
            names = [alias.name for alias in one.names]
        elif isinstance(one, ast.ImportFrom):
            names = [one.module or ""] if not one.level else []
            if one.module == CONTROLLER:
                yield from ((one, why) for alias in one.names if (why := _why_no_class(alias.name)))
        for name in names:
            if name != TELEMETRY and (first := name.partition(".")[0]) not in known:
                yield (
                    one,
                    (
                        f"{hardware.board.title} has no module {first}{nearest(first, known)}; "
                        f"it has {', '.join(python.modules)}"
                    ),
                )


def _why_no_class(name: str) -> str:
    """Return why a class cannot be imported on a board; "" if it can."""
    if name == SUPERVISOR:
        return "a robot on a board has no Supervisor; use Robot"
    if name in api_classes() or name == "*":
        return ""
    return f"the module controller has no {name}{nearest(name, api_classes())}"


def _functions(tree: ast.AST) -> Iterator[Problem]:
    """Iterate over functions that MicroPython's modules do not have."""
    for one in ast.walk(tree):
        if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name):
            if one.attr in MISSING.get(one.value.id, ()):
                yield one, f"MicroPython's module {one.value.id} has no {one.attr}"
        elif isinstance(one, ast.ImportFrom) and one.module in MISSING:
            for alias in one.names:
                if alias.name in MISSING[one.module]:
                    yield one, f"MicroPython's module {one.module} has no {alias.name}"


def _api_calls(tree: ast.AST, hardware: Hardware, own: set[str]) -> Iterator[Problem]:
    """Iterate over calls of robot functions that the board cannot serve.

    The classes of objects are unknown: a name is refused if no class of the robot serves it.
    """
    for one in ast.walk(tree):
        if isinstance(one, ast.Attribute) and one.attr not in own and _is_method(one.attr):
            reasons = _reasons(one.attr, hardware)
            if reasons and all(reasons):
                yield one, f"{one.attr}: {reasons[0]}"


def _is_method(name: str) -> bool:
    return name[:1].islower() and not name.islower()


def _reasons(name: str, hardware: Hardware) -> list[str]:
    """Return for each class with a method why the board does not offer it; "" if it does."""
    able = {"Robot"} | {class_of(one.type) for one in hardware.table.devices}
    classes = [one for one in api_classes().values() if name in one.methods]
    ordered = sorted(classes, key=lambda one: one.name not in able)
    return [unavailable(one.name, one.methods[name], hardware) for one in ordered]
