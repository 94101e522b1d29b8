"""The supervisor's cache of the scene, and its requests to the simulator.

Nodes and fields are cached until the simulator reports their removal. Sets of fields are queued for the next
step; all other requests are sent immediately.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.scene.field import Field
from wbridge.hal.modes.scene.node import Node
from wbridge.hal.modes.scene.run import Run
from wbridge.hal.protocol.supervisor import robot_codec
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.modes.exchange import Exchange
    from wbridge.hal.protocol.configure import SelfNode

__all__ = ["Scene"]

SET = 62
BY_ID, BY_DEF, BY_TAG, SELECTED = 83, 84, 85, 86
ROOT, NO_NODE = 0, -1
FIRST_CODE = 16
"""First code of the answers of supervisor functions, apart from the robot's own codes."""
ROBOT_CODES = (46, 80, 81)


class SupervisorRobot(Protocol):
    """The part of the robot that its scene uses."""

    exchange: Exchange
    own: SelfNode | None
    """Its node, if it was a supervisor from the start."""
    supervisor: bool
    time: float
    simulation_mode: int


class Scene:
    """The scene of one supervisor."""

    def __init__(self, robot: SupervisorRobot) -> None:
        self.robot, self.exchange = robot, robot.exchange
        self.nodes: dict[int, Node] = {}
        self.definitions: dict[tuple[str, int], int] = {}
        self.sets: dict[tuple[int, int, int], tuple[Field, Any]] = {}
        self.replies: dict[int, tuple[Any, ...]] = {}
        self.values: dict[tuple[int, int, int], tuple[float, Any]] = {}
        self.poses: dict[tuple[int, int], tuple[float, tuple[float, ...]]] = {}
        self.contacts: dict[tuple[int, bool], tuple[float, list[tuple[Any, ...]]]] = {}
        self.run = Run(self)

    def handlers(self) -> dict[int, Callable[..., None]]:
        """The handlers of the answers, by code."""
        found: dict[int, Callable[..., None]] = {}
        for code, message in robot_codec(self.exchange.dialect).messages.items():
            if code >= FIRST_CODE and code not in ROBOT_CODES:
                own = getattr(self, f"take_{message.name}", None)
                found[code] = own or self._keeper(code)
        return found

    def _keeper(self, code: int) -> Callable[..., None]:
        def keep(*values: Any) -> None:
            self.replies[code] = values

        return keep

    # Requests.

    def may(self, function: str) -> bool:
        """Return False and report an error if the robot is not a supervisor or during a step."""
        if not self.robot.supervisor:
            report.error(function, messages.not_a_supervisor())
            return False
        return self.exchange.may_ask(function)

    def ask(self, function: str, code: int, *values: Any, reply: int | None = None) -> tuple[Any, ...] | None:
        """Query the simulator, and return the values of the answer with the code `reply` (default: `code`).

        None if there was no such answer.
        """
        reply = code if reply is None else reply
        if not self.may(function):
            return None
        self.replies.pop(reply, None)
        self.exchange.queue(code, *values)
        self.exchange.round_trip()
        return self.replies.pop(reply, None)

    def command(self, function: str, code: int, *values: Any) -> None:
        """Send a command that takes effect immediately."""
        if self.may(function):
            self.exchange.queue(code, *values)
            self.exchange.round_trip()

    def send_sets(self) -> None:
        """Move the queued sets of fields to the next packet."""
        sets, self.sets = self.sets, {}
        for (node, index, item), (field, value) in sets.items():
            self.exchange.queue(SET, node, index, field.type, item, value)
            self.values.pop((node, -1, index), None)

    # Handlers of messages in the answers.

    def take_node_by_id(self, *values: Any) -> None:
        """Store a requested node, or a changed DEF name."""
        self.replies[BY_ID] = values
        known = self.nodes.get(values[0])
        if known is not None:
            known.def_name = values[7]

    def take_node_removed(self, uid: int) -> None:
        """Remove a node from the cache."""
        gone = self.nodes.pop(uid, None)
        if gone is not None:
            gone.exists = False
        self.definitions = {key: one for key, one in self.definitions.items() if one != uid}
        self.sets = {key: one for key, one in self.sets.items() if key[0] != uid}
        self.values = {key: one for key, one in self.values.items() if key[0] != uid}

    def take_proto_regenerated(self) -> None:
        """Remove everything internal to PROTOs from the cache, after a PROTO was regenerated."""
        for uid in [uid for uid, one in self.nodes.items() if one.in_proto]:
            self.take_node_removed(uid)
        for node in self.nodes.values():
            node.forget_internal()

    def take_simulation_was_reset(self) -> None:
        """Remove all values from the cache, after the simulation was reset."""
        self.values.clear()
        self.poses.clear()
        self.contacts.clear()

    def take_field_count(self, uid: int, name: str, count: int) -> None:
        """Store the new length of a multiple-value field."""
        node = self.nodes.get(uid)
        if node is not None:
            node.set_count(name, count)

    def take_value(self, type_: int, uid: int, proto: int, field: int, value: Any) -> None:
        """Store a requested or tracked value of a field."""
        self.replies[88] = (type_, uid, proto, field, value)
        if type_:
            self.values[uid, proto, field] = (self.robot.time, value)

    def take_pose(self, from_: int, uid: int, matrix: tuple[float, ...]) -> None:
        """Store a requested or tracked pose."""
        self.replies[92] = (from_, uid, matrix)
        self.poses[from_, uid] = (self.robot.time, matrix)

    def take_contact_points(self, uid: int, descendants: bool, points: list[tuple[Any, ...]]) -> None:
        """Store requested or tracked contact points."""
        self.replies[94] = (uid, descendants, points)
        self.contacts[uid, descendants] = (self.robot.time, points)

    def take_movie_status(self, status: int) -> None:
        """Store the status of the movie."""
        self.run.movie_status = status

    # Finding nodes.

    def node(
        self, uid: int, type_: int, tag: int, parent: int, is_proto: bool, model: str, **more: Any
    ) -> Node:
        """The node with an identifier, created if it is new."""
        known = self.nodes.get(uid)
        if known is None:
            known = self.nodes[uid] = Node(self, uid, type_, tag, parent, is_proto, model)
        for name, value in more.items():
            setattr(known, name, value)
        return known

    def get_root(self) -> Node | None:
        """The root node, whose field `children` contains the nodes of the world."""
        if not self.may_know("get_root"):
            return None
        group = self.exchange.dialect.numbers["Group"]
        return self.nodes.get(ROOT) or self.node(ROOT, group, NO_NODE, NO_NODE, False, "Group")

    def may_know(self, method: str) -> bool:
        """Return False and report an error if the robot is not a supervisor."""
        if not self.robot.supervisor:
            text = messages.not_a_supervisor()
            report.error(f"wb_supervisor_node_{method}", text)
        return self.robot.supervisor

    def get_self(self) -> Node | None:
        """The supervisor's own node."""
        own = self.robot.own
        if not self.may_know("get_self") or own is None:
            return None
        type_ = self.exchange.dialect.numbers["Robot"]
        node = self.node(own.id, type_, 0, own.parent, own.is_proto, own.model)
        node.in_proto, node.def_name = own.in_proto, own.def_name
        return node

    @needs("id", prefix="wb_supervisor_node_")
    def get_from_id(self, id: int) -> Node | None:
        """The node with an identifier, or None. Queries the simulator."""
        if id == ROOT:
            return self.get_root()
        function = "wb_supervisor_node_get_from_id"
        return self.nodes.get(id) or self._found(self.ask(function, BY_ID, int(id)))

    @needs("tag", prefix="wb_supervisor_node_")
    def get_from_device(self, tag: int) -> Node | None:
        """The node of a device of this robot, by tag; tag 0 is the robot. Queries the simulator."""
        if tag == 0:
            return self.get_self()
        known = next((one for one in self.nodes.values() if one.tag == tag), None)
        return known or self._found(self.ask("wb_supervisor_node_get_from_device", BY_TAG, int(tag)))

    def get_selected(self) -> Node | None:
        """The node that is selected in the scene tree, or None. Queries the simulator."""
        return self._found(self.ask("wb_supervisor_node_get_selected", SELECTED))

    def _found(self, values: tuple[Any, ...] | None) -> Node | None:
        if values is None:
            return None
        uid, type_, tag, parent, is_proto, in_proto, model, def_name = values
        return self.node(uid, type_, tag, parent, is_proto, model, in_proto=in_proto, def_name=def_name)

    def get_from_def(self, def_name: str | None, proto: Node | None = None) -> Node | None:
        """The node with a DEF name or path such as "ROBOT.ARM", or None.

        Queries the simulator.
        """
        function = f"wb_supervisor_node_get_from_{'proto_' if proto else ''}def"
        if def_name is None:
            report.error(function, messages.invalid_argument("def_name", "None"))
            return None
        where = NO_NODE if proto is None else proto.id
        known = self.nodes.get(self.definitions.get((def_name, where), NO_NODE))
        if known is not None:
            return known
        if not def_name:
            report.error(function, messages.empty_name())
            return None
        values = self.ask(function, BY_DEF, def_name, where)
        if values is None or values[0] == ROOT:
            return None
        uid, type_, tag, parent, is_proto, model = values
        short = def_name.rpartition(".")[2]
        node = self.node(uid, type_, tag, parent, is_proto, model, in_proto=proto is not None, def_name=short)
        self.definitions[def_name, where] = node.id
        return node
