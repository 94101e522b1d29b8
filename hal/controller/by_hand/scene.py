"""Hand-written methods of nodes, fields and PROTOs."""

from __future__ import annotations

from wbridge.hal.client.session import current
from wbridge.hal.controller.by_hand.old import alias, deprecated
from wbridge.hal.controller.by_hand.wrapping import wrap
from wbridge.hal.protocol.fields import MF, TYPE_NAMES
from wbridge.hal.readings import ContactPoint as ContactPointData

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from typing import Any

    from wbridge.hal.client._native import Field as FieldRef
    from wbridge.hal.client._native import Node as NodeRef
    from wbridge.hal.client._native import Proto as ProtoRef
    from wbridge.hal.controller.field import Field
    from wbridge.hal.controller.node import Node
    from wbridge.hal.controller.proto import Proto

__all__ = ["ContactPoint", "FieldBase", "NodeBase", "ProtoBase"]


class ContactPoint:
    """A contact point between two solids."""

    def __init__(self, point: ContactPointData) -> None:
        self.point = list(point.point)
        self.node_id = point.node_id

    def getPoint(self) -> list[float]:
        """The position in world coordinates: x, y, z in m."""
        return self.point

    def getNodeId(self) -> int:
        """The identifier of the solid."""
        return self.node_id


class NodeBase:
    """Hand-written methods of Node."""

    _ref: NodeRef

    def __init__(
        self,
        DEF: str | None = None,
        tag: int | None = None,
        id: int | None = None,
        selected: bool | None = None,
        ref: NodeRef | None = None,
    ) -> None:
        """Find a node by DEF name, device tag, identifier or selection; without arguments the root.

        Raises:
            ValueError: the node does not exist.
        """
        scene = current().scene
        if ref is not None:
            found: NodeRef | None = ref
        elif DEF is not None:
            found = scene.get_from_def(DEF)
        elif tag is not None:
            found = scene.get_from_device(tag)
        elif id is not None:
            found = scene.get_from_id(id)
        else:
            found = scene.get_selected() if selected else scene.get_root()
        if found is None:
            raise ValueError(f"node not found: DEF={DEF!r}, tag={tag}, id={id}, selected={selected}")
        self._ref = found

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeBase) and other._ref is self._ref

    def __hash__(self) -> int:
        return hash(self._ref.id)

    def __repr__(self) -> str:
        name = f"DEF {self._ref.def_name} " if self._ref.def_name else ""
        return f"<{name}{self._ref.model} {self._ref.id}>"

    def getContactPoints(self, includeDescendants: bool = False) -> list[ContactPoint]:
        """The contact points of a solid.

        Args:
            includeDescendants: include the contact points of descendant solids.
        """
        return [ContactPoint(one) for one in self._ref.get_contact_points(includeDescendants)]

    def disableContactPointsTracking(self, includeDescendants: bool = False) -> None:
        """Disable the tracking of contact points; the argument is ignored."""
        self._ref.disable_contact_points_tracking()

    def getContactPoint(self, index: int) -> list[float] | None:
        """Old: a point of `getContactPoints`."""
        deprecated("Node.getContactPoint", "Node.getContactPoints")
        return self._ref.get_contact_point(index)

    def getNumberOfContactPoints(self, includeDescendants: bool = False) -> int:
        """Old: the number of points of `getContactPoints`."""
        deprecated("Node.getNumberOfContactPoints", "Node.getContactPoints")
        return self._ref.get_number_of_contact_points(includeDescendants)

    getProtoField = alias("Node.getProtoField", "getBaseNodeField")
    getProtoFieldByIndex = alias("Node.getProtoFieldByIndex", "getBaseNodeFieldByIndex")
    getProtoNumberOfFields = alias("Node.getProtoNumberOfFields", "getNumberOfBaseNodeFields")


class FieldBase:
    """Hand-written methods of Field."""

    _ref: FieldRef

    def __init__(self, ref: FieldRef) -> None:
        self._ref = ref

    def __repr__(self) -> str:
        return f"<{self._ref.get_type_name()} {self._ref.name}>"

    @property
    def type(self) -> int:
        """The type: a constant such as `Field.SF_BOOL`."""
        return self._ref.type

    @property
    def value(self) -> Any:
        """The value of the field, or all elements of a list. Assignments take effect with the next step."""
        kind = TYPE_NAMES[self._ref.type & ~MF][2:].lower()
        if self._ref.type & MF:
            get = getattr(self._ref, f"get_mf_{kind}")
            values = [get(index) for index in range(self._ref.count)]
            return [wrap(one) for one in values] if kind == "node" else values
        found = getattr(self._ref, f"get_sf_{kind}")()
        return wrap(found) if kind == "node" else found

    @value.setter
    def value(self, value: Any) -> None:
        """Set the value, or all elements of a list, effective with the next step."""
        kind = TYPE_NAMES[self._ref.type & ~MF][2:].lower()
        if kind == "node":
            current().report_error(
                "wb_supervisor_field_set_sf_node",
                "does not exist; import a node from a string, or remove it.",
            )
        elif self._ref.type & MF:
            set_ = getattr(self._ref, f"set_mf_{kind}")
            for index, one in enumerate(value):
                set_(index, one)
        else:
            getattr(self._ref, f"set_sf_{kind}")(value)

    def getSFNode(self) -> Node | None:
        """The node of the field, or None if it is empty."""
        return wrap(self._ref.get_sf_node())

    def getMFNode(self, index: int) -> Node | None:
        """The node at an index, or None; -1 is the last."""
        return wrap(self._ref.get_mf_node(index))

    def importMFNode(self, position: int, filename: str) -> None:
        """Old: insert the nodes of a file."""
        deprecated("Field.importMFNode", "Field.importMFNodeFromString")
        self._ref.import_mf_node(position, filename)

    removeMFNode = alias("Field.removeMFNode", "removeMF")


class ProtoBase:
    """Hand-written methods of Proto."""

    _ref: ProtoRef

    def __init__(self, ref: ProtoRef) -> None:
        self._ref = ref

    def __repr__(self) -> str:
        return f"<PROTO {self._ref.name}>"

    def getParent(self) -> Proto | None:
        """The PROTO that this PROTO is derived from, or None."""
        return wrap(self._ref.get_parent())

    def getField(self, name: str) -> Field | None:
        """The read-only parameter with a name, or None."""
        return wrap(self._ref.get_field(name))
