"""The typed node tree: nodes and fields, read from a file or created by a program.

A PROTO instance is one node whose fields are the parameters. Its expanded body is in `body`; `root` follows
any number of derived PROTOs to the underlying built-in node. A body field that IS a parameter holds the same
Field object, so a change on either side affects both. A USE is a separate node that shares the fields of the
node it names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Protocol

from wbridge.wbcore.scene.dialect import FORMER_NAMES
from wbridge.wbcore.scene.schema import FieldSpec
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.values import copied

if TYPE_CHECKING:
    from wbridge.wbcore.scene.proto import ProtoDefinition


class NodeType(Protocol):
    """The type of a node: a built-in node or a PROTO's interface."""

    @property
    def name(self) -> str:
        """The name in files."""
        ...

    @property
    def fields(self) -> dict[str, FieldSpec]:
        """All fields that a node of this type can have."""
        ...

    def is_a(self, name: str) -> bool:
        """True if this type is, or derives from, the named one."""
        ...


class Field:
    """A field with a value: given in a file, set by a program, or bound by IS.

    `is_name` is the parameter's name as long as the field is in an unbound PROTO body; `given` is False for
    parameters with only a default; `hidden` marks state that Webots saves with the keyword `hidden`.
    """

    __slots__ = ("spec", "value", "source", "offset", "is_name", "given", "hidden")

    def __init__(
        self,
        spec: FieldSpec,
        value: Any,
        source: SourceFile | None = None,
        offset: int = -1,
        is_name: str | None = None,
        given: bool = True,
        hidden: bool = False,
    ) -> None:
        self.spec = spec
        self.value = value
        self.source = source
        self.offset = offset
        self.is_name = is_name
        self.given = given
        self.hidden = hidden

    @property
    def is_written(self) -> bool:
        """True if a saved file must contain this field."""
        return self.given or not values_equal(self.value, self.spec.default)

    def __repr__(self) -> str:
        return f"Field({self.spec.name}={self.value!r})"


class Node:
    """A node of the tree. The module docstring describes PROTO instances and USE."""

    __slots__ = (
        "type", "spec", "def_name", "fields", "parent", "source", "offset",
        "proto", "body", "use_of", "is_placeholder",
    )  # fmt: skip

    def __init__(
        self,
        spec: NodeType,
        source: SourceFile | None = None,
        offset: int = -1,
        def_name: str | None = None,
        proto: ProtoDefinition | None = None,
    ) -> None:
        self.type = spec.name
        self.spec = spec
        self.def_name = def_name
        self.fields: dict[str, Field] = {}
        self.parent: Node | None = None
        self.source = source
        self.offset = offset
        self.proto = proto
        self.body: Node | None = None
        self.use_of: Node | None = None
        self.is_placeholder = False

    @property
    def root(self) -> Node:
        """The built-in node behind a PROTO instance; other nodes return themselves."""
        node = self.definition
        while node.body is not None:
            node = node.body
        return node

    @property
    def definition(self) -> Node:
        """The node that a USE names; other nodes return themselves."""
        return self.use_of if self.use_of is not None else self

    def get(self, name: str) -> Any:
        """Return the value of a field (also by its name in earlier releases), or its default.

        Raises:
            KeyError: the node type does not have the field.
        """
        field = self.fields.get(name)
        if field is not None:
            return field.value
        for former in FORMER_NAMES.get(name, ()):
            field = self.fields.get(former)
            if field is not None:
                return field.value
        return self.spec.fields[name].make_default()

    def field(self, name: str) -> Field:
        """Return the field itself, created with its default value if it was not given.

        Raises:
            KeyError: the node type does not have the field.
        """
        field = self.fields.get(name)
        if field is None:
            spec = self.spec.fields[name]
            field = self.fields[name] = Field(spec, spec.make_default(), given=False)
        return field

    def set(self, name: str, value: object) -> None:
        """Set a field to a value of the right type (see `values`), and become the parent of nodes in it.

        Raises:
            KeyError: the node type does not have the field.
        """
        self.field(name).value = value
        adopt(self, value)

    def is_a(self, name: str) -> bool:
        """True if the built-in node behind this one is, or derives from, the named type."""
        return self.root.spec.is_a(name)

    def child_nodes(self) -> list[Node]:
        """Return the nodes in this node's own fields, in field order."""
        found: list[Node] = []
        for field in self.fields.values():
            value = field.value
            if type(value) is list:
                if value and isinstance(value[0], Node):
                    found += value
            elif isinstance(value, Node):
                found.append(value)
        return found

    def __repr__(self) -> str:
        name = f"DEF {self.def_name} " if self.def_name else ""
        return f"<{'USE ' if self.use_of else ''}{name}{self.type}>"


def use(target: Node, source: SourceFile | None = None, offset: int = -1) -> Node:
    """Return a USE of a node, which shares its fields but has its own place in the tree."""
    made = Node(target.spec, source, offset, target.def_name, target.proto)
    made.fields = target.fields
    made.use_of = target.definition
    return made


def adopt(parent: Node, value: object) -> None:
    """Set `parent` as the parent of the nodes in a field's value."""
    if isinstance(value, Node):
        value.parent = parent
    elif type(value) is list:
        for element in value:
            if isinstance(element, Node):
                element.parent = parent


def walk(nodes: Node | list[Node], into_protos: bool = True) -> Iterator[Node]:
    """Yield the given nodes and every node below them, depth first, in file order.

    With `into_protos`, a PROTO instance is followed by its body, which contains its parameters' nodes;
    without, by the nodes in its parameters. A USE is yielded but not entered.
    """
    stack = [nodes] if isinstance(nodes, Node) else nodes[::-1]
    while stack:
        node = stack.pop()
        yield node
        if node.use_of is not None:
            continue
        if into_protos and node.body is not None:
            stack.append(node.body)
        else:
            stack += node.child_nodes()[::-1]


def walk_used(node: Node) -> Iterator[Node]:
    """Yield the built-in node behind a node and those below it, depth first, also those that a USE names."""
    stack = [node]
    while stack:
        root = stack.pop().root
        yield root
        stack += root.child_nodes()[::-1]


def fresh(value: object) -> Any:
    """Return a copy of a field's value, including its nodes, that may be changed."""
    if isinstance(value, Node):
        return copy_tree(value)
    if type(value) is list and value and isinstance(value[0], Node):
        return [copy_tree(element) for element in value]
    return copied(value)


def copy_tree(node: Node) -> Node:
    """Return an independent copy of a tree; a USE in it refers to the copied definition."""
    return _Copier().copy(node)


class _Copier:
    def __init__(self) -> None:
        self._copies: dict[Node, Node] = {}
        self._uses: list[Node] = []
        self._open: list[tuple[Node, Node]] = []

    def copy(self, node: Node) -> Node:
        top = self._node(node)
        while self._open:
            old, new = self._open.pop()
            for name, field in old.fields.items():
                new.fields[name] = Field(
                    field.spec, self._value(field.value, new), field.source, field.offset,
                    field.is_name, field.given, field.hidden,
                )  # fmt: skip
        # only now is every definition copied, also those that stand deep in an earlier sibling
        for user in self._uses:
            target = self._copies.get(user.definition)
            if target is not None:
                user.use_of, user.fields = target, target.fields
        return top

    def _node(self, node: Node) -> Node:
        if node.use_of is not None:
            made = use(node.use_of, node.source, node.offset)
            self._uses.append(made)
            return made
        made = Node(node.spec, node.source, node.offset, node.def_name, node.proto)
        made.type = node.type
        made.is_placeholder = node.is_placeholder
        self._copies[node] = made
        self._open.append((node, made))
        return made

    def _value(self, value: object, parent: Node) -> Any:
        if isinstance(value, Node):
            made = self._node(value)
            made.parent = parent
            return made
        if type(value) is list and value and isinstance(value[0], Node):
            return [self._value(element, parent) for element in value]
        return copied(value)


def values_equal(a: object, b: object) -> bool:
    """True if two values of a field are equal; nodes compare as trees."""
    if isinstance(a, Node) or isinstance(b, Node):
        return isinstance(a, Node) and isinstance(b, Node) and equal_trees(a, b)
    if type(a) is list and type(b) is list and a and isinstance(a[0], Node):
        return len(a) == len(b) and all(
            isinstance(y, Node) and equal_trees(x, y) for x, y in zip(a, b, strict=True)
        )
    return type(a) is type(b) and bool(a == b)


def equal_trees(a: Node | list[Node], b: Node | list[Node]) -> bool:
    """True if two trees would be saved as the same text: types, DEF, USE, order and values."""
    return first_difference(a, b) is None


def first_difference(a: Node | list[Node], b: Node | list[Node]) -> str | None:
    """Return a description of the first difference between two trees; None if they are equal."""
    stack: list[tuple[str, object, object]] = [("", a, b)]
    while stack:
        path, x, y = stack.pop()
        found = _difference(path, x, y, stack)
        if found is not None:
            return found
    return None


def _difference(path: str, x: object, y: object, stack: list[tuple[str, object, object]]) -> str | None:
    if isinstance(x, Node) and isinstance(y, Node):
        return _node_difference(path, x, y, stack)
    if type(x) is list and type(y) is list:
        if len(x) != len(y):
            return f"{path}: {len(x)} values and {len(y)}"
        stack.extend((f"{path}[{i}]", x[i], y[i]) for i in reversed(range(len(x))))
        return None
    if type(x) is not type(y) or x != y:
        return f"{path}: {x!r} and {y!r}"
    return None


def _node_difference(path: str, x: Node, y: Node, stack: list[tuple[str, object, object]]) -> str | None:
    if (x.type, x.def_name, x.use_of is None) != (y.type, y.def_name, y.use_of is None):
        return f"{path}: {x!r} and {y!r}"
    if x.use_of is not None:
        return None
    here = f"{path}/{x.def_name or x.type}"
    mine, theirs = _written_fields(x), _written_fields(y)
    if [(n, f.hidden, f.is_name) for n, f in mine] != [(n, f.hidden, f.is_name) for n, f in theirs]:
        return f"{here}: fields {[n for n, _ in mine]} and {[n for n, _ in theirs]}"
    pairs = zip(mine, theirs, strict=True)
    stack.extend(reversed([(f"{here}.{name}", f.value, g.value) for (name, f), (_, g) in pairs]))
    return None


def _written_fields(node: Node) -> list[tuple[str, Field]]:
    """Return the fields that a file contains, hidden ones first, as in saved files."""
    written = [(name, field) for name, field in node.fields.items() if field.is_written]
    return sorted(written, key=lambda entry: not entry[1].hidden)
