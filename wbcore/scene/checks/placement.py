"""Allowed places of nodes: top level, inside robots, solids and tracks; one WorldInfo (manual, 7.1)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker, above, is_guarded, is_unknown, nearest
from wbridge.wbcore.scene.node import Node

_ONCE = ("WorldInfo", "Viewpoint", "Background", "Fog")
_NEEDED = ("WorldInfo", "Viewpoint")
_TOP = (*_ONCE, "Solid", "Group", "Shape", "CadShape", "Light", "Fluid", "Billboard", "Slot")


def check_top_level(checker: Checker) -> None:
    """Report nodes that are not allowed at the top level, occur too often there, or are missing."""
    if checker.is_model:
        return
    for node in checker.world.nodes:
        if not is_unknown(node) and not any(node.is_a(name) for name in _TOP):
            text = f"{node.root.type} has no effect at the top level; allowed there: {', '.join(_TOP[:-1])}"
            checker.warn("not-at-top-level", text, node)
    for name in _ONCE:
        _check_once(name, checker)


def _check_once(name: str, checker: Checker) -> None:
    found = [node for node in checker.world.nodes if node.is_a(name)]
    for extra in found[1:]:
        line, _ = found[0].source.place(found[0].offset) if found[0].source else (0, 0)
        text = f"a second {name}; only one is allowed; the one in line {line} is used"
        report = checker.error if name in _NEEDED else checker.warn  # as Webots: it shows the first
        report("repeated-node", text, extra)
    if not found and name in _NEEDED:
        text = f"the world has no {name}; there must be one; its default values are used"
        checker.report.warning("missing-node", text, checker.world.source, 0)


def check_device(node: Node, checker: Checker) -> None:
    """Check that devices are in a robot; connectors also work without one."""
    if node.spec.is_a("Connector") or checker.is_model or is_guarded(node) or nearest(node, "Robot"):
        return
    if node.spec.is_a("Robot"):
        return
    text = f"{node.type} is not inside a Robot; no controller can use it"
    checker.warn("no-robot", text, node)


def check_joint(node: Node, checker: Checker) -> None:
    """Check that joints and connectors are inside a solid."""
    if not checker.is_model and not is_guarded(node) and nearest(node, "Solid") is None:
        checker.error("no-solid", f"{node.type} needs a Solid around it; there is none", node)


def check_track_wheel(node: Node, checker: Checker) -> None:
    """Check that a TrackWheel is among the children of a Track (manual, 3.72)."""
    parent = above(node)
    if parent is not None and not parent.spec.is_a("Track") and not is_guarded(node):
        text = f"TrackWheel is in {parent.type}; it may be in Track.children only"
        checker.error("wrong-node-type", text, node)


NODE_RULES = (
    ("Device", check_device),
    ("Joint", check_joint),
    ("Connector", check_joint),
    ("TrackWheel", check_track_wheel),
)
WORLD_RULES = (check_top_level,)
