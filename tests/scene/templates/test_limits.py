"""Endless and greedy templates end with a clear error, and the next template runs as if nothing had been."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from wbridge.wbcore.scene.templates import Limits, Rendered, TemplateError

Run = Callable[..., Rendered]
Fails = Callable[..., TemplateError]

SHORT = Limits(steps=20_000_000, seconds=20, memory_mb=32, output_chars=100_000)
"""Steps are reached in a fraction of a second; the seconds are a guard."""
HASTY = replace(SHORT, seconds=0.2, steps=10**15)  # no machine counts so far in that time
"""For patterns and functions that do not return: they are one step."""

ENDLESS = [
    ("lua", "\n%{ while true do end }%", 2),
    ("lua", "\n\n%{ while true do\n pcall(function() while true do end end)\n end }%", None),
    ("lua", "%{ coroutine.wrap(function() while true do end end)() }%", 1),
    (
        "lua",
        "%{ setmetatable({}, {__index = function(t, k) return t[k + 1] end})[1] = nil; repeat until false }%",
        1,
    ),
    ("javascript", "\n%< while (true); >%", None),
    ("javascript", "\n%< let i = 0;\nwhile (true) i = Math.max(i, 1); >%", 2),
    ("javascript", "\n%< for (;;) { try { for (;;); } catch (e) { } finally { } } >%", 2),
    ("javascript", "%< [1].map(function f() { for (;;); }); >%", 1),
    ("javascript", "%< 'x'.repeat(2 ** 16).split('').sort(() => { for (;;); }); >%", None),
]


@pytest.mark.parametrize(("language", "body", "line"), ENDLESS)
def test_endless_templates_are_stopped(
    language: str, body: str, line: int | None, fails: Fails, lua: Run, javascript: Run
) -> None:
    error = fails(language, body, limits=SHORT)
    assert "took more than the allowed 20,000,000 steps" in error.message
    assert line is None or error.line == line
    assert lua("%{= 1 }%").text + javascript("%<= 2 >%").text == "12"


COUNTED = [
    ("lua", "%{ for i = 1, $ do end }%"),
    ("lua", "%{ coroutine.wrap(function() for i = 1, $ do end end)() }%"),
    ("javascript", "%< for (let i = 0; i < $; ++i); >%"),
    ("javascript", "%< function f() { } let i = 0; while (i++ < $ / 2) f(); >%"),
]


@pytest.mark.parametrize(("language", "body"), COUNTED)
def test_steps_are_counted_and_not_the_time(
    language: str, body: str, fails: Fails, lua: Run, javascript: Run
) -> None:
    """A loop of n repetitions passes with 3 n steps and fails with n / 2, on any machine."""
    run, count = {"lua": lua, "javascript": javascript}[language], 1_000_000
    run(body.replace("$", str(count)), limits=Limits(steps=3 * count))
    error = fails(language, body.replace("$", str(count)), limits=Limits(steps=count // 2))
    assert "more than the allowed 500,000 steps; does a loop never end?" in error.message


UNCOUNTED = [
    ("lua", "%{ local s = ('a'):rep(30) .. 'b'; s:find(('a*'):rep(30) .. 'c') }%"),
    ("lua", "%{ (''):rep(2^31 - 1) (''):rep(2^31 - 1) (''):rep(2^31 - 1) }%"),
    ("javascript", "%< /^(a+)+$/.test('a'.repeat(40) + 'b'); >%"),
]


@pytest.mark.parametrize(("language", "body"), UNCOUNTED)
def test_a_step_without_end_is_stopped(
    language: str, body: str, fails: Fails, lua: Run, javascript: Run
) -> None:
    error = fails(language, body, limits=HASTY)
    assert "ran longer than the allowed 0.2 s" in error.message
    assert lua("%{= 1 }%").text + javascript("%<= 2 >%").text == "12"


GREEDY = [
    ("lua", "\n%{ local t = {} while true do t[#t + 1] = ('x'):rep(100000) .. #t end }%"),
    ("lua", "%{ local s = 'x' while true do s = s .. s end }%"),
    ("lua", "%{ local t = {} for i = 1, 1e8 do t[i] = {} end }%"),
    ("lua", "%{ local s = ('x'):rep(2^26) }%"),
    ("javascript", "\n%< let a = []; for (;;) a.push('x'.repeat(100000) + a.length); >%"),
    ("javascript", "%< let s = 'x'; for (;;) s += s + s.length; >%"),
    ("javascript", "%< new Array(1e8).fill(0); >%"),
    ("javascript", "%< new Uint8Array(2 ** 30); >%"),
    ("javascript", "%< let a = []; try { for (;;) a.push({}); } catch (e) { for (;;) a.push({}); } >%"),
]


@pytest.mark.parametrize(("language", "body"), GREEDY)
def test_greedy_templates_are_stopped(
    language: str, body: str, fails: Fails, lua: Run, javascript: Run
) -> None:
    error = fails(language, body, limits=Limits(memory_mb=32))
    assert "more than the allowed 32 MB of memory" in error.message
    assert lua("%{= 1 }%").text + javascript("%<= 2 >%").text == "12"


BABBLING = [
    ("lua", "%{ while true do }%some text %{ end }%"),
    ("lua", "%{ local s = ('x'):rep(60000) }%%{= s }%%{= s }%"),
    ("lua", "%{ for i = 1, 1e5 do pcall(function() }%some text%{ end) end }%"),
    ("javascript", "%< for (;;) { >%some text %< } >%"),
    ("javascript", "%< const s = 'x'.repeat(60000); >%%<= s >%%<= s >%"),
    ("javascript", "%< for (let i = 0; i < 1e5; ++i) try { >%some text%< } catch (e) { } >%"),
]


@pytest.mark.parametrize(("language", "body"), BABBLING)
def test_templates_that_write_too_much_are_stopped(language: str, body: str, fails: Fails) -> None:
    error = fails(language, body, limits=SHORT)
    assert "writes more than the allowed 100000 characters" in error.message


def test_output_up_to_the_limit_is_fine(lua: Run, javascript: Run) -> None:
    limits = Limits(output_chars=1000)
    assert len(lua("%{= ('x'):rep(1000) }%", limits=limits).text) == 1000
    assert len(javascript("%<= 'x'.repeat(1000) >%", limits=limits).text) == 1000


def test_printing_without_end_is_stopped(fails: Fails) -> None:
    for language, body in (
        ("lua", "%{ while true do print('x') end }%"),
        ("javascript", "%< for (;;) console.log(1); >%"),
    ):
        message = fails(language, body, limits=SHORT).message
        assert "memory" in message or "steps" in message


DEEP = [
    ("lua", "%{ local function f() return 1 + f() end f() }%"),
    ("lua", "%{ local f = load(('('):rep(5000) .. '1' .. (')'):rep(5000)) assert(f, 'too deep') }%"),
    (
        "lua",
        "%{ local t = setmetatable({}, {}) getmetatable(t).__index = t; x = t.a; local"
        " function g() pcall(g) end g()"
        " error('done') }%",
    ),
    ("lua", "%{= ('a'):rep(300000):find(('a?'):rep(300000) .. 'b') }%"),
    ("javascript", "%< (function f() { return 1 + f(); })(); >%"),
    ("javascript", "%< eval('('.repeat(200000) + '1' + ')'.repeat(200000)); >%"),
    ("javascript", "%< JSON.parse('['.repeat(500000)); >%"),
    ("javascript", "%< new RegExp('('.repeat(200000) + ')'.repeat(200000)); >%"),
    (
        "javascript",
        "%< let a = []; a[0] = a; for (let i = 0, b = a; i < 1e5; ++i) b = [b], a = b; a.flat(Infinity);"
        " String(a); nope; >%",
    ),
    ("javascript", "%< let p = {}; for (let i = 0; i < 100000; ++i) p = new Proxy(p, {}); p.x; nope; >%"),
]


@pytest.mark.parametrize(("language", "body"), DEEP)
def test_deep_recursion_is_an_error(
    language: str, body: str, fails: Fails, lua: Run, javascript: Run
) -> None:
    assert fails(language, body, limits=Limits(steps=100_000_000)).message
    assert lua("%{= 1 }%").text + javascript("%<= 2 >%").text == "12"
