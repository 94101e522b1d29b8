"""Changes of the tree of a running simulation; physics, robots and supervisors follow them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Protocol

from wbridge.wbcore.physics import sync
from wbridge.wbcore.physics.initial import InitialState
from wbridge.wbcore.physics.pose import axis_angle
from wbridge.wbcore.physics.tree import is_frame
from wbridge.wbcore.physics.world import PhysicsWorld
from wbridge.wbcore.scene import hidden
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Field, Node, adopt, walk
from wbridge.wbcore.scene.places import instance_of, is_internal, place
from wbridge.wbcore.scene.resets import reset_nodes
from wbridge.wbcore.world.free_bodies import FreeBodies
from wbridge.wbcore.world.journal import Journal
from wbridge.wbcore.world.node_ids import NodeIds

_LOG = logging.getLogger(__name__)

PLACES = ("translation", "rotation", "scale")
ONLY_ONE = ("WorldInfo", "Viewpoint")
_LOOKS = frozenset(
    "Appearance PBRAppearance Material ImageTexture TextureTransform TextureCoordinate Normal Color "
    "Viewpoint Background Fog DirectionalLight PointLight SpotLight Lens LensFlare Focus Zoom "
    "Recognition".split()
)
"""Nodes that do not affect the physics."""
_PAINTS = frozenset("Appearance PBRAppearance Material DirectionalLight PointLight SpotLight".split())
"""Nodes that affect neither the physics nor any device, and that LEDs change in many steps."""
_UNSEEN = frozenset(
    "translation rotation linearVelocity angularVelocity customData name description controller "
    "controllerArgs battery supervisor".split()
)
"""Fields of solids that do not affect their appearance; poses are tracked by the physics."""


class Observer(Protocol):
    """Receives notifications of changes of the tree."""

    def node_added(self, node: Node) -> None:
        """React to a node that was added to the tree."""

    def node_removed(self, node: Node) -> None:
        """React to a node that was removed from the tree with its descendants."""

    def node_gone(self, node: Node, number: int) -> None:
        """React to the removal of the node with a number; also called for each of its descendants."""

    def list_changed(self, field: Field) -> None:
        """React to a new length of a field with several values, or with a node."""

    def regenerated(self) -> None:
        """React to a new body of a PROTO instance."""

    def renamed(self, node: Node) -> None:
        """React to a changed DEF name."""


class TreeRobots(Protocol):
    """The robots of a world, which follow changes of the tree before any observer."""

    def field_changed(self, node: Node, name: str) -> None:
        """React to a change of a field."""

    def node_added(self, node: Node) -> None:
        """React to a node that was added to the tree."""

    def node_removed(self, node: Node) -> None:
        """React to a node that was removed; `node.parent` is still its former parent."""

    def regenerated(self, instance: Node) -> None:
        """React to a new body of a PROTO instance."""


class Edits:
    """Changes the tree, and notifies everything that depends on it."""

    def __init__(
        self, world: World, physics: PhysicsWorld, nodes: NodeIds, bodies: FreeBodies, initial: InitialState
    ) -> None:
        """
        Args:
            world: the world to change.
            physics: the physics that follows the changes.
            nodes: the numbers of the nodes.
            bodies: finds solids that can be moved directly.
            initial: the part of the initial state that a reset restores by itself.
        """
        self._world, self._physics, self._nodes, self._bodies = world, physics, nodes, bodies
        self.robots: TreeRobots | None = None
        """The robots, once they have been requested."""
        self.observers: list[Observer] = []
        self.journal = Journal(world, initial, self)
        self._initial = initial
        self._stale: list[Node] = []
        self._renewed: dict[Node, None] = {}
        """Instances with a new body since the start."""
        self._holding = False
        self._untemplated: dict[Field, Node] = {}
        """Fields of nodes that no template statement uses, until nodes are added, removed or replaced."""
        self.looks = 0
        """Counts changes that can affect what is visible, or how it looks."""
        self.look_watchers: list[Callable[[Node | None, str], object]] = []
        """Called with these changes: node and field; None if nodes were added, removed or replaced."""

    # Values.

    def set(self, node: Node, name: str, value: Any) -> None:
        """Set a field that holds no nodes.

        Raises:
            KeyError: the node does not have the field.
        """
        if node.type in _PAINTS:
            self._paint(node, name, value)
            return
        if name in PLACES and self._moved_alone(node, name, value):
            return
        self.before(node, name)
        field = node.field(name)
        old = field.value
        field.value = value
        self.after(node, name)
        if field.spec.is_list and len(old) != len(value):
            self.resized(field)

    def _paint(self, node: Node, name: str, value: Any) -> None:
        """Set a field on which only looks, and possibly bodies of PROTO instances, depend."""
        field = node.field(name)
        self.journal.keep(node, name, field)
        field.value, field.given = value, True
        self._note_look(node, name)
        if self._untemplated.get(field) is node:
            return
        stale = self._world.stale(node, field)
        if stale:
            self._regenerate(stale)
        else:
            self._untemplated[field] = node

    def _moved_alone(self, node: Node, name: str, value: Any) -> bool:
        """Move a solid that is a single body; return False if that is not sufficient."""
        if node.body is not None or name == "scale":
            return False
        body = self._bodies.free(node)
        if body is None:
            return False
        field = node.field(name)
        self.journal.keep(node, name, field)
        field.value, field.given = value, True
        if name == "translation":
            body.set_pose(value, body.orientation)
        else:
            body.set_pose(body.position, axis_angle(value[:3], value[3]))
        return True

    def before(self, node: Node, name: str) -> None:
        """Prepare for changing a value in place: write motion into the tree and keep the value for the next
        reset."""
        field = node.field(name)
        sync.write_place(self._physics, node)
        self.journal.keep(node, name, field)

    def after(self, node: Node, name: str) -> None:
        """Notify all dependents after a value was changed in place."""
        field = node.field(name)
        field.given = True
        if not (name in _UNSEEN and node.is_a("Solid")):
            self._note_look(node, name)
        stale = self._world.stale(node, field)
        if stale:
            self._regenerate(stale)
        else:
            self._notify_physics(node, name)
        if self.robots is not None:
            self.robots.field_changed(node, name)

    def _note_look(self, node: Node | None, name: str = "") -> None:
        self.looks += 1
        if node is None:
            self._untemplated.clear()
        for watch in self.look_watchers:
            watch(node, name)

    def _notify_physics(self, node: Node, name: str) -> None:
        physics = self._physics
        if node.body is None and node.type in _LOOKS:
            return
        if name in PLACES and is_frame(node.root) and _is_own(node, name):
            physics.moved(node)
        else:
            physics.changed(node, name)

    def resized(self, field: Field) -> None:
        """Notify all dependents after the length of a list changed."""
        for observer in self.observers:
            observer.list_changed(field)

    def rename(self, node: Node, def_name: str) -> None:
        """Set a node's DEF name; "" removes it."""
        node.def_name = def_name or None
        for observer in self.observers:
            observer.renamed(node)

    def take_over(self, changed: Field | Node | None) -> None:
        """Let the start, to which resets return, include a change that was made before the first step.

        Args:
            changed: a field with another value, a node that was added; None: a node was removed.
        """
        if changed is not None:
            self.journal.settle(changed)
        self._initial.take_over(changed if isinstance(changed, Field) else None)

    # PROTO instances whose bodies depend on a value.

    def hold(self) -> None:
        """Postpone the rebuilding of bodies until `release`."""
        self._holding = True

    def release(self) -> None:
        """Rebuild the bodies that are due."""
        self._holding = False
        stale, self._stale = self._stale, []
        for instance in stale:
            if is_in(instance, self._world):
                self._rebuild(instance)

    def _regenerate(self, instances: list[Node]) -> None:
        for instance in instances:
            if not self._holding:
                self._rebuild(instance)
            elif instance not in self._stale:
                self._stale.append(instance)

    def _rebuild(self, instance: Node) -> None:
        inside = self._new_body(instance)
        if inside is not None:
            self._renewed[instance] = None
            self._physics.regenerated(instance)
            self._follow(instance, inside)

    def _new_body(self, instance: Node) -> list[Node] | None:
        """Rebuild the body; returns the nodes of the old one, None if the template fails."""
        old, before = instance.body, len(self._world.report)
        self._note_look(None)
        inside = list(walk(old)) if old is not None else []
        if not self._world.regenerate(instance):
            self._keep_body(instance, old, before)
            return None
        reset_nodes([instance])
        return inside

    def _follow(self, instance: Node, inside: list[Node]) -> None:
        """Let robots and supervisors continue with a new body; `inside` are the nodes of the old one."""
        for node in inside:
            if not is_in(node, self._world):
                self._nodes.forget(node)
        if self.robots is not None:
            self.robots.regenerated(instance)
        for observer in self.observers:
            observer.regenerated()

    def _keep_body(self, instance: Node, old: Node | None, before: int) -> None:
        """Keep the instance's old body after the template failed."""
        if old is not None:
            instance.body = old
            for node in walk(old):
                for field in node.fields.values():
                    adopt(node, field.value)
        found = list(self._world.report)[before:]
        for line in map(str, found[:10]):
            _LOG.warning("%s; the model is not changed", line)

    # Nodes.

    def insert(self, holder: Node | None, name: str, index: int, node: Node) -> None:
        """Insert a node into a list at an index; without a holder, at the top level of the world."""
        if holder is None:
            self._world.nodes.insert(index, node)
            node.parent = None
            self._added(node, None, "")
            return
        field = holder.field(name)
        field.value.insert(index, node)
        self._settle(holder, field, node)
        self._added(node, holder, name)

    def put(self, holder: Node, name: str, node: Node) -> None:
        """Put a node into an empty single-node field."""
        field = holder.field(name)
        field.value = node
        self._settle(holder, field, node)
        self._added(node, holder, name)

    def _settle(self, holder: Node, field: Field, node: Node) -> None:
        """If the holder is an instance, set the node's parent to the place where its body uses the field."""
        field.given = True
        node.parent = holder
        if holder.body is not None:
            users = (node for node in walk(holder.body) if node.body is None and node.use_of is None)
            found = (user for user in users if any(other is field for other in user.fields.values()))
            node.parent = next(found, holder)

    def _added(self, node: Node, holder: Node | None, name: str) -> None:
        self._note_look(None)
        field = holder.field(name) if holder is not None else self._nodes.root.field("children")
        stale = self._world.stale(holder, field) if holder is not None else []
        if stale:
            self._regenerate(stale)
        else:
            self._structure(node, holder, name, self._physics.added)
        self.journal.added.append(node)
        if self.robots is not None:
            self.robots.node_added(node)
        for observer in self.observers:
            observer.node_added(node)
        self.resized(field)

    def _structure(self, node: Node, holder: Node | None, name: str, notify: Any) -> None:
        """Notify the physics of an added or removed node."""
        if holder is not None and holder.is_a("WorldInfo"):
            self._physics.changed(holder, name)
        elif node.root.type not in _LOOKS:
            notify(node)

    def remove(self, node: Node) -> None:
        """Remove a node from the tree.

        Raises:
            ValueError: it is inside a PROTO, or the world needs it.
        """
        node = instance_of(node)
        where = place(node)
        if is_internal(node):
            raise ValueError(f"{node.type} is inside a PROTO and cannot be removed")
        if where.holder is None and node.type in ONLY_ONE:
            raise ValueError(f"the {node.type} of the world cannot be removed")
        self._note_look(None)
        field = where.field if where.field is not None else self._nodes.root.field("children")
        if field.value is node:
            field.value = None
        else:
            field.value[:] = [child for child in field.value if child is not node]
        stale = self._world.stale(where.holder, field) if where.holder is not None else []
        self._structure(node, where.holder, where.name, self._physics.removed)
        self._gone(node)
        if stale:
            self._regenerate(stale)
        self.resized(field)

    def _gone(self, node: Node) -> None:
        if self.robots is not None:
            self.robots.node_removed(node)
        below = list(dict.fromkeys([*walk(node), *walk(node, into_protos=False)]))
        if self._world.expander is not None:
            self._world.expander.forget(below)
        for hearer in self.observers:
            hearer.node_removed(node)
        for inner in below:
            self._renewed.pop(inner, None)
            number = self._nodes.forget(inner)
            if number is not None:
                for observer in self.observers:
                    observer.node_gone(inner, number)
        self.journal.forget(node)

    def undo(self) -> Callable[[], None]:
        """Restore the initial tree as a reset does: remove added nodes, restore values.

        Returns:
            a function to call after the physics is restored, too.
        """
        self._stale = []
        self._holding = False
        self.journal.undo()
        renewed, self._renewed = [node for node in self._renewed if is_in(node, self._world)], {}
        bodies: list[tuple[Node, list[Node]]] = []
        for instance in renewed:
            # Motion was written into this body; the initial one has none.
            inside = self._new_body(instance)
            if inside is not None:
                hidden.apply_hidden(instance, self._world.report)
                self._physics.structure += 1
                bodies.append((instance, inside))

        def follow() -> None:
            for body in bodies:
                self._follow(*body)

        return follow


def is_in(node: Node, world: World) -> bool:
    """True if a node is in the world's tree."""
    ancestor = node
    while ancestor.parent is not None:
        above = ancestor.parent
        if above.body is not ancestor and not any(
            _holds(field.value, ancestor) for field in above.fields.values()
        ):
            return False
        ancestor = above
    return any(top is ancestor for top in world.nodes)


def _holds(value: Any, node: Node) -> bool:
    return value is node or (type(value) is list and any(element is node for element in value))


def _is_own(node: Node, name: str) -> bool:
    """True if a field of a node belongs to its built-in node."""
    return node.body is None or node.fields.get(name) is node.root.fields.get(name)
