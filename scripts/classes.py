"""Measure classes: attributes of the largest, and Protocols that a single class implements.

A class implements a Protocol if it derives from it or has all of its members. Members are methods, variables
of the class, and attributes assigned to `self`; bases count by their name, so a name that several modules use
is taken for all of them.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

Nodes = Sequence[ast.AST]
"""All nodes of a module."""
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass
class ClassRecord:
    """What a class statement declares."""

    place: str
    name: str
    bases: list[str]
    members: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)

    @property
    def is_protocol(self) -> bool:
        """Does it declare an interface?"""
        return "Protocol" in self.bases


class _KnownClass(NamedTuple):
    """A class, the names of all its bases, and its members with theirs."""

    record: ClassRecord
    ancestors: set[str]
    members: set[str]


def records(modules: Mapping[str, Nodes]) -> dict[str, list[ClassRecord]]:
    """Return the classes of all modules by their names."""
    classes: dict[str, list[ClassRecord]] = defaultdict(list)
    for file, nodes in modules.items():
        for node in nodes:
            if isinstance(node, ast.ClassDef):
                classes[node.name].append(_record(file, node))
    return classes


def largest_classes(modules: Mapping[str, Nodes]) -> list[tuple[int, str]]:
    """Return number of attributes and place of each class, the largest first."""
    sizes = [
        (len(record.attributes), record.place) for group in records(modules).values() for record in group
    ]
    return sorted(sizes, key=lambda size: (-size[0], size[1]))


def single_protocols(modules: Mapping[str, Nodes]) -> list[str]:
    """Return place and only implementer of each Protocol with exactly one; those that declare a call are
    left out, because any function may implement them."""
    classes = records(modules)
    everything = [_with_bases(record, classes) for group in classes.values() for record in group]
    concrete = [known for known in everything if not known.record.is_protocol]
    lines = []
    for protocol in everything:
        wanted = protocol.members
        if not protocol.record.is_protocol or not wanted or "__call__" in wanted:
            continue
        name = protocol.record.name
        implementers = [known for known in concrete if name in known.ancestors or wanted <= known.members]
        names = {known.record.name for known in implementers}
        tops = [known for known in implementers if not known.ancestors & names]
        if len(tops) == 1:
            lines.append(f"{protocol.record.place}: only {tops[0].record.place}")
    return sorted(lines)


def _record(file: str, node: ast.ClassDef) -> ClassRecord:
    record = ClassRecord(
        f"{file}:{node.lineno} {node.name}", node.name, [_base_name(base) for base in node.bases]
    )
    for part in node.body:
        if isinstance(part, _FUNCTIONS):
            record.members.add(part.name)
            record.attributes.update(_assigned(part))
        elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            record.members.add(part.target.id)
            record.attributes.add(part.target.id)
        elif isinstance(part, ast.Assign):
            record.members.update(target.id for target in part.targets if isinstance(target, ast.Name))
    record.members |= record.attributes
    record.members -= {"__init__", "__slots__"}
    return record


def _base_name(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):
        base = base.value
    return base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")


def _assigned(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    stores = (node for node in ast.walk(function) if isinstance(node, ast.Attribute))
    for node in stores:
        is_own = isinstance(node.value, ast.Name) and node.value.id == "self"
        if is_own and isinstance(node.ctx, ast.Store):
            yield node.attr


def _with_bases(record: ClassRecord, classes: Mapping[str, list[ClassRecord]]) -> _KnownClass:
    names: set[str] = set()
    members = set(record.members)
    waiting = list(record.bases)
    while waiting:
        name = waiting.pop()
        if name in names:
            continue
        names.add(name)
        for parent in classes.get(name, ()):
            members |= parent.members
            waiting.extend(parent.bases)
    return _KnownClass(record, names, members)
