"""The table of state hashes: what it says about a platform whose hashes differ."""

from __future__ import annotations

from pathlib import Path

from scripts.portable.table import difference, page, table
from scripts.portable.worlds import Sample

SAMPLE = Sample("arm", Path("arm.physics"), ("10 aa", "20 bb"))


def runs(hashes: list[str], values: list[str]):
    """A platform that prints these lines."""
    return lambda _file, _steps, how: values if how == "values" else hashes


def test_equal_hashes_are_one_sign():
    assert difference(SAMPLE, ["10 aa", "20 bb"], runs([], []), runs([], [])) == "="


def test_the_first_step_and_value_that_differ_are_named():
    steps = [f"{i} {i}" for i in range(1, 21)]
    others = [*steps[:12], *(f"{i} x" for i in range(13, 21))]
    ours = runs(steps, ["position 0 00 01 02", "spin 3 00 01 02"])
    theirs = runs(others, ["position 0 00 01 02", "spin 3 00 01 03"])
    assert difference(SAMPLE, ["10 aa", "20 xx"], ours, theirs) == "step 13: spin[2] of 3: 02, not 03"


def test_the_table_has_a_row_for_each_world_with_its_last_hash():
    lines = table(["clang", "Windows"], [(SAMPLE, ["=", "step 3"])]).splitlines()
    assert [line.split() for line in lines] == [
        ["world", "hash", "clang", "Windows"],
        ["arm", "bb", "=", "step", "3"],
    ]


def test_the_page_has_the_same_rows():
    lines = page(["clang", "Windows"], [(SAMPLE, ["=", "step 3"])]).splitlines()
    assert lines[-3:] == [
        "| world | hash | clang | Windows |",
        "| --- | --- | --- | --- |",
        "| arm | `bb` | = | step 3 |",
    ]
