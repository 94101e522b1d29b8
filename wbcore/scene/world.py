"""A loaded world: its nodes, their sources, and the findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from wbridge.wbcore.scene.builtin import builtin_directory
from wbridge.wbcore.scene.cache import ModelCache
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.expand import Expander
from wbridge.wbcore.scene.header import Header
from wbridge.wbcore.scene.library import Library
from wbridge.wbcore.scene.node import Field, Node, walk
from wbridge.wbcore.scene.plugin_files import PluginFiles
from wbridge.wbcore.scene.projects import proto_project, world_project
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.version import Version


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How to load a world.

    `fetch` downloads missing models; `allow_missing` replaces missing models with placeholders (pose, name
    and children), and missing collision meshes with nothing; `fields` are values that replace those of
    fields, by place (see `wbridge.wbcore.scene.overrides`).
    """

    allow_missing: bool = False
    fetch: bool = False
    cache: Path | None = None
    expand: bool = True
    fields: Mapping[str, str] = field(default_factory=dict)


class World:
    """A loaded file: its nodes, their sources, and the findings."""

    def __init__(self, source: SourceFile, header: Header, report: Report, options: LoadOptions) -> None:
        self.source = source
        self.header = header
        self.report = report
        self.allow_missing = options.allow_missing
        self.is_checked = False
        """Whether the report also has the findings of `wbridge.wbcore.scene.checks`."""
        self.nodes: list[Node] = []
        self.project = _project(source.path)
        self.builtin = _builtin()
        bundled = self.builtin / "protos" if self.builtin else None
        cache = ModelCache(options.cache, options.fetch)
        beside = Path(source.path).parent
        self.library = Library(report, self.project / "protos", beside, bundled, cache)
        self.library.declare(source, header.externs)
        self.expander: Expander | None = None
        self.plugin: PluginFiles | None = None
        """The physics plugin; None: none, or it is missing."""
        self.may_lack_plugin = False
        """Whether the world may be simulated without its plugin."""
        self._reached: dict[Node, dict[Field, list[Node]]] = {}
        """For each instance and parameter: the templates in its body that use the parameter."""

    @property
    def path(self) -> str:
        """The file's path as given."""
        return self.source.path

    @property
    def version(self) -> Version:
        """The release in the file's header."""
        return self.source.version

    @property
    def plugin_name(self) -> str:
        """Name of the physics plugin; "" without one."""
        return self.plugin.name if self.plugin is not None else ""

    def walk(self) -> Iterator[Node]:
        """Yield every node in scene-tree order, including the bodies of PROTO instances."""
        return walk(self.nodes)

    def first(self, type_name: str) -> Node | None:
        """Return the first top-level node that is, or derives from, a built-in type."""
        return next((node.root for node in self.nodes if node.is_a(type_name)), None)

    def find(self, def_name: str) -> Node | None:
        """Return the node with a DEF name; "A.B" is B inside A. PROTO bodies are not searched (5.6)."""
        nodes: list[Node] = self.nodes
        found: Node | None = None
        for part in def_name.split("."):
            found = next(
                (n for n in walk(nodes, into_protos=False) if n.def_name == part and n.use_of is None), None
            )
            if found is None:
                return None
            nodes = list(found.child_nodes())
        return found

    @property
    def coordinate_system(self) -> str:
        """WorldInfo.coordinateSystem, or its default in the file's version."""
        info = next((node for node in self.nodes if node.type == "WorldInfo"), None)
        value = info.get("coordinateSystem") if info is not None else ""
        return str(value or self.source.dialect.coordinate_system)

    def set(self, node: Node, name: str, value: object) -> None:
        """Set a field; PROTO instances whose template uses it are regenerated.

        Raises:
            KeyError: the node does not have the field.
        """
        field = node.field(name)
        node.set(name, value)
        field.given = True
        for instance in self.stale(node, field):
            self.regenerate(instance)

    def stale(self, node: Node, field: Field) -> list[Node]:
        """Return the PROTO instances, innermost first, whose template statements use a changed field."""
        if self.expander is None:
            return []
        reached = self._reached.get(node)
        if reached is None and node.body is not None:
            reached = self._reached[node] = _templates_below(node.body)
        below = reached.get(field, []) if reached else []
        return [*below, *_users(node, field)]

    def regenerate(self, instance: Node) -> bool:
        """Regenerate the body of a PROTO instance; return False if that failed and it has none."""
        self._reached.clear()
        if self.expander is not None:
            self.expander.regenerate(instance)
        return instance.body is not None


def _project(path: str) -> Path:
    return proto_project(path) if path.endswith(".proto") else world_project(path)


def _has_template(node: Node) -> bool:
    """True if a node is, or is inside, an instance of a procedural PROTO."""
    above: Node | None = node
    while above is not None:
        if above.proto is not None and above.body is not None and above.proto.language is not None:
            return True
        above = above.parent
    return False


def _templates_below(body: Node) -> dict[Field, list[Node]]:
    """Return procedural instances in a body, innermost first, by the fields that their statements use; a
    parameter passed on by IS is the same field there."""
    found: dict[Field, list[Node]] = {}
    for node in walk(body):
        if node.proto is None or node.body is None or node.use_of is not None or node.proto.language is None:
            continue
        for name in node.proto.template_parameters:
            if name in node.fields:
                found.setdefault(node.fields[name], []).insert(0, node)
    return found


def _users(node: Node, field: Field) -> list[Node]:
    """Return the instances, innermost first, whose template statements use a field.

    The field may be a parameter itself or belong to a node in a parameter's value.
    """
    if not _has_template(node):
        return []
    inner: Node | None = node
    changed = {field}
    found = []
    while inner is not None:
        if inner.proto is not None and inner.body is not None:
            names = {name for name, inner_field in inner.fields.items() if inner_field in changed}
            if names & inner.proto.template_parameters:
                found.append(inner)
        above = inner.parent
        if above is not None:
            changed |= _holding(above, inner)
        inner = above
    return found


def _holding(above: Node, node: Node) -> set[Field]:
    """Return the fields of `above` that contain a node (a body shares its parameters' fields)."""
    return {
        field
        for field in above.fields.values()
        if field.value is node
        or (type(field.value) is list and any(element is node for element in field.value))
    }


def _builtin() -> Path | None:
    try:
        return builtin_directory()
    except FileNotFoundError:
        return None
