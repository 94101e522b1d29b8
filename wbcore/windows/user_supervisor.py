"""Changes that the user of a page makes in a running world, by the rules of the Supervisor API.

The command groups of supervisors carry them out, so that ranges, PROTO parameters and forces are treated as
if a controller had called `wb_supervisor_...`. Warnings become errors, which the page shows.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from wbridge.hal.protocol.codec import Codec
from wbridge.hal.protocol.dialect import R2025A, Dialect
from wbridge.wbcore.physics import sync
from wbridge.wbcore.physics.pose import Vec3
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean
from wbridge.wbcore.scene.header import Extern, Header, read_source
from wbridge.wbcore.scene.node import Field, Node, walk
from wbridge.wbcore.scene.places import field_names, instance_of, place
from wbridge.wbcore.scene.values import copied, string_text
from wbridge.wbcore.scene.writer import nodes_text
from wbridge.wbcore.supervisor.command_group import WRONG, HasNode
from wbridge.wbcore.supervisor.dispatcher import Dispatcher
from wbridge.wbcore.supervisor.forces import Forces
from wbridge.wbcore.supervisor.lists import Lists
from wbridge.wbcore.supervisor.sets import Sets
from wbridge.wbcore.supervisor.wire import type_number
from wbridge.wbcore.windows.tree_view import given_value
from wbridge.wbcore.world.edits import is_in
from wbridge.wbcore.world.node_ids import ROOT

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

_LOG = logging.getLogger(__name__)


class FieldBefore(NamedTuple):
    """A field before a change."""

    node: Node
    name: str
    item: int
    """Place in a list, or -1."""
    value: object
    is_given: bool
    """Whether the file or a program had set it."""


class Added(NamedTuple):
    """A node that was added."""

    node: Node


class Removed(NamedTuple):
    """A node that was removed, and where it was."""

    node: Node
    holder: Node
    """The root for nodes at the top level."""
    name: str
    """The field of the holder."""
    at: int
    """Place in the field."""
    text: str
    """The node as a file, with the declarations of its models."""
    is_initial: bool
    """Whether it was in the world at its start."""


Back: TypeAlias = FieldBefore | Added | Removed
"""What is needed to take a change back."""


class _User:
    """The user in the place of the robot whose controller is a supervisor."""

    controller = ""
    name = "user"
    dialect: Dialect = R2025A
    devices: Sequence[HasNode] = ()

    def __init__(self, node: Node) -> None:
        self.node = node
        self.removed_tags: set[int] = set()
        self.questions: dict[bytes, Callable[[], bytes | None]] = {}
        self.warnings: list[str] = []

    @property
    def codec(self) -> Codec:
        """The user sends no packets.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("the user of a page sends no packets")

    def send(self, message: str, *values: Any) -> None:
        """Ignore answers: pages read the state of the world."""

    def send_newest(self, message: str, *values: Any) -> None:
        """Ignore answers, as `send`."""

    def drop(self, message: str, matches: Callable[[tuple[object, ...]], bool]) -> None:
        """Do nothing: no answers wait."""

    def warn(self, text: str) -> None:
        """Collect a warning."""
        self.warnings.append(text)


class UserSupervisor:
    """Sets fields, pushes and holds solids of one simulation. All methods raise ValueError with a reason."""

    def __init__(self, simulation: Simulation, free: Collection[str] = ()) -> None:
        """
        Args:
            simulation: what the user changes.
            free: fields that start programs, which this user may set.
        """
        self._simulation, self._free = simulation, free
        simulation.nodes.count_all()  # before nodes are added, so that a repetition has the same numbers
        self._user = _User(simulation.nodes.root)
        self._dispatcher = Dispatcher(self._user, simulation)
        groups = self._dispatcher.groups
        sets, forces, lists = groups["sets"], groups["forces"], groups["lists"]
        assert isinstance(sets, Sets) and isinstance(forces, Forces), "the groups have these names"
        assert isinstance(lists, Lists), "the groups have these names"
        self._sets, self._forces, self._lists = sets, forces, lists
        self._declared: set[str] = set()
        """Models that the world's file must declare because the user has added them."""
        simulation.edits.observers.append(self._dispatcher)

    def close(self) -> None:
        """Follow the simulation no more."""
        self._simulation.edits.observers.remove(self._dispatcher)

    def node(self, number: int) -> Node:
        """Return the node with a number."""
        node = self._simulation.nodes.node(number)
        if node is None:
            raise ValueError("the node does not exist or was removed")
        return node

    def set(self, number: int, name: str, item: int, value: Any) -> FieldBefore:
        """Set a field, as setSFFloat and so on, or an element of a list (`item` is 0 or more)."""
        node = self.node(number)
        index = _field_index(node, name)
        spec = node.spec.fields[name]
        if spec.is_list != (item >= 0):
            raise ValueError(f"{name} is {'a list: name an element' if spec.is_list else 'not a list'}")
        wanted = given_value(spec, value, self._free)
        before = self._before(node, name, item)

        def change() -> None:
            self._sets.on_set_field(number, index, type_number(spec), item, wanted)
            self._sets.carry_out()

        self._checked(change)
        self._settle(node.field(name))
        return before

    def _before(self, node: Node, name: str, item: int) -> FieldBefore:
        sync.write_place(self._simulation.physics, node)
        value, field = node.get(name), node.fields.get(name)
        if item >= 0:
            value = value[item] if item < len(value) else None
        return FieldBefore(node, name, item, copied(value), field is not None and field.given)

    def set_back(self, before: FieldBefore) -> FieldBefore:
        """Set a field as it was, also whether a saved world names it."""
        back = self.set(self.number(before.node), before.name, before.item, before.value)
        before.node.field(before.name).given = before.is_given
        return back

    def add(self, number: int, name: str, index: int, text: str) -> Added:
        """Import a node, as importMFNodeFromString; number 0: at the top level of the world.

        Args:
            number: of the node with the field `name`.
            name: the field.
            index: place in the field.
            text: the node as a file, with the declarations of its models.
        """
        holder = self.node(number)
        place = _field_index(holder, name)
        self._tolerant(lambda: self._lists.import_nodes(number, place, index, text))
        value = holder.get(name)
        node = value[index] if isinstance(value, list) else value
        self._declare(text)
        self._settle(node)
        return Added(node)

    def remove(self, number: int) -> Removed:
        """Remove a node."""
        node = self.node(number)
        if number == ROOT:
            raise ValueError("the whole world cannot be removed")
        holder, name, index = self.spot(node)
        node = instance_of(node)
        is_initial = all(added is not node for added in self._simulation.edits.journal.added)
        removed = Removed(node, holder, name, index, self.file_of(node), is_initial)
        self._checked(lambda: self._lists.on_remove_node(number))
        self._forget_declarations()
        self._settle(None)
        return removed

    def restore(self, removed: Removed) -> Added:
        """Put a node back where it was removed."""
        node, edits, root = removed.node, self._simulation.edits, self._simulation.nodes.root
        if not self._has(removed.holder):
            raise ValueError(f"{removed.holder.type}, which held it, was removed")
        value = removed.holder.get(removed.name)
        if isinstance(value, list):
            holder = None if removed.holder is root else removed.holder
            index = min(removed.at, len(value))
            self._tolerant(lambda: edits.insert(holder, removed.name, index, node))
        elif value is None:
            self._tolerant(lambda: edits.put(removed.holder, removed.name, node))
        else:
            raise ValueError(f"{removed.holder.type}.{removed.name} holds another node")
        self._declare(removed.text)
        if removed.is_initial:
            edits.journal.settle(node)  # a reset keeps it, as if it had never gone
        self._settle(node)
        return Added(node)

    def spot(self, node: Node) -> tuple[Node, str, int]:
        """Return which node has a node in which field (the root has those at the top level), and its place in
        the list; 0 in a field with a single node."""
        where = place(node)
        holder = where.holder if where.holder is not None else self._simulation.nodes.root
        siblings = holder.get(where.name) if where.field is not None or where.holder is None else []
        return holder, where.name, _index_of(node, siblings)

    def number(self, node: Node) -> int:
        """Return the number of a node that is in the world."""
        if not self._has(node):
            raise ValueError(f"{node.type} was removed")
        return self._simulation.nodes.number(node)

    def _has(self, node: Node) -> bool:
        return node is self._simulation.nodes.root or is_in(node, self._simulation.world)

    def _settle(self, changed: Field | Node | None) -> None:
        """What changes before the first step belongs to the start, to which a reset returns."""
        if self._simulation.steps == 0:
            self._simulation.edits.take_over(changed)

    # Declarations of models.

    def file_of(self, node: Node, with_name: bool = True) -> str:
        """Return a node as a file, with the declarations of its models.

        Args:
            node: the node.
            with_name: whether its DEF name is written.
        """
        node = instance_of(node)
        self._simulation.sync()
        text = nodes_text([node], self._simulation.world.expander)
        if not with_name and node.def_name:
            text = text.removeprefix(f"DEF {node.def_name} ")
        return "\n".join([*self._head([node]), text])

    def group_file(self, nodes: Sequence[Node]) -> str:
        """Return a file with a Group whose children are copies of nodes, with their DEF names."""
        nodes = list(map(instance_of, nodes))
        self._simulation.sync()
        text = nodes_text(nodes, self._simulation.world.expander)
        group = f"Group {{\n  children [\n{indent(text, '    ')}\n  ]\n}}\n"
        return "\n".join([*self._head(nodes), group])

    def _head(self, nodes: list[Node]) -> list[str]:
        """Return the first lines of a file with nodes: its release, and the models that it uses."""
        header, used = self._simulation.world.header, models_of(nodes)
        externs = [f"EXTERNPROTO {string_text(e.url)}" for e in header.externs if e.name in used]
        return [f"#VRML_SIM {header.version} utf8", *externs]

    def _declare(self, text: str) -> None:
        """Declare the models of an added node in the world, so that its file loads."""
        header, path = self._simulation.world.header, self._simulation.world.path
        known = {extern.name for extern in header.externs}
        for extern in _declared(text, path, header):
            if extern.name not in known:
                header.externs.append(Extern(extern.name, extern.url))
                self._declared.add(extern.name)

    def _forget_declarations(self) -> None:
        """Drop the declarations of models that the user had added, and that nothing uses any more."""
        world = self._simulation.world
        unused = self._declared - models_of(world.nodes) if self._declared else frozenset()
        if unused:
            world.header.externs[:] = [e for e in world.header.externs if e.name not in unused]
            self._declared -= unused

    def push(self, number: int, force: Vec3, point: Vec3) -> None:
        """Apply a force (N, world axes) at a point in a solid's frame during the next step."""
        self._checked(lambda: self._wake(number))
        self._checked(lambda: self._forces.on_add_force_with_offset(number, force, point, False))

    def turn(self, number: int, torque: Vec3) -> None:
        """Apply a torque (N m, world axes) to a solid during the next step."""
        self._checked(lambda: self._wake(number))
        self._checked(lambda: self._forces.on_add_torque(number, torque, False))

    def hold(self, number: int) -> None:
        """Stop a solid, and keep it in its place during the next step, as resetPhysics."""
        self._checked(lambda: self._forces.on_reset_physics(number))

    def _wake(self, number: int) -> None:
        physics = self._simulation.physics
        body = physics.handles.bodies.get(physics.solid(self.node(number)).body)
        if body is not None and body.kind == "dynamic":
            body.awake = True

    def _checked(self, action: Callable[[], None]) -> None:
        for warning in self._warnings(action):
            raise ValueError(warning.removeprefix("set_field: "))

    def _tolerant(self, action: Callable[[], None]) -> None:
        """Carry out what can have warnings and succeed, such as an import."""
        for warning in self._warnings(action):
            _LOG.warning("%s", warning)

    def _warnings(self, action: Callable[[], None]) -> list[str]:
        self._user.warnings = []
        try:
            action()
        except WRONG as problem:
            raise ValueError(str(problem)) from problem
        return self._user.warnings

    # Phases of a step.

    def before_step(self) -> None:
        """Act before a physics step."""
        self._forces.before_step()

    def after_step(self) -> None:
        """Act after a physics step."""
        self._forces.after_step()

    def reset(self) -> None:
        """The simulation was reset."""
        self._forces.reset()
        self._sets.reset()


def _field_index(node: Node, name: str) -> int:
    names = field_names(node)
    if name not in names:
        raise ValueError(f'{node.type} has no field "{name}"{did_you_mean(name, names)}')
    return names.index(name)


def _index_of(node: Node, siblings: object) -> int:
    """Return the place of a node in a list; 0 for a field with a single node."""
    if not isinstance(siblings, list):
        return 0
    return next((i for i, sibling in enumerate(siblings) if sibling is instance_of(node)), 0)


def models_of(nodes: list[Node]) -> frozenset[str]:
    """Return the names of the models that a file with these nodes uses."""
    return frozenset(node.type for node in walk(nodes, into_protos=False) if node.proto is not None)


def _declared(text: str, path: str, header: Header) -> list[Extern]:
    return read_source(path, text, Report(), header.version)[1].externs
