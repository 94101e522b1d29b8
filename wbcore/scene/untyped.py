"""Types without a declaration: missing models, unknown fields, hidden fields."""

from __future__ import annotations

import re
from functools import lru_cache

from wbridge.wbcore.scene import values
from wbridge.wbcore.scene.ranges import Range
from wbridge.wbcore.scene.schema import FieldSpec

HIDDEN_OF_SOLIDS = {
    "translation": "SFVec3f",
    "rotation": "SFRotation",
    "linearVelocity": "SFVec3f",
    "angularVelocity": "SFVec3f",
}
HIDDEN_OF_JOINTS = dict.fromkeys(("position", "position2", "position3"), "SFFloat")
"""Fields that files save for the parts of an instance, with their types (chapter 5.7)."""
_HIDDEN_TYPES = HIDDEN_OF_SOLIDS | HIDDEN_OF_JOINTS
HIDDEN_NAME = re.compile(rf"({'|'.join(_HIDDEN_TYPES)})(?:_([0-9]{{1,6}})(?:_([0-9]{{1,6}}))?)?$")
"""A field name, optionally followed by the numbers of a solid and of one of its joints."""
_DEFAULTS: dict[str, object] = {
    "SFBool": False, "SFInt32": 0, "SFFloat": 0.0, "SFString": "", "SFVec2f": (0.0, 0.0), "SFNode": None,
    "SFVec3f": (0.0, 0.0, 0.0), "SFColor": (0.0, 0.0, 0.0), "SFRotation": (0.0, 0.0, 1.0, 0.0),
}  # fmt: skip


class UntypedNode:
    """The type of a node without a declaration: only the fields of every object are typed."""

    name = "(unknown)"
    abstract = False

    def __init__(self) -> None:
        kinds = {"translation": "SFVec3f", "rotation": "SFRotation", "name": "SFString", "children": "MFNode"}
        self.fields = {name: guessed(name, kind) for name, kind in kinds.items()}

    def is_a(self, name: str) -> bool:
        """True for a node with a pose, as which a missing model counts."""
        return name in ("Node", "Group", "Pose")


def declared(
    name: str,
    kind: str,
    default: object = None,
    *,
    allowed: tuple[str, ...] = (),
    choices: Range | None = None,
    hidden: bool = False,
    deprecated: bool = False,
) -> FieldSpec:
    """Return a field type created at run time: declared by a PROTO's interface, or deduced from a value."""
    return FieldSpec(
        name=name, type=kind, default=default, types=(kind,), range=choices, unit="", hidden=hidden,
        deprecated=deprecated, removed=False, replaced_by="", allowed=allowed, since=None,
    )  # fmt: skip


@lru_cache(maxsize=1024)
def guessed(name: str, kind: str) -> FieldSpec:
    """Return a field type deduced from a value."""
    return declared(name, kind, _DEFAULTS[kind] if kind.startswith("SF") else values.empty(kind))


def hidden_spec(name: str) -> FieldSpec | None:
    """Return the type of a hidden field such as `position_0_1` (chapter 5.7); None for other names."""
    match = HIDDEN_NAME.match(name)
    if match is None:
        return None
    kind = _HIDDEN_TYPES[match.group(1)]
    return declared(name, kind, _DEFAULTS[kind], hidden=True)


UNTYPED = UntypedNode()
