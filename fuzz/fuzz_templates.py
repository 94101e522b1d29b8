"""Fuzz the template runner: it must not hang, crash or raise anything but TemplateError.

Run by `python -m fuzz.fuzz_templates --seconds 60 --seed 1`; equal seeds generate equal templates.
"""

from __future__ import annotations

import contextlib
import random
import sys
from pathlib import Path

from fuzz.case import Case, InvariantError
from fuzz.main import main
from wbridge.wbcore.scene.templates import (
    FieldPair,
    Limits,
    Rendered,
    TemplateError,
    is_procedural,
    render,
    used_fields,
)

LIMITS = Limits(seconds=0.2, memory_mb=32, output_chars=200_000)

FIELDS = {
    "n": FieldPair(3, 1),
    "size": FieldPair({"x": 0.5, "y": 1.0, "z": 2.0}, {"x": 1.0, "y": 1.0, "z": 1.0}),
    "name": FieldPair('a "b" \\ \n', ""),
    "node": FieldPair({"node_name": "Box", "fields": {"size": FieldPair(None, None)}}, None),
    "list": FieldPair([1, 2.5, "x", None], []),
}

SEEDS = {
    "lua": [
        "Group { children [ %{ for i = 1, fields.n.value do }% Box { size %{= i }% 1 1 } %{ end }% ] }",
        "%{ local r = require('wbrandom') r.seed(context.id) }% %{= r.integer(3) }% # %{ hidden }%",
        "%{ for k, v in pairs(fields) do print(k, v.value) end }%\n%{= fields.name.value:rep(3) }%",
        "%{ if fields.node.value then }%a%{ else }%b%{ end }% \"%{= ('x'):gsub('.', '%0%0') }%\"",
        "%{ f = load('return 1 + ...') }% %{= f(2) }% %{= pcall(error, {}) }% %{= #fields.list.value }%",
        "%{ co = coroutine.wrap(function() coroutine.yield(1) end) co() }% %{= ('%5.2f'):format(1) }%",
    ],
    "javascript": [
        "Group { children [ %< for (let i = 0; i < fields.n.value; ++i) { >% Box { size %<= i"
        " >% } %< } >% ] }",
        "%< import * as r from 'wbrandom.js'; r.seed(context.id); >% %<= r.integer(3) >% # %< hidden >%",
        "%< import {bSpline2, circle} from 'wbgeometry.js'; let c = bSpline2(circle(1, 8, {x:"
        " 0, y: 0}, 0), 4);"
        " >%%<= JSON.stringify(c) >%",
        "%< console.log(fields, [1, {a: null}], `t${1 + 1}`); >% %<="
        " fields.name.value.replace(/[a-z\\/]/g, 'x') >%",
        "%< class A { #p = 1; get p() { return this.#p; } } >% %<= new A().p >% %<="
        " [...'abc'].map((c) => c) >%",
        "%< try { null.x; } catch (e) { console.error(e); } finally { } >% %<= Date.now() + Math.random() >%",
    ],
}

# Fragments that challenge parsers: tokens, quotes, comments, nesting, keywords, odd characters.
FRAGMENTS = [
    "%{", "}%", "%{=", "%<", ">%", "%<=", "#", '"', "'", "`", "\\", "\n", "\r\n", "\r", "\x00", "${", "}",
    "{", "(", ")", "[[", "]]", "--", "--[[", "//", "/*", "*/", "/", "end", "do", "then", "function",
    "return", "import ", "from 'wbutility.js'", "...", "..", "::x::", "goto x", "\u2028", "\ufeff", "😀",
    "\x1b", "0x", "1e999", "=>", "eval(", "load(", "while true do ", "for(;;)", "('a'):rep(2^25)",
    "'x'.repeat(2**25)", "throw null;", "error(nil)", "__e", "__t", "__wb", "_ENV", "setmetatable",
    "Object.prototype.x=1;", "Array.prototype.join=0;", "yield", "await ", "async ", "fields", "context",
]  # fmt: skip


def _nothing(_: random.Random, __: str) -> str:
    return ""


def _fragment(rng: random.Random, text: str) -> str:
    return rng.choice(FRAGMENTS) + text


def _repeated(rng: random.Random, text: str) -> str:
    return text * rng.randint(2, 40)


def _character(rng: random.Random, text: str) -> str:
    return chr(rng.choice([rng.randint(0, 127), rng.randint(128, 0x1FFFF)])) + text[1:]


def mutated(rng: random.Random, body: str) -> str:
    """Delete, insert, repeat or replace up to eight pieces of a body."""
    for _ in range(rng.randint(1, 8)):
        a, b = sorted((rng.randint(0, len(body)), rng.randint(0, len(body))))
        b = min(b, a + 20)
        middle = rng.choice([_nothing, _fragment, _repeated, _character])(rng, body[a:b])
        body = body[:a] + middle + body[b:]
    return body.encode("utf-8", "replace").decode()


def template(rng: random.Random) -> tuple[str, str]:
    """Return (language, body); some bodies consist of fragments only."""
    language = rng.choice(["lua", "javascript"])
    body = rng.choice(SEEDS[language])
    if rng.random() < 0.1:
        body = "".join(rng.choices(FRAGMENTS, k=rng.randint(1, 40)))
    return language, mutated(rng, body)


def problem_of(language: str, body: str) -> str | None:
    """What the runner did wrong with a body; None if nothing."""
    try:
        is_procedural(body)
        result = render(body, language, FIELDS, {"id": "7"}, limits=LIMITS, first_line=5)
        return _odd_result(result)
    except TemplateError as error:
        return _odd_error(error, body)
    except Exception as error:  # any other exception is a finding
        return f"{type(error).__name__}: {error}"


def _odd_result(result: Rendered) -> str | None:
    result.text.encode()
    lines = result.text.count("\n") + 1
    if any(result.line_of(line) < 5 for line in (1, lines, lines + 9)):
        return f"a line before the body: {result.spans[:5]}"
    return None


def _odd_error(error: TemplateError, body: str) -> str | None:
    last = 5 + body.count("\n") + body.count("\r")
    if error.line is not None and not 5 <= error.line <= last:
        return f"line {error.line} is not between 5 and {last}: {error.message}"
    if "stop" in error.message and "engine" in error.message:
        return error.message
    return None if error.message.strip() else "an empty message"


class TemplateTarget:
    """One template per case; the file extension is the language."""

    name = "templates"

    def make(self, random: random.Random) -> Case:
        """Generate a damaged template."""
        language, body = template(random)
        return Case({f"body.{language}": body.encode("utf-8", "replace")}, main=f"body.{language}")

    def run(self, main: Path) -> None:
        """Render the template."""
        body = main.read_bytes().decode()
        with contextlib.suppress(TemplateError):
            used_fields(body, FIELDS)
        found = problem_of(main.suffix[1:], body)
        if found is not None:
            raise InvariantError(found)

    def calls(self, case: Case) -> int:
        """The limit for this process; the rendering has limits of its own."""
        return 200_000 + 100 * case.size


if __name__ == "__main__":
    sys.exit(main([TemplateTarget()]))
