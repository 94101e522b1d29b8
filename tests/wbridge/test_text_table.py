"""Aligned columns."""

import pytest

from wbridge.text_table import columns, wrapped


def test_cells_of_a_column_start_at_one_place():
    assert columns([["tag", "name"], ["1", "left wheel motor"]]) == ["tag  name", "1    left wheel motor"]


def test_cells_of_a_right_column_end_at_one_place():
    assert columns([["tag", "name"], ["12", "gps"]], right=frozenset({0})) == ["tag  name", " 12  gps"]


def test_a_cell_of_several_lines_keeps_its_column():
    assert columns([["a", "one\ntwo", "x"], ["b", "three", "y"]]) == ["a  one    x", "   two", "b  three  y"]


def test_no_rows_give_no_lines():
    assert columns([]) == []


def test_rows_of_different_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        columns([["a", "b"], ["c"]])


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ([], ""),
        (["one"], "one"),
        (["one", "two"], "one, two"),
        (["one", "two", "three"], "one, two,\nthree"),
        (["longer than a line", "b"], "longer than a line,\nb"),
    ],
)
def test_items_are_wrapped_between_them_only(items: list[str], text: str):
    assert wrapped(items, 9) == text
