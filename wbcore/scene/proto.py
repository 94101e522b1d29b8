"""PROTO definitions: the interface of a `.proto` file and its body, not yet instantiated."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wbridge.wbcore.scene import lexer
from wbridge.wbcore.scene.diagnostics import Report, did_you_mean, shown
from wbridge.wbcore.scene.header import Extern, Header, read_source
from wbridge.wbcore.scene.node import Node, walk
from wbridge.wbcore.scene.parser import RESERVED, Parser, Resolve
from wbridge.wbcore.scene.ranges import Range
from wbridge.wbcore.scene.readers import READERS, read_bool, read_float, read_string, wanted
from wbridge.wbcore.scene.schema import FieldSpec, schema
from wbridge.wbcore.scene.source import SourceFile
from wbridge.wbcore.scene.untyped import declared, guessed
from wbridge.wbcore.scene.version import Version

Declare = Callable[[SourceFile, list[Extern]], None]

_KEYWORDS = ("field", "vrmlField", "unconnectedField", "hiddenField", "deprecatedField", "w3dField")
_TYPES = tuple(
    f"{a}F{b}" for a in "SM" for b in "Bool Int32 Float String Vec2f Vec3f Rotation Color Node".split()
)
_OPENING = re.compile(rf"{lexer.BLANK}PROTO{lexer.GAP}({lexer.NAME}){lexer.BLANK}\[")
_FIELD = re.compile(rf"{lexer.BLANK}(?:(\])|({lexer.NAME}){lexer.GAP}({lexer.NAME}){lexer.BLANK}(\{{)?)")
_FIELD_NAME = re.compile(rf"{lexer.BLANK}({lexer.NAME})")
_BRACE = re.compile(rf"{lexer.BLANK}\{{")


@dataclass(frozen=True, slots=True)
class ProtoSpec:
    """An interface as a node type: the `Node.spec` of a PROTO instance."""

    name: str
    fields: dict[str, FieldSpec]
    unconnected: frozenset[str] = frozenset()

    def is_a(self, name: str) -> bool:
        """True for the PROTO's own name; only instances know what it derives from."""
        return name == self.name


class ProtoDefinition:
    """One `.proto` file: the interface is parsed, the body is text until the first instance."""

    def __init__(self, source: SourceFile, header: Header, spec: ProtoSpec, body: tuple[int, int]) -> None:
        self.source = source
        self.header = header
        self.spec = spec
        self.body_start, self.body_end = body
        self.places: dict[str, int] = {}
        """The place of each parameter's declaration."""
        self.bound: frozenset[str] | None = None
        """The parameters that the body names after IS; None until it is read, and for templates."""
        self.defaults: dict[str, object] = {}
        self._language: str | None = None
        self._root: Node | None = None
        self._read = False

    @cached_property
    def default_names(self) -> dict[str, str]:
        """The DEF names in the parameters' default values, with the parameter of each."""
        found: dict[str, str] = {}
        for name, spec in self.spec.fields.items():
            value = spec.default if spec.is_node else None
            nodes = [value] if value is not None and not isinstance(value, list) else value or []
            defined = (node for node in walk(nodes, into_protos=False) if node.use_of is None)
            found.update((node.def_name, name) for node in defined if node.def_name)
        return found

    @property
    def name(self) -> str:
        """The name for instances in files."""
        return self.spec.name

    @property
    def body_text(self) -> str:
        """The text between the braces of the body."""
        return self.source.text[self.body_start : self.body_end]

    @property
    def language(self) -> str | None:
        """ "lua" or "javascript" for a procedural PROTO, else None."""
        if self._language is None:
            self._language = _language(self.body_text, self.header)
        return self._language or None

    @cached_property
    def template_parameters(self) -> frozenset[str]:
        """The parameters that template statements use; changing one regenerates the body.

        All parameters, if the header's tags say that the template accesses its fields indirectly.
        """
        if self.language is None:
            return frozenset()
        if "indirectFieldAccess" in self.header.tag("tags"):
            return frozenset(self.spec.fields)
        from wbridge.wbcore.scene import templates  # start-up: 6 ms, only for procedural PROTOs

        try:
            return frozenset(templates.used_fields(self.body_text, self.spec.fields))
        except templates.TemplateError:  # rendering reports it, with its place
            return frozenset()

    def root(self, report: Report, resolve: Resolve) -> Node | None:
        """Return the root node of a body without template statements, with unbound IS references."""
        if not self._read:
            self._read = True
            self._root = read_body(self, self.source, self.body_start, report, resolve)
        return self._root


def _language(body: str, header: Header) -> str:
    if "%{" not in body and "%<" not in body:
        return ""
    from wbridge.wbcore.scene import templates  # start-up: 6 ms, only for procedural PROTOs

    return templates.is_procedural(body) or ""


def read_body(
    definition: ProtoDefinition, source: SourceFile, position: int, report: Report, resolve: Resolve
) -> Node | None:
    """Parse the body, which must contain exactly one node."""
    parser = Parser(source, report, schema(source.version), resolve, definition.spec.fields)
    nodes, end = parser.nodes(position, end="}" if source is definition.source else None)
    if source is definition.source:
        definition.body_end = min(end, len(source.text))
        _check_end(source, end, report)
        definition.bound = frozenset(parser.bound)
    if len(nodes) == 1:
        return nodes[0]
    found = "no node" if not nodes else f"{len(nodes)} nodes"
    at = nodes[1].offset if nodes else position
    report.error(
        "proto-root",
        f"the body of PROTO {definition.name} must have one root node, found {found}",
        source,
        at,
    )
    return nodes[0] if nodes else None


def _check_end(source: SourceFile, end: int, report: Report) -> None:
    if end >= len(source.text):
        report.error("unclosed-proto", "the file ends inside the PROTO's body; '}' is missing", source, end)
        return
    rest = lexer.word.match(source.text, end + 1)
    if rest is not None:
        text = f"found {shown(rest.group(1))} after the PROTO; a .proto file defines only one PROTO"
        report.error("after-proto", text, source, rest.start(1))


def read_proto(
    place: tuple[str, str], text: str, report: Report, resolve: Resolve, declare: Declare, fallback: Version
) -> ProtoDefinition | None:
    """Read a `.proto` file; return None, with errors reported, if it is unusable.

    `place` is the file's path and the name it must define; `fallback` is the version of a file without a
    header.
    """
    path, name = place
    source, header = read_source(path, text, report, fallback)
    declare(source, header.externs)
    opening = _OPENING.match(source.text, header.end)
    if opening is None:
        report.error("no-proto", f"expected 'PROTO {name} [ ... ] {{ ... }}' here", source, header.end)
        return None
    _check_name(opening.group(1), name, source, opening.start(1), report)
    interface = _Interface(source, report, resolve)
    position = interface.read(opening.end())
    brace = _BRACE.match(source.text, position)
    if brace is None:
        report.error("no-body", f"the body '{{ ... }}' of PROTO {name} is missing", source, position)
        return None
    end = max(_last_brace(source.text), brace.end())
    spec = ProtoSpec(name, interface.fields, frozenset(interface.unconnected))
    made = ProtoDefinition(source, header, spec, (brace.end(), end))
    made.places = interface.places
    return made


def _last_brace(text: str) -> int:
    """Return the last closing brace outside comments, which ends a body with template code."""
    end = len(text)
    while end > 0:
        start = text.rfind("\n", 0, end - 1) + 1
        at = text[start:end].split("#", 1)[0].rfind("}")
        if at >= 0:
            return start + at
        end = start
    return -1


def _check_name(found: str, wanted_name: str, source: SourceFile, at: int, report: Report) -> None:
    if found != wanted_name:
        text = f"PROTO {found} stands in a file for '{wanted_name}': file and PROTO must have the same name"
        report.error("proto-name", text, source, at)
    if found in RESERVED:
        report.error("reserved-name", f"PROTO {found}: this word is reserved", source, at)


class _Interface:
    """Reads the field declarations between the brackets."""

    def __init__(self, source: SourceFile, report: Report, resolve: Resolve) -> None:
        self.source = source
        self.report = report
        self.parser = Parser(source, report, schema(source.version), resolve)
        self.fields: dict[str, FieldSpec] = {}
        self.unconnected: set[str] = set()
        self.places: dict[str, int] = {}

    def read(self, position: int) -> int:
        text = self.source.text
        while True:
            match = _FIELD.match(text, position)
            if match is None:
                word = lexer.atom.match(text, position)
                if word is None:
                    self._error("unclosed-interface", "the interface is not closed by ']'", position)
                    return len(text)
                self._error(
                    "unexpected", f"found {shown(word.group(1))} where a field is expected", word.start(1)
                )
                position = word.end()
                continue
            if match.group(1):
                return match.end()
            position = self._field(match)

    def _field(self, match: re.Match[str]) -> int:
        keyword, kind = match.group(2), match.group(3)
        if keyword not in _KEYWORDS:
            hint = did_you_mean(keyword, _KEYWORDS)
            text = f"'{keyword}' cannot start a field; allowed: {', '.join(_KEYWORDS)}{hint}"
            self._error("bad-field", text, match.start(2))
            if kind not in _TYPES:
                return match.end(2)
        if kind not in _TYPES:
            self._error("bad-type", f"'{kind}' is no field type{did_you_mean(kind, _TYPES)}", match.start(3))
            return match.end(3)
        position, choices = match.end(), None
        allowed: tuple[str, ...] = ()
        if match.group(4):
            position, allowed, choices = self._restriction(kind, match.end())
        name = _FIELD_NAME.match(self.source.text, position)
        if name is None:
            self._error("bad-field", f"'{keyword} {kind}' must be followed by a name", position)
            return position
        return self._declare(keyword, kind, name, allowed, choices)

    def _declare(
        self, keyword: str, kind: str, match: re.Match[str], allowed: tuple[str, ...], choices: Range | None
    ) -> int:
        name = match.group(1)
        if name in self.fields:
            self._error("repeated-field", f"field '{name}' is declared twice", match.start(1))
        spec = declared(name, kind, allowed=allowed, choices=choices)
        value, position = self.parser.value(spec, match.end())
        if value is None:  # NULL, or unreadable, which the parser has reported
            value = guessed(name, kind).default
        self.fields[name] = declared(
            name, kind, value, allowed=allowed, choices=choices,
            hidden=keyword == "hiddenField", deprecated=keyword == "deprecatedField",
        )  # fmt: skip
        self.places[name] = match.start(1)
        if keyword == "unconnectedField":
            self.unconnected.add(name)
        return position

    def _restriction(self, kind: str, position: int) -> tuple[int, tuple[str, ...], Range | None]:
        """Read the values or node types in braces after a type, the only ones that the field accepts."""
        text = self.source.text
        end = lexer.skip_balanced(text, position - 1)
        if kind.endswith("Node"):
            words = [match.group(1) for match in lexer.atom.finditer(text, position, end)]
            names = [word for word, after in zip(words, words[1:], strict=False) if after == "{"]
            return end, tuple(names), None
        values: list[Any] = []
        for reader in (READERS.get("SF" + kind[2:], read_float), read_string, read_bool, read_float):
            while position < end and (read := reader(text, position)) is not None:
                values.append(read[0])
                position = read[1]
        if lexer.blank.match(text, position).end() != end - 1:  # type: ignore[union-attr]
            self._error("bad-restriction", f"the values allowed here must be {wanted(kind)}", position)
        return end, (), Range(tuple(values)) if values else None

    def _error(self, code: str, message: str, at: int) -> None:
        self.report.error(code, message, self.source, at)
