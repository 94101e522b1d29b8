"""Writes a changed world so that its file differs as little as possible.

What has not changed keeps its bytes: comments, order of fields, spelling of numbers, spaces. A changed value
is replaced in its place; nodes and fields that were added follow their neighbors; what was removed takes its
lines along. Where the text has an unusual form, the node or list around it is written anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wbridge.wbcore.scene import lexer
from wbridge.wbcore.scene.diagnostics import Report
from wbridge.wbcore.scene.header import read_source
from wbridge.wbcore.scene.node import Field, Node, values_equal, walk
from wbridge.wbcore.scene.parser import Parser
from wbridge.wbcore.scene.schema import schema
from wbridge.wbcore.scene.spans import FieldSpan, NodeSpan, UnclearError, fields_in, items_in
from wbridge.wbcore.scene.values import string_text
from wbridge.wbcore.scene.world import World
from wbridge.wbcore.scene.writer import Writer, extern_address, extern_line, world_text

INDENT = "  "


def patched_text(world: World, folder: Path | None = None) -> str:
    """Return the text of a world's file with the changes of its tree.

    Args:
        world: the world.
        folder: of the new file, if different: relative addresses of models are adapted.
    """
    patch = _Patch(world)
    try:
        patch.header(folder)
        patch.list(world.nodes, items_in(patch.text, world.header.end)[0], world.header.end, "")
    except UnclearError:
        return world_text(world, folder)
    return patch.result()


class _Patch:
    def __init__(self, world: World) -> None:
        self._world = world
        self.text = world.source.text
        self._edits: list[tuple[int, int, str]] = []
        self._definitions = {
            node.def_name: node.definition
            for node in walk(world.nodes, into_protos=False)
            if node.def_name and node.use_of is None
        }
        self._parser = Parser(world.source, Report(), schema(world.version), world.library.resolve)

    def result(self) -> str:
        """Return the text with all edits."""
        parts, position = [], 0
        for start, end, new in sorted(self._edits, key=lambda edit: edit[:2]):
            parts += [self.text[position:start], new]
            position = end
        return "".join([*parts, self.text[position:]])

    # The header.

    def header(self, folder: Path | None) -> None:
        """Adapt the declarations of models."""
        world, text = self._world, self.text
        _, before = read_source(world.path, text, Report(), world.version)
        kept = {extern.offset: extern for extern in world.header.externs}
        last = None
        for extern in before.externs:
            end = lexer.string.match(text, extern.offset).end()  # type: ignore[union-attr]
            if extern.offset not in kept:
                self._drop(text.rfind("EXTERNPROTO", 0, extern.offset), end)
                continue
            last = end
            address = extern_address(extern.url, world, folder)
            if address != extern.url:
                self._edits.append((extern.offset, end, string_text(address)))
        known = {extern.offset for extern in before.externs}
        added = [extern for extern in world.header.externs if extern.offset not in known]
        if added:
            lines = "".join("\n" + extern_line(extern, world, folder) for extern in added)
            at = last if last is not None else text.index("\n")
            self._edits.append((at, at, lines if last is not None else f"\n{lines}"))

    # Nodes.

    def list(self, nodes: Sequence[Node], items: list[NodeSpan], begin: int, indent: str) -> None:
        """Adapt a list of nodes.

        Args:
            nodes: its nodes now.
            items: those in the text.
            begin: where its first node could stand.
            indent: of its nodes, if there is none in the text.

        Raises:
            UnclearError: nodes have another order.
        """
        spans = {item.offset: item for item in items}
        known = [node for node in nodes if self._is_of_file(node) and node.offset in spans]
        order = [node.offset for node in known]
        if order != sorted(set(order)):
            raise UnclearError
        for item in items:
            if item.offset not in order:
                self._drop(item.start, item.end)
        if items:
            indent = self._indent_of(items[0].start)
        at = begin
        for node in nodes:
            if self._is_of_file(node) and node.offset in spans:
                self._node(node, spans[node.offset])
                at = spans[node.offset].end
            else:
                self._edits.append((at, at, f"\n{self._indented(self._written(node), indent)}"))

    def _is_of_file(self, node: Node) -> bool:
        return node.source is self._world.source

    def _node(self, node: Node, span: NodeSpan) -> None:
        """Adapt a node that is in the text."""
        text = self.text
        start = lexer.node_start.match(text, span.start)
        if start is None:
            raise UnclearError
        _, _, used, def_name, kind = start.groups()
        if used:
            if node.use_of is None or node.def_name != used:
                self._replace(span.start, span.end, self._written(node))
            return
        if kind != node.type or def_name != node.def_name or node.use_of is not None:
            self._replace(span.start, span.end, self._written(node))
            return
        count = len(self._edits)
        try:
            self._body(node, start.end())
        except UnclearError:
            del self._edits[count:]
            self._replace(span.start, span.end, self._written(node))

    def _body(self, node: Node, begin: int) -> None:
        fields, closing = fields_in(self.text, begin)
        written = {name: field for name, field in self._writer().fields(node).items() if field.is_written}
        for span in fields:
            field = written.pop(span.name, None)
            if field is not None:
                self._field(span, field)
            elif span.name in node.spec.fields or self.text.startswith("hidden", span.start):
                self._drop(span.start, span.end)
        added = []
        for name, field in written.items():
            writer = self._writer()
            writer.field(name, field)
            added.append("".join(writer.parts))
        if added:
            self._insert("".join(added), closing)

    def _field(self, span: FieldSpan, field: Field) -> None:
        value = field.value
        if isinstance(value, Node) or field.spec.is_node:
            count = len(self._edits)
            try:
                if self._nodes(span, value):
                    return
            except UnclearError:
                del self._edits[count:]
        elif values_equal(self._parser.value(field.spec, span.value)[0], value):
            return
        writer = self._writer()
        writer.field(span.name, field)
        self._replace(span.start, span.end, "".join(writer.parts))

    def _nodes(self, span: FieldSpan, value: Any) -> bool:
        """Adapt the nodes of a field; return False if it must be written anew."""
        text = self.text
        if isinstance(value, list) and text[span.value] == "[":
            items, _ = items_in(text, span.value + 1)
            self.list(value, items, span.value + 1, self._indent_of(span.start) + INDENT)
            return True
        if value is None:
            return text.startswith("NULL", span.value)
        nodes = value if isinstance(value, list) else [value]
        items, _ = items_in(text[: span.end], span.value)
        if [node.offset if self._is_of_file(node) else -1 for node in nodes] != [
            item.offset for item in items
        ]:
            return False
        for node, item in zip(nodes, items, strict=True):
            self._node(node, item)
        return True

    # Text.

    def _writer(self) -> Writer:
        return Writer(self._world.expander, self._definitions)

    def _written(self, node: Node) -> str:
        writer = self._writer()
        writer.write([node])
        return "".join(writer.parts)

    def _indent_of(self, position: int) -> str:
        """Return the white space before the text of a line."""
        line = self.text[self.text.rfind("\n", 0, position) + 1 : position]
        return line[: len(line) - len(line.lstrip())]

    def _replace(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, self._indented(new, self._indent_of(start)).strip()))

    def _insert(self, new: str, closing: int) -> None:
        """Insert the text of fields before the closing brace of a node."""
        indent = self._indent_of(closing)
        begin = self.text.rfind("\n", 0, closing) + 1
        if self.text[begin:closing].strip():
            self._edits.append((closing, closing, " " + new.strip() + " "))
        else:
            self._edits.append((begin, begin, self._indented(new, indent + INDENT) + "\n"))

    @staticmethod
    def _indented(new: str, indent: str) -> str:
        """Indent the lines of a text, unless a string goes over several of them."""
        if any("\n" in string for string in lexer.string.findall(new)):
            return indent + new.rstrip("\n")
        return "\n".join(indent + line for line in new.rstrip("\n").split("\n"))

    def _drop(self, start: int, end: int) -> None:
        """Remove a part of the text, with its lines if nothing else is on them."""
        text = self.text
        begin, stop = text.rfind("\n", 0, start) + 1, text.find("\n", end) + 1
        if not text[begin:start].strip() and not text[end:stop].strip():
            start, end = begin, stop
        self._edits.append((start, end, ""))
