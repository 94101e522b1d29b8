"""The unique object of each node, field and PROTO in the object API."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from wbridge.hal.controller.by_hand.classes import class_named

if TYPE_CHECKING:
    from wbridge.hal.client._native import Field as FieldRef
    from wbridge.hal.client._native import Node as NodeRef
    from wbridge.hal.client._native import Proto as ProtoRef
    from wbridge.hal.controller.field import Field
    from wbridge.hal.controller.node import Node
    from wbridge.hal.controller.proto import Proto

OBJECT = "object_of_the_api"


@overload
def _wrap(ref: None) -> None: ...
@overload
def _wrap(ref: NodeRef) -> Node: ...
@overload
def _wrap(ref: FieldRef) -> Field: ...
@overload
def _wrap(ref: ProtoRef) -> Proto: ...
def _wrap(ref: object) -> object:
    """The object of a node, field or PROTO; None for None."""
    if ref is None:
        return None
    # The object is stored in what it wraps: a dictionary of both would keep removed nodes alive.
    kept = vars(ref)
    if OBJECT not in kept:
        kept[OBJECT] = class_named(type(ref).__name__)(ref=ref)
    return kept[OBJECT]


@overload
def _unwrap(node: Node) -> NodeRef: ...
@overload
def _unwrap(node: None) -> None: ...
def _unwrap(node: Node | None) -> NodeRef | None:
    """The node wrapped by an object; None for None."""
    return None if node is None else node._ref


wrap = _wrap
unwrap = _unwrap
