"""Nodes, fields and PROTOs as the binding of the C library shows them to supervisors."""

from __future__ import annotations

from wbridge.hal.client import _native
from wbridge.hal.readings import ContactPoint

__all__ = ["Field", "Node", "Proto", "Scene"]


class Node(_native.Node):
    """A node of the scene, with attributes for the object API."""

    def get_contact_points(self, include_descendants: bool = False) -> list[ContactPoint]:
        """The contact points of a solid."""
        return [ContactPoint(*one) for one in super().get_contact_points(include_descendants)]


class Field(_native.Field):
    """A field of a node, with attributes for the object API."""

    def error(self, method: str, text: str) -> None:
        """Report an invalid call of a method on stderr."""
        _native.Robot().report_error(f"wb_supervisor_field_{method}", text)


class Proto(_native.Proto):
    """A PROTO, with attributes for the object API."""


class Scene(_native.Scene):
    """The supervisor's view of the scene."""

    def __init__(self) -> None:
        self.run = _native.Run()


_native.use_classes({"Node": Node, "Field": Field, "Proto": Proto})
