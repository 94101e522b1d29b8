"""Templates as users write them: loops around text, conditions, strings, prints, lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from wbridge.wbcore.scene.templates import FieldPair, Rendered, render

Run = Callable[..., Rendered]

# The example of the reference manual, chapter 5.4.4, with its shorthands written out.
STAIRS = """
    # template statements can be used from here
    %{
    -- a template statement can be written on several lines
    if fields.nSteps.value < 1 then
      print('nSteps should be strictly positive')
    end
    print(context.proto)
    if fields.appearance.value and fields.appearance.value.fields.texture.value then
      print(fields.appearance.value.fields.texture.value.fields.url.value[1])
    end
    }%
    Solid {
      translation IS translation
      children [
        %{ for i = 0, (fields.nSteps.value - 1) do }%
          %{ x = i * fields.stepSize.value.x }%
          %{ y = i * fields.stepSize.value.y + fields.stepSize.value.y / 2 }%
          Transform { translation %{=x}% %{=y}% 0 children [ Shape { geometry Box { size IS stepSize } } ] }
        %{ end }%
      ]
    }
"""


def test_example_of_the_manual() -> None:
    texture = {"node_name": "ImageTexture", "fields": {"url": FieldPair(["a.png"], [])}}
    appearance = {"node_name": "Appearance", "fields": {"texture": FieldPair(texture, None)}}
    step = {"x": 0.25, "y": 0.5, "z": 0.8}
    fields = {
        "nSteps": FieldPair(3, 10),
        "stepSize": FieldPair(step, step),
        "appearance": FieldPair(appearance, None),
    }
    result = render(STAIRS, "lua", fields, {"proto": "/p/SimpleStairs.proto"})
    places = re.findall(r"Transform \{ translation (.*) children", result.text)
    assert places == ["0 0.25 0", "0.25 0.75 0", "0.5 1.25 0"]
    assert result.output == ("/p/SimpleStairs.proto", "a.png")


LOOPS = [
    ("lua", "%{ for i = 1, 3 do }%a%{= i }% %{ end }%"),
    ("javascript", "%< for (let i = 1; i < 4; ++i) { >%a%<= i >% %< } >%"),
]


@pytest.mark.parametrize(("language", "body"), LOOPS)
def test_loops_run_around_text(language: str, body: str) -> None:
    assert render(body, language, {}, {}).text == "a1 a2 a3 "


CONDITIONS = [
    ("lua", "%{ if fields.f.value then }%yes%{ else }%no%{ end }%"),
    ("javascript", "%< if (fields.f.value) { >%yes%< } else { >%no%< } >%"),
    ("javascript", "%< if (fields.f.value) >%yes%< else >%no"),
    ("javascript", "%<= fields.f.value ? 'yes' : 'no' >%"),
]


@pytest.mark.parametrize(("language", "body"), CONDITIONS)
@pytest.mark.parametrize("choice", [True, False])
def test_conditions_choose_text(language: str, body: str, choice: bool) -> None:
    text = render(body, language, {"f": FieldPair(choice, choice)}, {}).text
    assert text == ("yes" if choice else "no")


def test_functions_may_hold_text(lua: Run, javascript: Run) -> None:
    assert lua("%{ local function box(s) }%Box{%{= s }%}%{ end box(1) box(2) }%").text == "Box{1}Box{2}"
    assert javascript("%< function box(s) { >%Box{%<= s >%}%< } box(1); box(2); >%").text == "Box{1}Box{2}"


def test_plain_text_stays_as_it_is(lua: Run, javascript: Run) -> None:
    text = 'name "a\\"b\\\\ é ${x} `q` %d" # it\'s %{= 1 }% %<= 1 >%\n\tSolid { }\0\n'
    assert lua(text).text == text
    assert javascript(text).text == text


@pytest.mark.parametrize("body", ["", "\n", "x"])
def test_bodies_without_statements(body: str, lua: Run, javascript: Run) -> None:
    assert lua(body).text == body
    assert javascript(body).text == body


def test_nested_quotes(lua: Run, javascript: Run) -> None:
    assert lua("""name "%{= "in" .. '"quoted"' }%" """).text == 'name "in"quoted"" '
    assert javascript("""name "%<= "in" + `'${"x"}'` >%" """).text == "name \"in'x'\" "


def test_statement_may_end_in_a_comment(lua: Run, javascript: Run) -> None:
    assert lua("%{ x = 1 -- one }%a%{= x -- it }%b").text == "a1b"
    assert javascript("%< let x = 1 // one >%a%<= x // it >%b").text == "a1b"


def test_semicolons_may_be_missing_or_doubled(lua: Run, javascript: Run) -> None:
    assert javascript("%< let x = 1 >%%< let y = 2; >%%<= x + y; >%").text == "3"
    assert lua("%{ x = 1; }%%{ y = 2 }%%{= x + y }%").text == "3"


def test_line_ends_of_windows_count_once(fails: Callable[..., Any], lua: Run) -> None:
    assert lua("a\r\n%{= 1 }%\r\nb").text == "a\n1\nb"
    assert fails("lua", "a\r\nb\r\n%{ error('x') }%\r\n").line == 3


def test_prints_are_captured_apart(lua: Run, javascript: Run) -> None:
    result = lua(
        "%{ print('a', 1, nil) io.write('b', 2, '\\n') io.stdout:write('c'):write('d')"
        " io.stderr:write('e\\nf\\n') }%"
    )
    assert (result.output, result.errors_output) == (("a\t1\tnil", "b2", "cd"), ("e", "f"))
    result = javascript(
        "%< console.log('a', 1); console.info([1]); console.warn('w'); console.debug(true);"
        " console.error('e'); stdout.push('o'); >%"
    )
    assert result.output == ("a 1", "[", " 1", "]", "w", "true", "o")
    assert result.errors_output == ("e",)


def test_generated_lines_know_their_origin(lua: Run) -> None:
    body = "A\n%{ for i = 1, 2 do }%\nB%{= i }%\n%{ end }%\n%{= 'p\\nq\\nr' }%\nC"
    result = lua(body, first_line=20)
    lines = result.text.split("\n")
    origins = {text: result.line_of(number) for number, text in enumerate(lines, 1) if text}
    assert lines == ["A", "", "B1", "", "B2", "", "p", "q", "r", "C"]
    assert origins == {"A": 20, "B1": 22, "B2": 22, "p": 24, "q": 24, "r": 24, "C": 25}


def test_origin_in_javascript(javascript: Run) -> None:
    body = "A\n  %< const two = 'x\\ny';\n\n>% Solid\n%<= two >%\nB"
    result = javascript(body, first_line=5)
    assert result.text.split() == ["A", "Solid", "x", "y", "B"]
    assert [result.line_of(number) for number in range(1, 6)] == [5, 8, 9, 9, 10]
    assert result.line_of(100) == 105


def test_unknown_language_is_refused() -> None:
    with pytest.raises(ValueError, match="allowed: lua, javascript"):
        render("x", "python", {}, {})


def test_generated_text_is_always_valid_unicode(lua: Run, javascript: Run) -> None:
    assert lua("%{= '\\255\\200a' }%").text == "\ufffd\ufffda"
    assert javascript("%<= '\\ud800' + 'a' + '\\ud83d\\ude00' >%").text == "\ufffda\U0001f600"


def test_lua_libraries_work(lua: Run) -> None:
    assert (
        lua("%{= table.maxn({1, 2, nil, 4, [9] = 1}) .. ('%03d'):format(7) .. bit32.band(6, 3) }%").text
        == "90072"
    )
    assert (
        lua(
            "%{= unpack({5, 6}) .. select('#', unpack({1, 2})) .. math.atan2(0, 1) .. math.log10(100) }%"
        ).text
        == "5202"
    )
    assert (
        lua(
            "%{ local co = coroutine.wrap(function(a) local b = coroutine.yield(a) return b end) }%"
            "%{= co(1) .. co(2) }%"
        ).text
        == "12"
    )
    assert lua(
        "%{ local f = load('return ...', 'n') }%%{= f(3) .. tostring(select(2, load('x x'))) }%"
    ).text.startswith("3")
