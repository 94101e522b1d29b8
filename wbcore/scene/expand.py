"""Expands PROTO instances: parameters, procedural bodies, nested and derived PROTOs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wbridge.wbcore.scene import frames
from wbridge.wbcore.scene.binding import Binder
from wbridge.wbcore.scene.context import Context
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean
from wbridge.wbcore.scene.library import Library
from wbridge.wbcore.scene.node import Field, Node, adopt, copy_tree, fresh, walk
from wbridge.wbcore.scene.proto import ProtoDefinition, read_body
from wbridge.wbcore.scene.resets import restricted
from wbridge.wbcore.scene.schema import FieldSpec, schema
from wbridge.wbcore.scene.values import shown_value
from wbridge.wbcore.scene.version import Version

if TYPE_CHECKING:
    from wbridge.wbcore.scene.procedural import Renderer

MAX_NODES = 500_000
MAX_PROTO_DEPTH = 100


@dataclass(frozen=True, slots=True)
class _Chain:
    """The definitions whose bodies contain an instance, innermost first."""

    definition: ProtoDefinition
    outer: _Chain | None
    depth: int


class Expander:
    """Creates the body of every PROTO instance of a tree. Problems are reported at the instance."""

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

    def save(self) -> None:
        """Keep generated texts for the next run; called when the world is loaded."""
        if self._renderer is not None:
            self._renderer.save()

    def begin(self) -> None:
        """Restart the limits, before a running simulation changes its tree."""
        self._made, self._full = 0, False
        if self._renderer is not None:
            self._renderer.begin()

    def identifier(self, instance: Node) -> int:
        """Return the number that the instance's template received as `context.id`; 0: none."""
        return self._renderer.identifier(instance) if self._renderer is not None else 0

    def forget(self, nodes: Iterable[Node]) -> None:
        """Forget nodes that were removed from the tree."""
        for node in nodes:
            self._chains.pop(node, None)
            if self._renderer is not None:
                self._renderer.forget(node)

    def regenerate(self, instance: Node) -> None:
        """Rebuild the body of an instance from its current parameters, as after a change of one
        that its template statements use."""
        self.begin()
        instance.body = None
        for field in instance.fields.values():
            adopt(instance, field.value)
        self._open.append((instance, self._chains.get(instance)))
        while self._open:
            entered, chain = self._open.pop()
            if entered.body is None:
                self._expand(entered, chain)

    def again(self, instance: Node) -> Node | None:
        """Return a copy of the instance as a file with its current parameters would define it.

        Hidden fields are not applied, and the copy is not part of the world. None if expansion fails.
        """
        self.begin()
        made = copy_tree(instance)
        made.fields = {name: field for name, field in made.fields.items() if not field.hidden}
        if self._renderer is not None:
            self._renderer.lend(instance, made)
        self._queue(walk(made, into_protos=False), self._chains.get(instance))
        while self._open:
            entered, chain = self._open.pop()
            if entered.body is None:
                self._expand(entered, chain)
        self.forget([*walk(made), *walk(made, into_protos=False)])
        return made if made.body is not None else None

    def _queue(self, nodes: Any, chain: _Chain | None) -> None:
        found = [
            n
            for n in nodes
            if (n.proto is not None or n.is_placeholder) and n.use_of is None and n.body is None
        ]
        self._open.extend((node, chain) for node in reversed(found))

    def _expand(self, instance: Node, chain: _Chain | None) -> None:
        definition = instance.proto
        if definition is None:
            if self.allow_missing or instance.type in self.library.undrawn:
                _make_placeholder(instance)
            return
        if self._refused(instance, definition, chain):
            return
        inner = _Chain(definition, chain, chain.depth + 1 if chain else 1)
        self._chains[instance] = chain
        self._queue(self._complete(instance, definition), inner)
        outer_given = self._turned.pop(instance, None)
        turned = outer_given is None and frames.is_turned(instance, definition, self.library.bundled)
        upright = turned and frames.had_z_up(instance, definition)
        parameters = frames.own_parameters(instance, upright) if turned else instance.fields
        template = self._template(instance, definition, parameters)
        if template is None:
            return
        given = frames.given_nodes(instance) if turned and not upright else outer_given
        binder = Binder(parameters)
        instance.body = body = binder.bind(template)
        body.parent = instance
        if given is not None and body.proto is not None:
            self._turned[body] = given  # a derived PROTO: the base's body contains its nodes
        elif given is not None:
            frames.turn(body, given, definition, instance)
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
                text = f"the PROTOs of this world expand to more than {MAX_NODES} nodes; the rest is skipped"
                self.report.error("too-many-nodes", text, instance.source, instance.offset)
            self._full = True
            return True
        return False

    def _complete(self, instance: Node, definition: ProtoDefinition) -> list[Node]:
        """Add a field for every missing parameter; return the nodes in the defaults."""
        made: list[Node] = []
        for name, spec in definition.spec.fields.items():
            if name in instance.fields:
                continue
            value = fresh(spec.default)
            instance.fields[name] = Field(spec, value, definition.source, given=False)
            adopt(instance, value)
            if spec.type.endswith("Node"):
                made.extend(walk(_nodes_of(value), into_protos=False))
        self._made += len(made)
        _relink(instance, made)
        self._restrict(instance, definition)
        return made

    def _restrict(self, instance: Node, definition: ProtoDefinition) -> None:
        """Replace parameter values that the interface excludes; a field of an outer PROTO is not changed."""
        for name, spec in definition.spec.fields.items():
            field = instance.fields[name]
            used = restricted(spec, field.value)
            if used is field.value:
                continue
            text = (
                f"{definition.name}.{name} is {shown_value(field.value)}; allowed: {spec.range}; "
                f"{shown_value(used)} is used instead{_suggestion(spec, field.value)}"
            )
            self.report.warning("out-of-range", text, field.source, field.offset)
            if field.spec is spec:
                field.value = used
            else:
                instance.fields[name] = Field(spec, used, field.source, field.offset)

    def _template(
        self, instance: Node, definition: ProtoDefinition, parameters: dict[str, Field]
    ) -> Node | None:
        if definition.language is None:
            return definition.root(self.report, self.library.resolve)
        if self._renderer is None:
            from wbridge.wbcore.scene.procedural import (
                Renderer,  # start-up: 11 ms, only for procedural PROTOs
            )

            self._renderer = Renderer(self.report, self.context)
        source = self._renderer.render(instance, definition, parameters, self._release(instance, definition))
        if source is None:
            return None
        if isinstance(source, Node):
            return source
        root = read_body(definition, source, 0, self.report, self.library.resolve)
        self._renderer.keep(source, root)
        return root

    def _release(self, instance: Node, definition: ProtoDefinition) -> Version:
        """Return the release in the URL of a model or of one around it; by default the world's."""
        link: _Chain | None = _Chain(definition, self._chains.get(instance), 0)
        while link is not None:
            release = self.library.releases.get(link.definition.source.path)
            if release is not None:
                return release
            link = link.outer
        return self.context.release


def _relink(instance: Node, made: list[Node]) -> None:
    """Let a USE in one default value refer to this instance's copy of a node in another one."""
    if not any(node.use_of is not None for node in made):
        return
    defaults = [field.value for field in instance.fields.values() if not field.given]
    below = (node for value in defaults for node in walk(_nodes_of(value), into_protos=False))
    own = {node.def_name: node for node in below if node.use_of is None and node.def_name}
    for node in made:
        target = own.get(node.definition.def_name or "") if node.use_of is not None else None
        if target is not None:
            node.use_of, node.fields = target, target.fields


def _suggestion(spec: FieldSpec, value: object) -> str:
    texts = (
        [choice for choice in spec.range.choices if isinstance(choice, str)] if spec.range is not None else []
    )
    return did_you_mean(value, texts) if isinstance(value, str) else ""


def _nodes_of(value: object) -> list[Node]:
    if isinstance(value, Node):
        return [value]
    return value if type(value) is list else []


def _make_placeholder(instance: Node) -> None:
    """Replace a missing model with a Solid that has its pose, name and children."""
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
