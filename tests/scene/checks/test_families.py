"""How families of rules are found and called."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from tests.scene.checks.tables import checked
from wbridge.wbcore.scene import checks
from wbridge.wbcore.scene.node import walk
from wbridge.wbcore.scene.schema import schema


def test_families_are_the_files_of_the_folder() -> None:
    names = {path.stem for path in Path(checks.__file__).parent.glob("[!_]*.py")}
    assert set(checks.families()) == names
    assert {"values", "types", "bounding", "names"} <= names


@pytest.mark.parametrize("name", checks.families())
def test_each_family_has_rules_about_nodes_that_exist(name: str) -> None:
    family = import_module(f"wbridge.wbcore.scene.checks.{name}")
    node_rules, world_rules = getattr(family, "NODE_RULES", ()), getattr(family, "WORLD_RULES", ())
    assert node_rules or world_rules
    for node_type, rule in node_rules:
        assert node_type == "Node" or schema().node(node_type) is not None
        assert callable(rule)


def test_each_node_is_visited_once() -> None:
    loaded = checked("DEF A Group { children [ Group { children [ Transform {} ] } ] }\nUSE A")
    seen: list[str] = []
    checker = checks.Checker(loaded, (("Group", lambda node, _: seen.append(node.type)),))
    checker.visit_all()
    assert seen == ["Group", "Group", "Transform", "Group"]
    assert [node.type for node in checker.all("Pose")] == ["Transform"]


def test_a_large_world_needs_no_call_per_level() -> None:
    depth = 2000
    loaded = checked("Group { children [ " * depth + "] }" * depth)
    assert sum(1 for _ in walk(loaded.nodes)) == depth + 2
    assert not loaded.report
