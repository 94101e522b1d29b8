"""What is template code in a body, and what is plain text."""

from __future__ import annotations

import pytest

from wbridge.wbcore.scene.templates import TemplateError, is_procedural, used_fields
from wbridge.wbcore.scene.templates.pieces import EXPRESSION, STATEMENT, TEXT, Piece, split


@pytest.mark.parametrize(
    ("body", "language"),
    [
        ("Solid { }", None),
        ("Solid { %{ x = 1 }% }", "lua"),
        ("Solid { name %<= 1 >% }", "javascript"),
        ("# %{ only a comment }%\nSolid { }", None),
        ("# %{ comment }%\nSolid { %< let a = 1; >% }", "javascript"),
        ('name "%{= 1 }%"', "lua"),
        ('name "100 % sure" # 5 %', None),
        ('name "a # b %{= 1 }%"', "lua"),
        ('name "\\" # %{= 1 }%"', "lua"),
    ],
)
def test_language_is_that_of_the_first_token_outside_comments(body: str, language: str | None) -> None:
    assert is_procedural(body) == language


def test_split_gives_kinds_texts_and_lines() -> None:
    assert list(split("A\n%{ x = 1\n}% B %{= x }%\nC", "lua")) == [
        Piece(TEXT, "A\n", 1),
        Piece(STATEMENT, " x = 1\n", 2),
        Piece(TEXT, " B ", 3),
        Piece(EXPRESSION, " x ", 3),
        Piece(TEXT, "\nC", 3),
    ]


def test_tokens_of_the_other_language_are_text() -> None:
    assert [piece.kind for piece in split("%< a >%", "lua")] == [TEXT]


def test_comment_hides_tokens_to_the_end_of_its_line_only() -> None:
    kinds = [piece.kind for piece in split('a "#" %{= 1 }% # %{= 2 }%\n%{= 3 }%', "lua")]
    assert kinds == [TEXT, EXPRESSION, TEXT, EXPRESSION]


def test_quote_does_not_hold_beyond_its_line() -> None:
    body = '%{ if a then }% "x %{ else }% "y %{ end }% "\n# %{ hidden }%'
    assert [piece.text for piece in split(body, "lua") if piece.kind == STATEMENT] == [
        " if a then ",
        " else ",
        " end ",
    ]


def test_number_sign_inside_a_statement_belongs_to_the_language() -> None:
    assert [piece.text for piece in split("%{ n = #list }%", "lua")] == [" n = #list "]


@pytest.mark.parametrize(
    ("body", "language", "line", "column", "hint"),
    [
        ("a\n  %{ x", "lua", 2, 3, "'}%' is missing"),
        ("a\n\n%<= x >\n", "javascript", 3, 1, "'>%' is missing"),
        ("a\n%{ end %}", "lua", 2, 1, "'%}' does not close it"),
    ],
)
def test_unclosed_statement_is_an_error_with_its_place(
    body: str, language: str, line: int, column: int, hint: str
) -> None:
    with pytest.raises(TemplateError, match="never closed") as caught:
        list(split(body, language))
    assert (caught.value.line, caught.value.column) == (line, column)
    assert hint in caught.value.message


def test_used_fields_are_those_named_in_statements() -> None:
    body = """
    # %{ fields.commented.value }%
    radius IS shape
    text "fields.quoted"
    %{ local a = fields.size.value; local b = myfields.other; local c = fields.sizes }%
    %{= fields.height.value }% "%{= fields.inString.value }%"
    """
    names = ["size", "sizes", "height", "inString", "commented", "shape", "quoted", "other", "siz"]
    assert used_fields(body, names) == {"size", "sizes", "height", "inString"}


def test_used_fields_of_javascript_and_plain_bodies() -> None:
    assert used_fields("%< const a = fields.a.value, b = xfields.b; >%", "ab") == {"a"}
    assert used_fields("Solid { }", "ab") == set()
