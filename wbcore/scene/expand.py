"""Expanding PROTO instances: parameters, procedural bodies, nested and derived PROTOs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from . import frames
from .binding import Binder
from .diagnostics import Report
from .node import Field, Node, adopt, copy_tree, walk
from .proto import ProtoDefinition, read_body
from .schema import schema
from .values import copied

if TYPE_CHECKING:
    from .context import Context
    from .library import Library
    from .procedural import Renderer

MAX_NODES = 500_000
MAX_PROTO_DEPTH = 100


@dataclass(frozen=True, slots=True)
class _Chain:
    """The definitions in whose bodies an instance stands, innermost first."""

    definition: ProtoDefinition
    outer: _Chain | None
    depth: int


class Expander:
    """Gives every PROTO instance of a tree its body. Problems go to the report, at the instance."""

    def __init__(
        self, library: Library, report: Report, context: Context, allow_missing: bool = False
    ) -> None:
        self.library = library
        self.report = report
        self.context = context
        self.allow_missing = allow_missing
        self._renderer: Renderer | None = None
        self._made = 0
        self._full = False
        self._open: list[tuple[Node, _Chain | None]] = []
        self._chains: dict[Node, _Chain | None] = {}
        self._turned: dict[Node, frames.Given] = {}

    def expand(self, nodes: Node | list[Node]) -> None:
        """Expand all instances in these trees that have no body yet."""
        self._queue(walk(nodes, into_protos=False), None)
        while self._open:
            instance, chain = self._open.pop()
            if instance.body is None:
                self._expand(instance, chain)

    def begin(self) -> None:
        """A running simulation changes its tree: limits count anew."""
        self._made, self._full = 0, False
        if self._renderer is not None:
            self._renderer.begin()

    def forget(self, nodes: Iterable[Node]) -> None:
        """Nodes have left the tree."""
        for node in nodes:
            self._chains.pop(node, None)
            if self._renderer is not None:
                self._renderer.forget(node)

    def regenerate(self, instance: Node) -> None:
        """Build the body of an instance anew from its present parameters, as after a change of one
        that its template statements use."""
        self.begin()
        instance.body = None
        for field in instance.fields.values():
            adopt(instance, field.value)
        self._open.append((instance, self._chains.get(instance)))
        while self._open:
            one, chain = self._open.pop()
            if one.body is None:
                self._expand(one, chain)

    def _queue(self, nodes: Any, chain: _Chain | None) -> None:
        found = [
            n for n in nodes if (n.proto is not None or n.stand_in) and n.use_of is None and n.body is None
        ]
        self._open.extend((node, chain) for node in reversed(found))

    def _expand(self, instance: Node, chain: _Chain | None) -> None:
        definition = instance.proto
        if definition is None:
            if self.allow_missing:
                _stand_in(instance)
            return
        if self._refused(instance, definition, chain):
            return
        inner = _Chain(definition, chain, chain.depth + 1 if chain else 1)
        self._chains[instance] = chain
        self._queue(self._complete(instance, definition), inner)
        outer_given = self._turned.pop(instance, None)
        turned = outer_given is None and frames.is_turned(instance, definition, self.library.bundled)
        parameters = frames.own_parameters(instance) if turned else instance.fields
        template = self._template(instance, definition, parameters)
        if template is None:
            return
        given = frames.given_nodes(instance) if turned else outer_given
        binder = Binder(parameters)
        instance.body = body = binder.bind(template)
        body.parent = instance
        if given is not None and body.proto is not None:
            self._turned[body] = given  # a derived PROTO: its contents come with the base's body
        elif given is not None:
            frames.turn(body, given, definition.name)
        self._made += binder.count
        self._queue(binder.instances, inner)
        self._queue(binder.extra, chain)

    def _refused(self, instance: Node, definition: ProtoDefinition, chain: _Chain | None) -> bool:
        link = chain
        while link is not None:
            if link.definition is definition:
                text = f"PROTO {definition.name} contains itself; recursive PROTOs are not allowed"
                self.report.error("recursive-proto", text, instance.source, instance.offset)
                return True
            link = link.outer
        if chain is not None and chain.depth >= MAX_PROTO_DEPTH:
            text = f"PROTOs are nested more than {MAX_PROTO_DEPTH} deep at {definition.name}"
            self.report.error("too-deep", text, instance.source, instance.offset)
            return True
        if self._made > MAX_NODES:
            if not self._full:
                text = f"the PROTOs of this world expand to more than {MAX_NODES} nodes; the rest is left out"
                self.report.error("too-many-nodes", text, instance.source, instance.offset)
            self._full = True
            return True
        return False

    def _complete(self, instance: Node, definition: ProtoDefinition) -> list[Node]:
        """Give the instance a field for every parameter; the nodes in the defaults are returned."""
        made: list[Node] = []
        for name, spec in definition.spec.fields.items():
            if name in instance.fields:
                continue
            value = _own(spec.default)
            instance.fields[name] = Field(spec, value, definition.source, given=False)
            adopt(instance, value)
            if spec.type.endswith("Node"):
                made.extend(walk(_nodes_of(value), into_protos=False))
        self._made += len(made)
        return made

    def _template(
        self, instance: Node, definition: ProtoDefinition, parameters: dict[str, Field]
    ) -> Node | None:
        if definition.language is None:
            return definition.root(self.report, self.library.resolve)
        if self._renderer is None:
            from .procedural import Renderer  # starts the template worker: only for procedural PROTOs

            self._renderer = Renderer(self.report, self.context)
        source = self._renderer.render(instance, definition, parameters)
        if source is None:
            return None
        if isinstance(source, Node):
            return source
        root = read_body(definition, source, 0, self.report, self.library.resolve)
        self._renderer.keep(source, root)
        return root


def _own(value: Any) -> Any:
    if isinstance(value, Node):
        return copy_tree(value)
    if type(value) is list and value and isinstance(value[0], Node):
        return [copy_tree(one) for one in value]
    return copied(value)


def _nodes_of(value: Any) -> list[Node]:
    if isinstance(value, Node):
        return [value]
    return value if type(value) is list else []


def _stand_in(instance: Node) -> None:
    """A Solid in the place of a missing model, with what is known of it: pose, name and children."""
    spec = schema(instance.source.version if instance.source else None).node("Solid")
    if spec is None:
        return
    body = Node(spec, instance.source, instance.offset)
    for name in ("translation", "rotation", "name", "children"):
        field = instance.fields.get(name)
        if field is not None:
            body.fields[name] = field
            adopt(body, field.value)
    body.parent = instance
    instance.body = body
