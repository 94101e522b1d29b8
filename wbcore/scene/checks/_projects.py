"""Files in the projects of a world: its own, that of a node's PROTO, and the built-in one."""

from __future__ import annotations

import os
from pathlib import Path

from wbridge.wbcore.scene.checks._checker import Checker
from wbridge.wbcore.scene.node import Node
from wbridge.wbcore.scene.projects import proto_project


def names_in(folder: str, node: Node, checker: Checker) -> list[str]:
    """Return the names in a folder of the projects that are searched for a node's program."""
    projects = [checker.world.project]
    if node.source is not None and node.source.path != checker.world.path:
        projects.append(proto_project(node.source.path))
    if checker.world.builtin is not None:
        projects.append(checker.world.builtin)
    return [name for project in projects for name in _below(project / folder, checker)]


def _below(folder: Path, checker: Checker) -> list[str]:
    key = "projects", folder
    if key not in checker.memory:
        try:
            checker.memory[key] = os.listdir(folder)
        except OSError:
            checker.memory[key] = []
    return checker.memory[key]  # type: ignore[no-any-return]
