#!/usr/bin/env python3
"""Generate the types of the messages of pages for editors, from `wbridge.robot_windows.messages`.

The file has neither imports nor exports, so editors know its types in all files: `@param {Hello} hello`.
`--check` only compares.
"""

from __future__ import annotations

import ast
import inspect
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from scripts.generated import write_or_compare  # noqa: E402
from wbridge.robot_windows import messages  # noqa: E402

OUTPUT = ROOT / "robot_windows" / "messages.d.ts"
HEAD = """\
// The messages between the server and its pages, for editors. Written by scripts/generate_page_messages.py
// from robot_windows/messages.py; change that.
"""
PLAIN = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
    object: "unknown",
    Any: "any",
}


def script_type(hint: Any) -> str:
    """Return the type in JavaScript for an annotation."""
    if hint in PLAIN:
        return PLAIN[hint]
    if hint in messages.SERVED:
        return str(hint.__name__)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind = hint.__metadata__[0]
        return script_type(kind) if kind in messages.SERVED else script_type(arguments[0])
    if origin in (UnionType, Union):
        names = dict.fromkeys(script_type(part) for part in arguments)
        return " | ".join(names)
    if origin in (list, Sequence) or getattr(origin, "__name__", "") == "Sequence":
        inner = script_type(arguments[0])
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if origin is dict or getattr(origin, "__name__", "") == Mapping.__name__:
        return f"Record<{script_type(arguments[0])}, {script_type(arguments[1])}>"
    raise TypeError(f"no type of JavaScript for {hint!r}")


def comments(kind: type) -> dict[str, str]:
    """Return the texts that stand below fields of a class."""
    (tree,) = ast.parse(inspect.getsource(kind)).body
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    notes: dict[str, str] = {}
    for entry, text in zip(body, body[1:], strict=False):
        if not isinstance(entry, ast.AnnAssign) or not isinstance(text, ast.Expr):
            continue
        if isinstance(text.value, ast.Constant):
            notes[ast.unparse(entry.target)] = " ".join(str(text.value.value).split())
    return notes


def typedef(kind: type, name: str) -> Iterator[str]:
    """Yield the lines of one type."""
    hints, notes = get_type_hints(kind, include_extras=True), comments(kind)
    is_request = kind not in messages.SERVED
    yield f"/** {' '.join((kind.__doc__ or '').split())} */"
    yield f"interface {name} {{"
    if is_request:
        yield f"  do: '{messages.request_name(kind)}';"
    for field in fields(kind):
        script = script_type(hints[field.name])
        own = field.name if is_request else messages.camel(field.name)
        is_optional = field.default is None
        script = script.removesuffix(" | null") if is_optional else script
        if note := notes.get(field.name):
            yield f"  /** {note} */"
        yield f"  {own}{'?' if is_optional else ''}: {script};"
    yield "}"


def make() -> dict[Path, str]:
    """Return the generated file."""
    kinds: list[tuple[type, str]] = [(kind, kind.__name__) for kind in messages.SERVED]
    kinds += [(kind, f"{kind.__name__}Request") for kind in (*messages.SESSION_REQUESTS, *messages.REQUESTS)]
    parts = ["\n".join(typedef(kind, name)) for kind, name in kinds]
    return {OUTPUT: HEAD + "\n" + "\n\n".join(parts) + "\n"}


if __name__ == "__main__":
    sys.exit(write_or_compare(__doc__ or "", make))
