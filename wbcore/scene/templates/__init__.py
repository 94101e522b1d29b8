"""Procedural PROTOs: bodies with Lua or JavaScript between template tokens, rendered in a sandbox process.

Source of the rules: reference manual, chapter "Procedural PROTO nodes". docs/templates.md tells users what
templates can use and where they differ from Webots. The machinery is loaded at the first rendering.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from wbridge.wbcore.scene.templates.model import FieldPair, Limits, Rendered, TemplateError
from wbridge.wbcore.scene.templates.pieces import TEXT, language_of, split, unix_lines

__all__ = ["FieldPair", "Limits", "Rendered", "TemplateError", "is_procedural", "render", "used_fields"]

_USE = re.compile(r"(?<!\w)fields\.(?=(\w+))")


def is_procedural(body: str) -> str | None:
    """Return the language of a PROTO body's template statements, "lua" or "javascript"; None without any.

    Tokens in comments are ignored.
    """
    return language_of(body)


def used_fields(body: str, names: Iterable[str]) -> set[str]:
    """Return the interface's field names that template statements use, written `fields.<name>`.

    Webots passes only these to the template, and regenerates the node when one of them changes.

    Raises:
        TemplateError: a statement is not closed (line and column count from the start of the body).
    """
    body = unix_lines(body)
    language = language_of(body)
    if language is None:
        return set()
    code = "\n".join(piece.text for piece in split(body, language) if piece.kind != TEXT)
    used = set(_USE.findall(code))
    return {name for name in names if name in used or (not name.isidentifier() and _occurs(name, code))}


def _occurs(name: str, code: str) -> bool:
    return re.search(rf"(?<!\w)fields\.{re.escape(name)}(?!\w)", code) is not None


def render(
    body: str,
    language: str,
    fields: Mapping[str, FieldPair],
    context: Mapping[str, object],
    *,
    limits: Limits = Limits(),  # noqa: B008 - frozen
    first_line: int = 1,
    seed: int | None = None,
    now: float | None = None,
) -> Rendered:
    """Run the template statements of a PROTO body and return the text they generate.

    The same arguments give the same text in every run. `fields` are those the template may see,
    `context` is plain data (table 5.2 of the manual). `first_line` is the line of the PROTO file on which
    `body` starts. Random numbers start from `seed`, by default from the text of context["id"]. `now` is the
    time templates see, in seconds since 1970, by default a moment in 2000 or later that depends on the seed
    alone.

    Raises:
        TemplateError: an error in the template, or a limit was passed; `line` is a line of the PROTO file.
        ValueError: an unknown language.
    """
    from wbridge.wbcore.scene.templates import rendering  # start-up: 25 ms, only for procedural PROTOs

    given = rendering.Given(limits, first_line, seed, now)
    return rendering.render(body, language, fields, context, given)
