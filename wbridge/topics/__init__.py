"""What `wbridge help TOPIC` prints: a text in this folder, the help of a command, or the fields of a node."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wbridge.text_table import columns
from wbridge.wbcore.scene.schema import schema

__all__ = ["node_text", "topic_lines", "topic_text", "topics"]

_FOLDER = Path(__file__).parent


def topics() -> list[str]:
    """Return the names of the texts, sorted."""
    return sorted(file.stem for file in _FOLDER.glob("*.txt"))


def topic_text(name: str) -> str:
    """Return a text; its first line is its title."""
    return (_FOLDER / f"{name}.txt").read_text(encoding="utf-8").rstrip()


def topic_lines() -> Iterable[tuple[str, str]]:
    """Yield each topic with its title."""
    return ((name, topic_text(name).partition("\n")[0]) for name in topics())


def node_text(name: str) -> str:
    """Return the fields of a node type with defaults, ranges and units; "" for an unknown type."""
    from wbridge.topics.fields import field_rows  # start-up: only this needs it

    spec = schema().node(name)
    if spec is None:
        return ""
    base = f" ({', '.join(spec.base)})" if spec.base else ""
    rows = field_rows(spec)
    table = columns([["field", "type", "default", "values"], *map(list, rows)]) if rows else ["no fields"]
    return "\n".join([f"{spec.name}{base}", "", *table])
