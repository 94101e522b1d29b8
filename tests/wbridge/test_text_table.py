"""Aligned columns."""

import pytest

from wbridge.text_table import columns


def test_cells_of_a_column_start_at_one_place():
    assert columns([["tag", "name"], ["1", "left wheel motor"]]) == ["tag  name", "1    left wheel motor"]


def test_cells_of_a_right_column_end_at_one_place():
    assert columns([["tag", "name"], ["12", "gps"]], right=frozenset({0})) == ["tag  name", " 12  gps"]


def test_no_rows_give_no_lines():
    assert columns([]) == []


def test_rows_of_different_length_are_refused():
    with pytest.raises(ValueError, match="shorter"):
        columns([["a", "b"], ["c"]])
