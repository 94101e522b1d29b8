"""Slots, which work in pairs of matching types (manual, 3.62)."""

from __future__ import annotations

from wbridge.wbcore.scene.checks._checker import Checker, above, is_unknown
from wbridge.wbcore.scene.node import Node


def check_slot(node: Node, checker: Checker) -> None:
    """Report pairs of slots whose types differ, and three slots in a row."""
    end = node.get("endPoint")
    if node.use_of is not None or not isinstance(end, Node) or is_unknown(end):
        return
    inner, parent = end.root, above(node)
    in_pair = parent is not None and parent.spec.is_a("Slot")
    if inner.spec.is_a("Slot"):
        if in_pair:
            checker.error("slot-trio", "three Slots follow each other; Slots work in pairs", end)
        elif not match(node.get("type"), inner.get("type")):
            text = (
                f'a Slot of type "{inner.get("type")}" stands in a Slot of type "{node.get("type")}"; '
                f"{_wanted(node.get('type'))}"
            )
            checker.error("slot-type", text, end)
    elif not in_pair and not (checker.is_model and parent is None):
        text = f"{end.type} stands in a Slot; only another Slot may, and {end.type} in that one"
        checker.warn("slot-pair", text, end)


def refused(slot: Node, node: Node) -> str:
    """Return why a node cannot be put into a Slot; "" if it can, or if neither is a Slot."""
    if not slot.spec.is_a("Slot"):
        return ""
    parent = above(slot)
    if parent is not None and parent.spec.is_a("Slot"):
        return "three Slots may not follow each other" if node.spec.is_a("Slot") else ""
    if not node.spec.is_a("Slot"):
        return f"only a Slot may stand in a Slot, not {node.type}"
    kinds = slot.get("type"), node.get("type")
    return "" if match(*kinds) else f'a Slot of type "{kinds[1]}" does not fit; {_wanted(kinds[0])}'


def match(name: str, other: str) -> bool:
    """True if Slots of these types fit together; "+" and "-" at the end are genders."""
    if not name or not other:
        return True
    if name[-1] in "+-" or other[-1] in "+-":
        return name[:-1] == other[:-1] and {name[-1], other[-1]} == {"+", "-"}
    return name == other


def _wanted(kind: str) -> str:
    other = {"+": "-", "-": "+"}.get(kind[-1:])
    return f'allowed: "{kind[:-1] + other if other else kind}" or ""'


NODE_RULES = (("Slot", check_slot),)
