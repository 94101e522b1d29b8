"""Change values in a TOML file; comments, order and layout stay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from wbridge.wbfirmware.problems import Source
from wbridge.wbfirmware.template_folders import read_toml

Keys = tuple[str, ...]


class EditError(ValueError):
    """Raised if a value cannot be changed without changing other parts of the file."""


def changed(path: Path, text: str, values: Mapping[Keys, object]) -> str:
    """Return the text with new values; keys that the file lacks are added to their table.

    Args:
        path: the file, for messages.
        text: its content.
        values: new values by their keys, for example ("devices", "lamp", "inverted").

    Raises:
        EditError: a table is written in a form that cannot be edited.
    """
    wanted = read_toml(text)
    for keys, value in values.items():
        text = _with_value(path, text, keys, value)
        table = wanted
        for key in keys[:-1]:
            table = table[key]
        table[keys[-1]] = value
    try:
        found = read_toml(text)
    except ValueError:
        found = {}
    if found != wanted:
        listed = "; ".join(f"{'.'.join(keys)} = {_toml(value)}" for keys, value in values.items())
        raise EditError(f"{path}: cannot change this form of table; change it yourself: {listed}")
    return text


def replaced_table(path: Path, text: str, keys: Keys, lines: Sequence[str]) -> str:
    """Return the text with another table; the lines around it stay.

    Args:
        path: the file, for messages.
        text: its content.
        keys: of the table.
        lines: its new lines, the header first.
    """
    source, old = Source(path, text), text.splitlines(keepends=True)
    new = [f"{line}\n" for line in lines]
    if not source.has_line(*keys):
        return "".join([*old, "\n", *new])
    header = source.line(*keys) - 1
    return "".join([*old[:header], *new, *old[_end_of_table(old, header) :]])


def backup(path: Path) -> Path:
    """Copy a file to one beside it whose name is new.

    Returns:
        The copy.

    Raises:
        OSError: it cannot be written.
    """
    names = (path.with_name(f"{path.name}.bak{number or ''}") for number in range(10_000))
    copy = next(name for name in names if not name.exists())
    copy.write_bytes(path.read_bytes())
    return copy


def _with_value(path: Path, text: str, keys: Keys, value: object) -> str:
    """Return the text with one value changed or added."""
    lines = text.splitlines(keepends=True)
    line = Source(path, text).line(*keys) - 1
    equals = _equals(lines[line])
    if Source(path, text).has_line(*keys) and equals >= 0:
        start = sum(map(len, lines[:line])) + equals + 1
        start += len(text[start:]) - len(text[start:].lstrip(" \t"))
        return text[:start] + _toml(value) + text[_value_end(text, start) :]
    lines.insert(_end_of_table(lines, line), f"{keys[-1]} = {_toml(value)}\n")
    return "".join(lines)


def _equals(line: str) -> int:
    """Return the place of the sign between key and value; -1 if the line has none."""
    quote = ""
    for place, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#":
            return -1
        elif character == "=":
            return place
    return -1


def _value_end(text: str, start: int) -> int:
    """Return the end of a value that starts at a place: of its line, its string or its brackets."""
    depth, place, quote, last = 0, start, "", start
    while place < len(text):
        character = text[place]
        if quote:
            place += 1 if character == "\\" and quote == '"' else 0
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character == "#" and depth:
            place = text.find("\n", place)
        elif character in "#\r\n" and not depth:
            return last
        depth += (character in "[{") - (character in "]}") if not quote else 0
        last = place + 1 if not text[place].isspace() else last
        place += 1
    return last


def _end_of_table(lines: list[str], header: int) -> int:
    """Return the number of the line after the last key of a table."""
    last = header
    for number, line in enumerate(lines[header + 1 :], header + 1):
        if line.lstrip().startswith("[") and not line.lstrip().startswith("[["):
            break
        if line.strip() and not line.lstrip().startswith("#"):
            last = number
    if not lines[last].endswith("\n"):
        lines[last] += "\n"
    return last + 1


def _toml(value: object) -> str:
    """Return a value as TOML."""
    return json.dumps(value, ensure_ascii=False)
