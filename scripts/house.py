"""Print the import structure: the largest import cycles, and the layers ("floors") of a package.

An import counts wherever it is: at the top of a file, under `if TYPE_CHECKING`, or inside a function. Two
files are in one cycle if each reaches the other by imports; a cycle can be read, understood and changed only
as a whole. A package has floor 1 if it imports nothing of its parent, and otherwise one more than the highest
floor it imports; packages in one cycle share a floor.

Run from the checkout: python -m scripts.house
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = (
    *("controller", "hal", "libcontroller", "remote_controls", "robot_windows"),
    *("vehicle", "wbcore", "wbfirmware", "wbfleet", "wbridge", "wbverify"),
)
ROOTS = ("controller", "vehicle", "wbridge")
"""What can be imported; the other packages are below wbridge."""

Graph = Mapping[str, set[str]]
"""The imported modules of each module."""


def modules(root: Path = ROOT) -> dict[str, Path]:
    """Return the file of each module of the project, by its dotted name."""
    files = (file for package in PACKAGES for file in sorted((root / package).rglob("*.py")))
    return {dotted(file.relative_to(root)): file for file in files}


def imports(root: Path = ROOT) -> dict[str, set[str]]:
    """Return the modules of the project that each module imports, anywhere in its code."""
    known = modules(root)
    return {
        name: set(_imported(file, name, known)) - {name, name.rpartition(".")[0]}
        for name, file in known.items()
    }


def circles(graph: Graph) -> list[list[str]]:
    """Return groups of two or more modules that all reach each other, the largest first (Tarjan's
    algorithm)."""
    groups = [sorted(group) for group in _components(graph) if len(group) > 1]
    return sorted(groups, key=lambda group: (-len(group), group))


def floors(graph: Graph, package: str) -> dict[str, int]:
    """Return the floor of each direct part (module or package) of `package`, counted from 1."""
    prefix = f"{package}."
    parts: dict[str, set[str]] = {}
    for name, targets in graph.items():
        if _is_inside(name, prefix):
            above = parts.setdefault(_part(name, prefix), set())
            above |= {_part(one, prefix) for one in targets if _is_inside(one, prefix)} - {
                _part(name, prefix)
            }
    found: dict[str, int] = {}
    for group in _components(parts):  # imported groups come first
        below = {one for name in group for one in parts[name]} - set(group)
        found |= dict.fromkeys(group, 1 + max((found[one] for one in below), default=0))
    return found


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree and all statements in it, without their expressions, which are most of its nodes."""
    todo = [tree]
    while todo:
        node = todo.pop()
        yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            todo.extend(getattr(node, part, ()))


def _is_inside(name: str, prefix: str) -> bool:
    """Is a module in a package, and not in another folder at the root?"""
    return name.startswith(prefix) and (prefix != "wbridge." or _part(name, prefix) not in PACKAGES)


def _part(name: str, prefix: str) -> str:
    return name[len(prefix) :].partition(".")[0]


def dotted(file: Path) -> str:
    """Return the name of the module of a file, whose path is relative to the checkout."""
    parts = file.with_suffix("").parts
    root = () if parts[0] in ROOTS else ("wbridge",)
    return ".".join([*root, *(parts[:-1] if parts[-1] == "__init__" else parts)])


def _imported(file: Path, name: str, known: Mapping[str, Path]) -> Iterable[str]:
    """Return the imported modules of a file: `from a import b` is `a.b` if that is a module, else `a`."""
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for node in statements(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            for one in node.names:
                yield from [found for found in (f"{base}.{one.name}", base) if found in known][:1]


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    parts = package.split(".")
    parts = parts[: len(parts) - node.level + 1]
    return ".".join([*parts, node.module] if node.module else parts)


def _components(graph: Graph) -> list[list[str]]:
    """Return strongly connected groups, each after everything it imports."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    groups: list[list[str]] = []

    def visit(name: str) -> None:
        order[name] = lowest[name] = len(order)
        stack.append(name)
        for target in sorted(graph[name]):
            if target not in order:
                visit(target)
                lowest[name] = min(lowest[name], lowest[target])
            elif target in stack:
                lowest[name] = min(lowest[name], order[target])
        if lowest[name] == order[name]:
            cut = stack.index(name)
            groups.append(stack[cut:])
            del stack[cut:]

    for name in sorted(graph):
        if name not in order:
            visit(name)
    return groups


def main() -> None:
    """Print cycles, floors and the most imported modules."""
    graph = imports()
    print(f"{len(graph)} modules, {sum(map(len, graph.values()))} imports")
    print("\ncircles of over one file")
    for group in circles(graph):
        print(f"  {len(group):3}  {' '.join(group)}")
    for package in ("wbridge.wbcore", "wbridge.hal"):
        found = floors(graph, package)
        print(f"\n{package}: {max(found.values())} floors")
        for floor in range(max(found.values()), 0, -1):
            here = sorted(name for name, number in found.items() if number == floor)
            print(f"  {floor:3}  {' '.join(here)}")
    print("\nimported by most")
    users = {name: sum(name in targets for targets in graph.values()) for name in graph}
    for name in sorted(users, key=lambda name: (-users[name], name))[:12]:
        print(f"  {users[name]:3}  {name}")


if __name__ == "__main__":
    main()
