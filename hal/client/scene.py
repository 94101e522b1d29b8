"""Nodes, fields and PROTOs as the binding of the C library shows them to supervisors."""

from __future__ import annotations

from wbridge.hal.client import _native
from wbridge.hal.readings import ContactPoint
from wbridge.hal.reports import messages, report

__all__ = ["Field", "Node", "Proto", "Scene"]


class Node(_native.Node):
    """A node of the scene, with attributes for the object API."""

    def get_contact_points(self, include_descendants: bool = False) -> list[ContactPoint]:
        """The contact points of a solid."""
        return [ContactPoint(*one) for one in super().get_contact_points(include_descendants)]


class Field(_native.Field):
    """A field of a node, with attributes for the object API."""


class Proto(_native.Proto):
    """A PROTO, with attributes for the object API."""


class Scene(_native.Scene):
    """The supervisor's view of the scene."""

    def __init__(self) -> None:
        self.run = _native.Run()

    def get_from_device(self, tag: int | None) -> _native.Node | None:
        """The node of a device; 0 is the tag of the robot itself."""
        if tag is None:
            report.error("wb_supervisor_node_get_from_device", messages.invalid_argument("tag", "None"))
            return None
        return super().get_from_device(tag)


_native.use_classes({"Node": Node, "Field": Field, "Proto": Proto})
