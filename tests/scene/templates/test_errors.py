"""Errors of templates: the line of the PROTO file and the engine's sentence, without the stack."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from wbridge.wbcore.scene.templates import TemplateError

Fails = Callable[..., TemplateError]

RUNTIME = [
    ("lua", "a\nb %{ local t = nil\n local u = t.x }%", 3, "attempt to index local 't' (a nil value)"),
    ("lua", "a\n%{= fields.nope.value }%", 2, "attempt to index field 'nope' (a nil value)"),
    ("lua", "a\n%{ error('bad size') }%", 2, "bad size"),
    ("lua", "a\n%{ error({}) }%", 2, "table: 1"),
    ("lua", "a\n%{ error() }%", 2, "nil"),
    (
        "lua",
        "\n%{ for i = 1, 3 do }%\nx %{= i + {} }%\n%{ end }%",
        3,
        "attempt to perform arithmetic on a table value",
    ),
    ("javascript", "a\nb %< let t;\n t.x; >%", 3, "TypeError: cannot read property 'x' of undefined"),
    ("javascript", "a\n%<= fields.nope.value >%", 2, "TypeError: cannot read property 'value' of undefined"),
    ("javascript", "a\n%< throw new Error('bad size'); >%", 2, "Error: bad size"),
    ("javascript", "a\n%< throw 'just text'; >%", None, "just text"),
    (
        "javascript",
        "\n%< for (const i of [1]) { >%\nx %<= nope >%\n%< } >%",
        3,
        "ReferenceError: nope is not defined",
    ),
    ("javascript", "\n%< x = 1; >%", 2, "ReferenceError: x is not defined"),
    ("javascript", "\n" * 7000 + "%< throw new Error('far'); >%", 7001, "Error: far"),
    (
        "javascript",
        "%< import * as v from 'wbvector2.js'; >%" + "\n" * 7000 + "%< v.norm(undefined); >%",
        7001,
        "TypeError: cannot read property 'x' of undefined",
    ),
]


@pytest.mark.parametrize(("language", "body", "line", "message"), RUNTIME)
def test_runtime_errors(language: str, body: str, line: int | None, message: str, fails: Fails) -> None:
    error = fails(language, body)
    assert (error.line, error.message) == (line, message)


SYNTAX = [
    ("lua", "a\n%{ x = = 3 }%", 2, "unexpected symbol near '='"),
    (
        "lua",
        "a\n%{ for i = 1, 3 do }%\nb\n%{ x = 1 }%",
        4,
        "'end' expected (to close 'for' at line 2) near <eof>",
    ),
    ("lua", "a\n%{= }%\n", 2, "unexpected symbol near ')'"),
    ("lua", "a\n%{ if x }%text", 2, "'then' expected near the end of the statement"),
    ("lua", "a\n\n%{ goto there }%", 3, "no visible label 'there' for <goto> at line 3"),
    ("javascript", "a\n%< let = ; >%", 2, None),
    ("javascript", "a\n%< let x = (1 >%\ntext", 2, None),
    ("javascript", "a\nb\n%<= >%", 3, "SyntaxError: unexpected token in expression: ';'"),
    ("javascript", "%< for (;;) { >%\nb\n", 3, None),
    ("javascript", "a %< } >%", None, None),
]


@pytest.mark.parametrize(("language", "body", "line", "message"), SYNTAX)
def test_syntax_errors(language: str, body: str, line: int | None, message: str | None, fails: Fails) -> None:
    error = fails(language, body)
    assert line is None or error.line == line
    assert message is None or error.message == message
    assert "__" not in error.message
    assert "\n" not in error.message


def test_first_line_moves_all_lines(fails: Fails) -> None:
    assert fails("lua", "a\n%{ error('x') }%", first_line=31).line == 32
    assert (
        "(to close 'for' at line 32)"
        in fails("lua", "a\n%{ for i = 1, 3 do\n x = 1 }%", first_line=31).message
    )
    assert fails("javascript", "a\n%< nope >%", first_line=31).line == 32
    error = fails("javascript", "a\n  %< nope", first_line=31)
    assert (error.line, error.column) == (32, 3)
    assert fails("javascript", "  %< nope", first_line=31).column is None


def test_text_of_the_error_starts_with_the_line(fails: Fails) -> None:
    assert str(fails("lua", "a\n%{ error('bad') }%")) == "line 2: bad"


def test_error_inside_a_module_names_the_line_that_called_it(fails: Fails) -> None:
    body = "\n%< import {combine} from 'wbrotation.js';\nconst a = 1;\ncombine(null, 1); >%"
    assert fails("javascript", body).line == 4
    assert fails("lua", "\n%{ local v = require('wbvector2')\nv.add(nil, 1) }%").line == 3


def test_error_in_a_function_names_its_innermost_line(fails: Fails) -> None:
    assert fails("javascript", "%<\nfunction f() {\n  return nope;\n}\n>%\n%<= f() >%").line == 3
    assert fails("lua", "%{\nfunction f()\n  return nope.x\nend\n}%\n%{= f() }%").line == 3
