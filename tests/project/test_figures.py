"""Figures of the house count what they name, and each has a limit that may only fall."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from scripts import classes, figures, names, reflowed


def nodes(text: str) -> list[ast.AST]:
    return list(ast.walk(ast.parse(text)))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("one = 1", "one"),
        ("for one in rows: pass", "one"),
        ("[one for one in rows]", "one"),
        ("def f(given): pass", "given"),
        ("with open(x) as made: pass", "made"),
        ("if (found := f()): pass", "found"),
        ("class InlineSeat: pass", "seat"),
        ("def _told_port(): pass", "told"),
        ("MOST_TOLD = 3", "told"),
        ("match x:\n    case [thing]: pass", "thing"),
    ],
)
def test_a_binding_of_an_empty_name_is_counted_with_its_replacement(text: str, word: str):
    (place,) = names.places(nodes(text))
    assert place.word == word
    assert "`" in place.replacement or "word of its class" in place.replacement


@pytest.mark.parametrize(
    "text", ["print(one)", "a.one", "seating = 1", "everyone = 1", "'told'", "# one = 1"]
)
def test_what_binds_no_empty_name_is_not_counted(text: str):
    assert list(names.places(nodes(text))) == []


def test_a_protocol_with_one_implementer_is_named_with_it():
    text = """
class Sized(Protocol):
    def size(self): ...
class Named(Protocol):
    name: str
class Called(Protocol):
    def __call__(self): ...
class Box:
    def __init__(self):
        self.name = ""
    def size(self): ...
class SmallBox(Box): ...
class Ball:
    name: str
    def __call__(self): ...
"""
    assert classes.single_protocols({"a.py": nodes(text)}) == ["a.py:2 Sized: only a.py:8 Box"]


def test_attributes_are_those_of_the_class_and_of_self():
    text = "class A:\n    x: int\n    def f(self, o):\n        self.y, o.z = 1, 2\n        print(self.w)\n"
    assert classes.largest_classes({"a.py": nodes(text)}) == [(2, "a.py:1 A")]


def test_joined_items_of_a_list_in_a_docstring_are_broken():
    text = '"""Rules:\n\n* A rule. * A second one.\n* * A third one.\n* A product, 2 * 3.\n"""\n'
    assert list(reflowed.broken_paragraphs(nodes(text))) == [3, 4]


def test_lines_per_comment_do_not_count_blank_lines(tmp_path: Path):
    file = tmp_path / "a.py"
    file.write_text("# why\n\nx = '#'\ny = 2  # what\n\nz = 3\n", encoding="utf-8")
    assert figures.lines_per_comment([file]) == 2


def test_a_figure_above_its_limit_is_named_with_the_command_that_lists_its_places():
    (message,) = figures.excess(
        {"uses of Any": 3, "floors of hal": 5}, {"uses of Any": 2, "floors of hal": 5}
    )
    assert message.startswith("uses of Any: 3; allowed: 2.")
    assert "--places 'uses of Any'" in message


def test_limits_are_lowered_and_never_raised(tmp_path: Path):
    file = tmp_path / "figures.toml"
    file.write_text('# why\n[limits]\n"a" = 3\n"b" = 3\n', encoding="utf-8")
    figures.lower({"a": 2, "b": 4}, file)
    assert file.read_text(encoding="utf-8") == '# why\n[limits]\n"a" = 2\n"b" = 3\n'
