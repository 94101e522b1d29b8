"""Renders a template: translates the body, calls the worker, and converts its reply to text or an error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from wbridge.wbcore.scene.templates import process
from wbridge.wbcore.scene.templates.failures import failure, stopped, too_late
from wbridge.wbcore.scene.templates.literals import data_program
from wbridge.wbcore.scene.templates.model import FieldPair, Limits, Rendered, TemplateError
from wbridge.wbcore.scene.templates.pieces import unix_lines
from wbridge.wbcore.scene.templates.program import Program, translate

# The clock of templates: the first second of 2000, shifted by the seed so that seeding by time differs
# between instances.
_CLOCK_BASE = 946_684_800
_SEEDS = 2_147_483_646

# The limit of seconds is CPU time. On a busy machine, a worker counts as lost only after this multiple of it
# in real time, plus as many seconds.
_PATIENCE = 10

# Maximum length of a plausible trace entry.
_LONGEST_ENTRY = 24


class Given(NamedTuple):
    """The caller's settings besides the template and its data (see templates.render)."""

    limits: Limits
    first_line: int
    seed: int | None
    now: float | None


def render(
    body: str, language: str, fields: Mapping[str, FieldPair], context: Mapping[str, object], given: Given
) -> Rendered:
    """See templates.render."""
    limits, first_line, seed, now = given
    if language not in process.ENGINES:
        raise ValueError(f"unknown template language {language!r}; allowed: {', '.join(process.ENGINES)}")
    try:
        program = translate(unix_lines(body), language)
    except TemplateError as error:
        raise _moved(error, first_line) from None
    seed = _seed(context) if seed is None else seed % _SEEDS
    clock = _CLOCK_BASE + seed if now is None else now
    request = {
        "program": program.source,
        "data": data_program(language, fields, context),
        "seed": seed,
        "clock": int(clock),
        "steps": limits.steps,
        "seconds": limits.seconds,
        "memory": limits.memory_mb * 1_000_000,
        "chars": limits.output_chars,
    }
    reply = _asked(language, request, limits)
    if failed := failure(reply, program, limits, first_line):
        raise failed
    return _rendered(reply, program, first_line)


def _asked(language: str, request: dict[str, object], limits: Limits) -> dict[str, object]:
    """Return the worker's reply to a request."""
    # Text, trace and prints, with every character escaped in the worst case.
    largest = 32 * limits.output_chars + limits.memory_mb * 1_000_000
    try:
        patience = _PATIENCE * (limits.seconds + 1)
        raw = process.call(language, json.dumps(request).encode(), patience, largest)
    except process.WorkerLate:
        raise too_late(limits) from None
    except process.WorkerLost as lost:
        raise stopped(lost.signal, limits) from None
    try:
        reply = json.loads(raw)
    except (ValueError, RecursionError):
        raise _damaged() from None
    return reply if isinstance(reply, dict) else {}


def _rendered(reply: dict[str, object], program: Program, first_line: int) -> Rendered:
    """Return the result in a reply, which is validated because a template may have manipulated it."""
    text, trace, out, err = [_text(reply, name) for name in ("text", "trace", "out", "err")]
    return Rendered(_paired(text), _lines(out), _lines(err), tuple(_spans(trace, program, first_line)))


def _text(reply: dict[str, object], name: str) -> str:
    value = reply.get(name)
    if not isinstance(value, str):
        raise _damaged()
    return value


def _damaged() -> TemplateError:
    return TemplateError("the template damaged the engine's reply")


def _spans(trace: str, program: Program, first_line: int) -> Iterable[tuple[int, int, int]]:
    """Return the origins of generated lines from the worker's trace: "piece:line breaks it wrote,..."."""
    line = 1
    yield 1, first_line, 1
    for number, count, slope in _traced(trace, program):
        origin = program.pieces[number] + first_line - 1
        yield line, origin, slope
        if count:
            yield line + 1, origin + slope, slope
        line += count


def _traced(trace: str, program: Program) -> Iterable[tuple[int, int, int]]:
    """Yield (number of the piece, line breaks it wrote, 1 for text or 0 for a value)."""
    for entry in filter(None, trace.split(",")):
        number, _, count = entry.partition(":")
        if len(entry) > _LONGEST_ENTRY or not (number.isdecimal() and count.isdecimal()):
            continue
        if int(number) < len(program.pieces):
            yield int(number), int(count), int(int(number) in program.texts)


def _paired(text: str) -> str:
    """Return valid Unicode text: join surrogate pairs and replace single surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _lines(text: str) -> tuple[str, ...]:
    return tuple(_paired(text).removesuffix("\n").split("\n")) if text else ()


def _moved(error: TemplateError, first_line: int) -> TemplateError:
    """Convert an error of the body to one of the file; on the body's first line the column is unknown."""
    line = error.line or 1
    return TemplateError(error.message, line + first_line - 1, error.column if line > 1 else None)


def _seed(context: Mapping[str, object]) -> int:
    """Return a seed computed from the instance's id."""
    return int.from_bytes(str(context.get("id", "")).encode(), "big") % _SEEDS
