"""Procedural PROTOs: bodies with Lua or JavaScript between template tokens, rendered in a walled-in process.

Source of the rules: reference manual, chapter "Procedural PROTO nodes". docs/templates.md tells users what
templates can use and where they differ from Webots.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import process
from .failures import failure, stopped, too_late
from .literals import data_program
from .model import FieldPair, Limits, Rendered, TemplateError
from .pieces import TEXT, language_of, split
from .program import Program, translate

__all__ = ["FieldPair", "Limits", "Rendered", "TemplateError", "is_procedural", "render", "used_fields"]

# The clock of templates: the first second of 2000, moved by the seed so that seeding by time differs by
# instance.
_CLOCK_BASE = 946_684_800
_SEEDS = 2_147_483_646

# What the worker gets beyond the template's own time before it is killed.
_GRACE_S = 0.5


def is_procedural(body: str) -> str | None:
    """Language of the template statements in a PROTO body: "lua", "javascript" or None if there are none.

    Tokens in comments do not count.
    """
    return language_of(body)


def used_fields(body: str, names: Iterable[str]) -> set[str]:
    """Those of the interface's field names that template statements use, written `fields.<name>`.

    Webots hands only these to the template, and generates the node anew when one of them changes.

    Raises:
        TemplateError: a statement is not closed (line and column count from the start of the body).
    """
    body = _unix(body)
    language = language_of(body)
    if language is None:
        return set()
    code = "\n".join(piece.text for piece in split(body, language) if piece.kind != TEXT)
    return {name for name in names if re.search(rf"(?<!\w)fields\.{re.escape(name)}(?!\w)", code)}


def render(
    body: str,
    language: str,
    fields: Mapping[str, FieldPair],
    context: Mapping[str, Any],
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
    if language not in process.ENGINES:
        raise ValueError(f"unknown template language {language!r}; allowed: {', '.join(process.ENGINES)}")
    try:
        program = translate(_unix(body), language)
    except TemplateError as error:
        raise _moved(error, first_line) from None
    seed = _seed(context) if seed is None else seed % _SEEDS
    clock = _CLOCK_BASE + seed if now is None else now
    request = {
        "program": program.source,
        "data": data_program(language, fields, context),
        "seed": seed,
        "clock": int(clock),
        "seconds": limits.seconds,
        "memory": limits.memory_mb * 1_000_000,
        "chars": limits.output_chars,
    }
    reply = _asked(language, request, limits)
    if failed := failure(reply, program, limits, first_line):
        raise failed
    return _rendered(reply, program, first_line)


def _asked(language: str, request: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """The worker's reply to a request."""
    # Text, trace and prints, each character escaped at worst.
    largest = 32 * limits.output_chars + limits.memory_mb * 1_000_000
    try:
        raw = process.call(language, json.dumps(request).encode(), limits.seconds + _GRACE_S, largest)
    except process.WorkerLate:
        raise too_late(limits) from None
    except process.WorkerLost as lost:
        raise stopped(lost.signal) from None
    try:
        reply = json.loads(raw)
    except ValueError:
        raise TemplateError("the template damaged the engine's reply") from None
    return reply if isinstance(reply, dict) else {}


def _rendered(reply: dict[str, Any], program: Program, first_line: int) -> Rendered:
    """The result in a reply; a template may have meddled with it, so nothing in it is taken for granted."""
    text, trace = reply.get("text"), reply.get("trace")
    out, err = reply.get("out"), reply.get("err")
    if not (isinstance(text, str) and isinstance(trace, str)):
        raise TemplateError("the template damaged the engine's reply")
    if not (isinstance(out, str) and isinstance(err, str)):
        raise TemplateError("the template damaged the engine's reply")
    return Rendered(_paired(text), _lines(out), _lines(err), tuple(_spans(trace, program, first_line)))


def _spans(trace: str, program: Program, first_line: int) -> Iterable[tuple[int, int, int]]:
    """The origins of generated lines from the worker's trace: "piece:line breaks it wrote,..."."""
    line = 1
    yield 1, first_line, 1
    for number, count, slope in _traced(trace, program):
        origin = program.pieces[number] + first_line - 1
        yield line, origin, slope
        if count:
            yield line + 1, origin + slope, slope
        line += count


def _traced(trace: str, program: Program) -> Iterable[tuple[int, int, int]]:
    """(number of the piece, line breaks it wrote, 1 for text or 0 for a value)."""
    for entry in filter(None, trace.split(",")):
        number, _, count = entry.partition(":")
        if number.isdecimal() and count.isdecimal() and int(number) < len(program.pieces):
            yield int(number), int(count), int(int(number) in program.texts)


def _paired(text: str) -> str:
    """The text as valid Unicode: halves of characters join, or are replaced where they are alone."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _lines(text: str) -> tuple[str, ...]:
    return tuple(_paired(text).removesuffix("\n").split("\n")) if text else ()


def _moved(error: TemplateError, first_line: int) -> TemplateError:
    """An error of the body as an error of the file; on the body's first line the column is unknown."""
    line = error.line or 1
    return TemplateError(error.message, line + first_line - 1, error.column if line > 1 else None)


def _seed(context: Mapping[str, Any]) -> int:
    """A seed from the instance's id."""
    return int.from_bytes(str(context.get("id", "")).encode(), "big") % _SEEDS


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
