"""Checks of a world beyond its grammar: ranges, structure, references, files.

Each module in this folder without a leading underscore is one family of rules, found by its file
name. It has

    NODE_RULES    pairs of a node type and a function (node, checker), called for every node that is,
                  or derives from, the type; "Node" stands for every node
    WORLD_RULES   functions (checker), called once after all nodes have been seen

Both are optional. Rules only report, to the checker; `resets` defines what the simulator uses instead. Errors
are reserved for what cannot work at all: worlds that run in Webots have only warnings.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from wbridge.wbcore.scene.checks._checker import Checker, NodeRule, WorldRule
from wbridge.wbcore.scene.load import LoadOptions, World, load_world


def load_checked(path: str | Path, options: LoadOptions | None = None) -> World:
    """Load a world and, unless it has errors, check it; all findings are in its report."""
    return checked(load_world(path, options))


def checked(world: World) -> World:
    """Return a world after checking it, unless that was done or it has errors."""
    if not world.is_checked and not world.report.errors:
        check_world(world)
    return world


def check_world(world: World) -> None:
    """Add the problems of an expanded world to its report; the tree is not changed."""
    world.is_checked = True
    node_rules, world_rules = rules()
    checker = Checker(world, node_rules)
    checker.visit_all()
    for rule in world_rules:
        rule(checker)


@cache
def rules() -> tuple[tuple[tuple[str, NodeRule], ...], tuple[WorldRule, ...]]:
    """Return all rules for nodes (with their node types) and for worlds, families in alphabetical order."""
    node_rules: list[tuple[str, NodeRule]] = []
    world_rules: list[WorldRule] = []
    for name in families():
        family = import_module(f"{__name__}.{name}")
        node_rules += getattr(family, "NODE_RULES", ())
        world_rules += getattr(family, "WORLD_RULES", ())
    return tuple(node_rules), tuple(world_rules)


def families() -> list[str]:
    """Return the names of the rule families, by the files in this folder."""
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not path.stem.startswith("_"))
