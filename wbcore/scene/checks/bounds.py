"""Bounds of fields whose values decide how much memory and time a world needs (see
`wbridge.wbcore.scene.limits`)."""

from __future__ import annotations

from functools import partial

from wbridge.wbcore.scene.checks._checker import Checker, NodeRule
from wbridge.wbcore.scene.limits import FIELDS, FieldBound
from wbridge.wbcore.scene.node import Node


def check_bound(bound: FieldBound, node: Node, checker: Checker) -> None:
    """Check that a number, or each component of a vector, is within its bound.

    Where only positive numbers are allowed, the others are replaced by the default.
    """
    found = node.get(bound.field)
    values = found if isinstance(found, tuple) else (found,)
    value = next((v for v in values if not bound.low <= v <= bound.high and (v > 0 or bound.low < 0)), None)
    if node.use_of is None and value is not None:
        checker.error(
            "out-of-bounds",
            f"{node.type}.{bound.field} is {_shown(value)} {bound.unit}; "
            f"allowed: {_shown(bound.low)} to {_shown(bound.high)}",
            node,
            bound.field,
        )


def _shown(value: float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _rule(bound: FieldBound) -> tuple[str, NodeRule]:
    return bound.type, partial(check_bound, bound)


NODE_RULES = tuple(map(_rule, FIELDS))
