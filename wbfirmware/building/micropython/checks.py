"""Find what a board's Python cannot run in a controller, before it is copied."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.wbfirmware.building.micropython.board_folder import OURS, TELEMETRY
from wbridge.wbfirmware.building.micropython.classes import unavailable
from wbridge.wbfirmware.building.micropython.names import CORE, api_classes, class_of
from wbridge.wbfirmware.building.micropython.syntax import refused_syntax
from wbridge.wbfirmware.problems import nearest
from wbridge.wbfirmware.template_folders import templates_path

if TYPE_CHECKING:
    from wbridge.wbfirmware.map.hardware import Hardware

CONTROLLER = "controller"
SUPERVISOR = "Supervisor"
STUBS = {path.stem: path for path in sorted((templates_path() / CORE / "stubs").glob("*.py"))}
"""Modules for type annotations, which boards lack; the folder gets empty ones."""
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
    own = {
        node.name for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)
    }
    modules = _own_modules(controller.folder, files)
    for file, tree in trees.items():
        problems = [
            *refused_syntax(tree),
            *_imports(tree, hardware, modules),
            *_functions(tree),
            *_api_calls(tree, hardware, own),
        ]
        places = {
            (getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1, why) for node, why in problems
        }
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
    return {file.relative_to(folder).parts[0].removesuffix(".py") for file in files}


def _imports(tree: ast.AST, hardware: Hardware, own: set[str]) -> Iterator[Problem]:
    """Iterate over imports of modules and classes that the board does not have."""
    python = hardware.board.python
    assert python is not None, "only boards with Python are checked"
    known = [*python.modules, *STUBS, CONTROLLER, *own]
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if not node.level else []
            if node.module == CONTROLLER:
                yield from ((node, why) for alias in node.names if (why := _why_no_class(alias.name)))
        for name in names:
            if name != TELEMETRY and (first := name.partition(".")[0]) not in known:
                yield (
                    node,
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
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.attr in MISSING.get(node.value.id, ()):
                yield node, f"MicroPython's module {node.value.id} has no {node.attr}"
        elif isinstance(node, ast.ImportFrom) and node.module in MISSING:
            for alias in node.names:
                if alias.name in MISSING[node.module]:
                    yield node, f"MicroPython's module {node.module} has no {alias.name}"


def _api_calls(tree: ast.AST, hardware: Hardware, own: set[str]) -> Iterator[Problem]:
    """Iterate over calls of robot functions that the board cannot serve.

    The classes of objects are unknown: a name is refused if no class of the robot serves it.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr not in own and _is_method(node.attr):
            reasons = _reasons(node.attr, hardware)
            if reasons and all(reasons):
                yield node, f"{node.attr}: {reasons[0]}"


def _is_method(name: str) -> bool:
    return name[:1].islower() and not name.islower()


def _reasons(name: str, hardware: Hardware) -> list[str]:
    """Return for each class with a method why the board does not offer it; "" if it does."""
    able = {"Robot"} | {class_of(device.type) for device in hardware.table.devices}
    classes = [kind for kind in api_classes().values() if name in kind.methods]
    ordered = sorted(classes, key=lambda kind: kind.name not in able)
    return [unavailable(kind.name, kind.methods[name], hardware) for kind in ordered]
