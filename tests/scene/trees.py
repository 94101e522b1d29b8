"""Random valid trees for hypothesis: every node type, field and value that a release's schema knows."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from wbridge.wbcore.scene.node import Field, Node, use
from wbridge.wbcore.scene.parser import RESERVED
from wbridge.wbcore.scene.schema import FieldSpec, NodeSpec, Schema, schema
from wbridge.wbcore.scene.values import WIDTHS, VecArray
from wbridge.wbcore.scene.version import Version

RELEASES = [
    "V5",
    "V6.0",
    "V7.4.3",
    "V8.3.1",
    "V8.6",
    "R2018a",
    "R2019b",
    "R2021b",
    "R2022b",
    "R2023b",
    "R2025a",
]
MAX_DEPTH = 4
MAX_NODES = 40

# Reading turns "\r" into "\n", and a file holds no lone surrogates.
_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\r")
_NAME_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters='\r \t\n\f\v,[]{}#"')

floats = st.floats(allow_nan=False, allow_infinity=False)
integers = st.integers(-(2**31), 2**31 - 1)
strings = st.text(_CHARACTERS, max_size=12) | st.sampled_from(
    [
        "\\",
        '"',
        '\\"',
        "\\\\",
        "\\n",
        "C:\\path\\",
        "# no comment",
        "} ] {",
        "%{ 1 }%",
        "%<= 1 >%",
        "\n\n",
        "",
    ]
)
names = st.text(_NAME_CHARACTERS, min_size=1, max_size=6).filter(lambda name: name not in RESERVED)


def _vectors(width: int) -> st.SearchStrategy[tuple[float, ...]]:
    return st.tuples(*[floats] * width)


_SINGLE: dict[str, st.SearchStrategy[Any]] = {
    "Bool": st.booleans(), "Int32": integers, "Float": floats, "String": strings,
    **{kind: _vectors(width) for kind, width in WIDTHS.items()},
}  # fmt: skip

_MANY: dict[str, Callable[[list[Any]], Any]] = {
    "Bool": list, "String": list, "Int32": lambda items: array("i", items),
    "Float": lambda items: array("d", items),
    **{kind: (lambda items, width=width: VecArray(width, items)) for kind, width in WIDTHS.items()},
}  # fmt: skip


def values(field_type: str) -> st.SearchStrategy[Any]:
    """Values of a type without nodes."""
    kind = field_type[2:]
    if field_type[0] == "S":
        return _SINGLE[kind]
    return st.lists(_SINGLE[kind], max_size=4).map(_MANY[kind])


class _Maker:
    """Draws one file's nodes in the order in which they will be written."""

    def __init__(self, draw: st.DrawFn, known: Schema) -> None:
        self.draw = draw
        self.types = [
            spec for name in known.names() if (spec := known.node(name)) is not None and not spec.abstract
        ]
        self.defined: dict[str, Node] = {}
        self.open: list[Node] = []
        self.left = MAX_NODES

    def node(self, allowed: tuple[str, ...]) -> Node:
        """A node of one of the allowed types (any, if none are named), or a USE of such a node."""
        fitting = [spec for spec in self.types if not allowed or any(map(spec.is_a, allowed))]
        usable = [n for n in self.defined.values() if n not in self.open and n.spec in fitting]
        if usable and self.draw(st.booleans()):
            return use(self.draw(st.sampled_from(usable)))
        spec = self.draw(st.sampled_from(fitting or self.types))
        made = Node(spec, def_name=self.draw(st.none() | names))
        self.left -= 1
        if made.def_name:
            self.defined[made.def_name] = made
        self.open.append(made)
        for name in self._field_names(spec):
            self._give(made, spec.fields[name])
        self.open.pop()
        return made

    def _field_names(self, spec: NodeSpec) -> list[str]:
        known = sorted(spec.fields)
        return self.draw(st.lists(st.sampled_from(known), max_size=5, unique=True)) if known else []

    def _give(self, node: Node, spec: FieldSpec) -> None:
        if spec.is_node:
            node.fields[spec.name] = Field(spec, None)
            node.set(spec.name, self._nodes(spec))
        else:
            hidden = spec.hidden and self.draw(st.booleans())
            node.fields[spec.name] = Field(spec, self.draw(values(spec.type)), hidden=hidden)

    def _nodes(self, spec: FieldSpec) -> Any:
        if len(self.open) >= MAX_DEPTH or self.left <= 0:
            return [] if spec.is_list else None
        if spec.is_list:
            return [self.node(spec.allowed) for _ in range(self.draw(st.integers(0, 3)))]
        return self.node(spec.allowed) if self.draw(st.booleans()) else None


@st.composite
def files(draw: st.DrawFn) -> tuple[str, list[Node]]:
    """The version of a header, and nodes as that release has them."""
    release = draw(st.sampled_from(RELEASES))
    maker = _Maker(draw, schema(Version.parse(release)))
    return release, [maker.node(()) for _ in range(draw(st.integers(1, 3)))]
