"""Finds where the parts of a node stand in a text: its fields with their values, the nodes of a list."""

from __future__ import annotations

from typing import NamedTuple

from wbridge.wbcore.scene import lexer


class UnclearError(Exception):
    """The text does not have the usual form; it must be written anew."""


class FieldSpan(NamedTuple):
    """A field in a text, from its name (or `hidden`) to the end of its value."""

    name: str
    start: int
    value: int
    end: int


class NodeSpan(NamedTuple):
    """A node of a list in a text."""

    offset: int
    """As `Node.offset`: of the node, or of the name after USE."""
    start: int
    end: int


def fields_in(text: str, position: int) -> tuple[list[FieldSpan], int]:
    """Return the fields of a node, and the position of its closing brace.

    Args:
        text: the text.
        position: after the opening brace.

    Raises:
        UnclearError: a field is given twice, or the text is damaged.
    """
    fields: list[FieldSpan] = []
    names = set()
    while True:
        match = lexer.body_item.match(text, position)
        if match is None:
            raise UnclearError
        hidden, name, closing = match.groups()
        if closing:
            return fields, match.start(3)
        if name in names:
            raise UnclearError
        names.add(name)
        value, position = _value(text, match.end())
        fields.append(FieldSpan(name, match.start(1) if hidden else match.start(2), value, position))


def _value(text: str, position: int) -> tuple[int, int]:
    """Return where a value begins and ends."""
    match = lexer.atom.match(text, position)
    if match is None:
        raise UnclearError
    token, start, end = match.group(1), match.start(1), match.end()
    if token == "[":
        return start, lexer.skip_balanced(text, start)
    if token[0] == '"' or token in ("TRUE", "FALSE", "NULL"):
        return start, end
    if token in ("USE", "IS"):
        word = lexer.word.match(text, end)
        if word is None:
            raise UnclearError
        return start, word.end()
    number = lexer.number.match(text, position)
    if number is not None:
        while number is not None:
            end = number.end()
            number = lexer.number.match(text, end)
        return start, end
    node = lexer.node_start.match(text, position)
    if node is None or not node.group(5):
        raise UnclearError
    return start, lexer.skip_balanced(text, node.end() - 1)


def items_in(text: str, position: int) -> tuple[list[NodeSpan], int]:
    """Return the nodes of a list, and the position of its closing bracket, or the end of the text.

    Args:
        text: the text.
        position: after the opening bracket.

    Raises:
        UnclearError: the text is damaged.
    """
    items: list[NodeSpan] = []
    while True:
        match = lexer.node_start.match(text, position)
        start = lexer.blank.match(text, position).end()  # type: ignore[union-attr]
        if match is None:
            if start < len(text):
                raise UnclearError
            return items, start
        closing, null, used, _, _ = match.groups()
        if closing:
            return items, match.start(1)
        position = match.end() if null or used else lexer.skip_balanced(text, match.end() - 1)
        if not null:
            items.append(NodeSpan(match.start(3) if used else start, start, position))
