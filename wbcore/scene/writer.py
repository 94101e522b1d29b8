"""Writes a node tree as text that reads back as the same tree.

Fields keep their order; numbers are written in the shortest exact form; PROTO instances are written with
their parameters, never with their bodies; movements inside them are written as hidden fields (chapter 5.7).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from wbridge.wbcore.scene import hidden
from wbridge.wbcore.scene.expand import Expander
from wbridge.wbcore.scene.header import Extern
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Field, Node
from wbridge.wbcore.scene.values import VecArray, number_text, string_text

_INDENT = "  "
_NUMBERS_PER_LINE = 12


def world_text(world: World, folder: Path | None = None) -> str:
    """Return the whole file: header line, comments, EXTERNPROTO declarations, nodes.

    Args:
        world: the world to write.
        folder: the text's folder, if different from that of the world's file: relative URLs of models are
            adapted, so that they refer to the same files.
    """
    lines = [f"#VRML_SIM {world.header.version} utf8"]
    lines.extend(f"#{comment}" for comment in world.header.comments)
    if world.header.externs:
        lines.append("")
    lines.extend(extern_line(extern, world, folder) for extern in world.header.externs)
    lines.append("")
    return "\n".join(lines) + "\n" + nodes_text(world.nodes, world.expander)


def extern_line(extern: Extern, world: World, folder: Path | None) -> str:
    """Return the declaration of a model for a file in a folder."""
    keyword = "IMPORTABLE EXTERNPROTO" if extern.importable else "EXTERNPROTO"
    return f"{keyword} {string_text(extern_address(extern.url, world, folder))}"


def extern_address(url: str, world: World, folder: Path | None) -> str:
    """Return the URL of a model relative to a folder."""
    here = Path(world.path).absolute().parent
    file = here / url
    if folder is None or folder.absolute() == here or Path(url).is_absolute() or not file.is_file():
        return url
    return Path(os.path.relpath(file, folder.absolute())).as_posix()


def nodes_text(nodes: list[Node], expander: Expander | None = None) -> str:
    """Return some nodes as text, as at the top level of a file.

    Args:
        nodes: the nodes to write.
        expander: that of their world; without it, hidden fields are those read from the file.
    """
    writer = Writer(expander)
    writer.write(nodes)
    return "".join(writer.parts)


def node_text(node: Node, expander: Expander | None = None) -> str:
    """Return one node as text, ending in a line end (see `nodes_text`)."""
    return nodes_text([node], expander)


class Writer:
    """Writes nodes with an explicit stack of pending parts."""

    def __init__(self, expander: Expander | None, defined: Mapping[str, Node] | None = None) -> None:
        """
        Args:
            expander: that of their world; without it, hidden fields are those read from the file.
            defined: nodes with DEF names that stand before the text.
        """
        self._expander = expander
        self.parts: list[str] = []
        self._defined = dict(defined or {})
        self._todo: list[Callable[[], None]] = []

    def write(self, nodes: list[Node]) -> None:
        """Write some nodes."""
        for node in reversed(nodes):
            self._later_node(node, 0, "")
        self._finish()

    def field(self, key: str, field: Field) -> None:
        """Write a field with its name."""
        self._later_field(key, field, 0)
        self._finish()

    def _finish(self) -> None:
        while self._todo:
            self._todo.pop()()

    def _later(self, text: str) -> None:
        self._todo.append(lambda: self.parts.append(text))

    def _later_node(self, node: Node, depth: int, lead: str) -> None:
        self._todo.append(lambda: self._node(node, depth, lead))

    def _node(self, node: Node, depth: int, lead: str) -> None:
        """Write a node; `lead` is the text before it on its line."""
        name = node.def_name
        # A USE whose definition does not come (last) before it is written in full.
        if node.use_of is not None and name and self._defined.get(name) is node.use_of:
            self.parts.append(f"{lead}USE {name}\n")
            return
        define = f"DEF {name} " if name else ""
        if name:
            self._defined[name] = node.definition
        self.parts.append(f"{lead}{define}{node.type} {{\n")
        self._later(_INDENT * depth + "}\n")
        written = [(key, field) for key, field in self.fields(node).items() if field.is_written]
        for key, field in reversed(written):
            self._later_field(key, field, depth + 1)

    def fields(self, node: Node) -> dict[str, Field]:
        """Return the fields of a node; the outermost PROTO instances store the state of their contents."""
        if self._expander is None or node.body is None or node.proto is None or _is_in_proto(node):
            return node.fields
        fresh = self._expander.again(node)
        if fresh is None:
            return node.fields
        rest = {name: field for name, field in node.fields.items() if not field.hidden}
        return {**hidden.state(node, fresh), **rest}

    def _later_field(self, key: str, field: Field, depth: int) -> None:
        self._todo.append(lambda: self._field(key, field, depth))

    def _field(self, key: str, field: Field, depth: int) -> None:
        pad = _INDENT * depth
        lead = f"{pad}{'hidden ' if field.hidden else ''}{key} "
        value = field.value
        if field.is_name is not None:
            self.parts.append(f"{lead}IS {field.is_name}\n")
        elif isinstance(value, Node):
            self._later_node(value, depth, lead)
        elif field.spec.type == "MFNode":
            self._nodes(value, depth, lead)
        else:
            self.parts.extend(_value_text(value, lead, pad))

    def _nodes(self, nodes: list[Node], depth: int, lead: str) -> None:
        pad = _INDENT * depth
        self.parts.append(f"{lead}[\n")
        self._later(f"{pad}]\n")
        for node in reversed(nodes):
            self._later_node(node, depth + 1, pad + _INDENT)


def _is_in_proto(node: Node) -> bool:
    above = node.parent
    while above is not None and above.proto is None:
        above = above.parent
    return above is not None


def _value_text(value: Any, lead: str, pad: str) -> Iterator[str]:
    """Yield the pieces of a value without nodes."""
    if value is None:
        yield f"{lead}NULL\n"
    elif isinstance(value, (bool, int, float, str)):
        yield f"{lead}{_single_text(value)}\n"
    elif isinstance(value, tuple):
        yield f"{lead}{' '.join(map(number_text, value))}\n"
    elif not len(value):
        yield f"{lead}[ ]\n"
    else:
        yield f"{lead}[\n"
        for line in _item_lines(value):
            yield f"{pad}{_INDENT}{line}\n"
        yield f"{pad}]\n"


def _single_text(value: bool | int | float | str) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return string_text(value)
    return str(value) if isinstance(value, int) else number_text(value)


def _item_lines(value: Any) -> Iterator[str]:
    if isinstance(value, VecArray):
        for vector in value:
            yield " ".join(map(number_text, vector))
    elif isinstance(value[0], (str, bool)):
        yield from map(_single_text, value)
    else:
        for at in range(0, len(value), _NUMBERS_PER_LINE):
            yield " ".join(map(_single_text, value[at : at + _NUMBERS_PER_LINE]))
