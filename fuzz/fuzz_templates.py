"""Fuzz the template runner: it may never hang, crash or raise anything but its own error.

Run by `python -m fuzz.fuzz_templates --seconds 60 --seed 1`; the same seed makes the same templates.
"""

from __future__ import annotations

import contextlib
import random
import sys
import time
from pathlib import Path

from wbcore.scene.templates import (
    FieldPair,
    Limits,
    Rendered,
    TemplateError,
    is_procedural,
    render,
    used_fields,
)

from .case import BrokenPromiseError, Case
from .main import main

LIMITS = Limits(seconds=0.2, memory_mb=32, output_chars=200_000)

# A rendering may take its time, what it takes to notice, and a new worker; machines are busy at times.
SLOWEST_S = LIMITS.seconds + 5.0

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

# Pieces that hurt parsers: tokens, quotes, comments, nesting, words of both languages, odd characters.
CRUMBS = [
    "%{", "}%", "%{=", "%<", ">%", "%<=", "#", '"', "'", "`", "\\", "\n", "\r\n", "\r", "\x00", "${", "}",
    "{", "(", ")", "[[", "]]", "--", "--[[", "//", "/*", "*/", "/", "end", "do", "then", "function",
    "return", "import ", "from 'wbutility.js'", "...", "..", "::x::", "goto x", "\u2028", "\ufeff", "😀",
    "\x1b", "0x", "1e999", "=>", "eval(", "load(", "while true do ", "for(;;)", "('a'):rep(2^25)",
    "'x'.repeat(2**25)", "throw null;", "error(nil)", "__e", "__t", "__wb", "_ENV", "setmetatable",
    "Object.prototype.x=1;", "Array.prototype.join=0;", "yield", "await ", "async ", "fields", "context",
]  # fmt: skip


def _nothing(_: random.Random, __: str) -> str:
    return ""


def _crumb(chance: random.Random, text: str) -> str:
    return chance.choice(CRUMBS) + text


def _repeated(chance: random.Random, text: str) -> str:
    return text * chance.randint(2, 40)


def _character(chance: random.Random, text: str) -> str:
    return chr(chance.choice([chance.randint(0, 127), chance.randint(128, 0x1FFFF)])) + text[1:]


def mutated(chance: random.Random, body: str) -> str:
    """A body with up to eight cuts, insertions, doublings or swaps."""
    for _ in range(chance.randint(1, 8)):
        a, b = sorted((chance.randint(0, len(body)), chance.randint(0, len(body))))
        b = min(b, a + 20)
        middle = chance.choice([_nothing, _crumb, _repeated, _character])(chance, body[a:b])
        body = body[:a] + middle + body[b:]
    return body.encode("utf-8", "replace").decode()


def template(chance: random.Random) -> tuple[str, str]:
    """(language, body); some bodies are built of crumbs alone."""
    language = chance.choice(["lua", "javascript"])
    body = chance.choice(SEEDS[language])
    if chance.random() < 0.1:
        body = "".join(chance.choices(CRUMBS, k=chance.randint(1, 40)))
    return language, mutated(chance, body)


def problem_of(language: str, body: str) -> str | None:
    """What is wrong with how the runner took a body; None if it behaved."""
    started = time.monotonic()
    try:
        is_procedural(body)
        result = render(body, language, FIELDS, {"id": "7"}, limits=LIMITS, first_line=5)
        found = _odd_result(result)
    except TemplateError as error:
        found = _odd_error(error, body)
    except Exception as error:  # that it is another exception is the finding
        found = f"{type(error).__name__}: {error}"
    taken = time.monotonic() - started
    return found or (f"took {taken:.1f} s" if taken > SLOWEST_S else None)


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
    """One template a case; the file's ending names the language."""

    name = "templates"

    def make(self, random: random.Random) -> Case:
        """A damaged template."""
        language, body = template(random)
        return Case({f"body.{language}": body.encode("utf-8", "replace")}, main=f"body.{language}")

    def run(self, main: Path) -> None:
        """Render it."""
        body = main.read_bytes().decode()
        with contextlib.suppress(TemplateError):
            used_fields(body, FIELDS)
        found = problem_of(main.suffix[1:], body)
        if found is not None:
            raise BrokenPromiseError(found)

    def seconds(self, case: Case) -> float:
        """Processor time of this process; the rendering itself is timed by `problem_of`."""
        return 5 + case.size / 1e6


if __name__ == "__main__":
    sys.exit(main([TemplateTarget()]))
