"""Tests that run under Wine are counted, and left out for reasons that stand in a list.

Judge: reports that pytest writes.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scripts.windows.listed import REASONS, START, reason_for
from scripts.windows.suite import Outcome, outcomes, share, table
from tests.project.files import CHECKOUT

TESTS = f"""
import pytest

def test_passes(): pass
def test_fails(): assert False
@pytest.fixture
def broken(): raise OSError
def test_cannot_begin(broken): pass
@pytest.mark.skip(reason="{START}pseudo terminals")
def test_is_left_out(): pass
def test_is_skipped(): pytest.skip("no tool")
"""


def report(folder: Path) -> list[Outcome]:
    """What pytest reports of the tests above."""
    (folder / "test_a.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--junitxml=out.xml",
        "test_a.py",
    ]
    subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return list(outcomes((folder / "out.xml").read_text()))


def test_outcomes_are_those_that_pytest_reports(tmp_path: Path):
    kinds = {each.name: each.kind for each in report(tmp_path)}
    assert kinds == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_cannot_begin": "failed",
        "test_is_left_out": "left out",
        "test_is_skipped": "skipped",
    }


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ({"passed": 9, "failed": 1}, 0.9),
        ({"passed": 8, "left out": 1, "skipped": 1}, 0.9),
        ({}, 0.0),
    ],
)
def test_a_skip_without_a_reason_in_the_list_counts_as_a_failure(counts: dict[str, int], expected: float):
    assert share(Counter(counts)) == expected


def test_the_table_has_a_row_for_each_folder_and_the_sum():
    found = [
        Outcome("tests.scene.test_a", "test_b", "passed", ""),
        Outcome("tests.scene.test_a.TestC", "test_d", "failed", ""),
        Outcome("", "tests.hal.test_e", "failed", "not imported"),
    ]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table(found).splitlines()]
    assert rows[2:] == [
        ["tests/scene", "1", "1", "0", "0", "50.0%"],
        ["tests/hal", "0", "1", "0", "0", "0.0%"],
        ["all", "1", "2", "0", "0", "33.3%"],
    ]


def test_a_test_is_left_out_by_its_file_or_its_name():
    reasons = {"signals": ["tests/a/test_b.py::test_c", "tests/d/"]}
    assert reason_for("tests/a/test_b.py::test_c[1]", reasons) == "signals"
    assert reason_for("tests/d/test_e.py::test_f", reasons) == "signals"
    assert reason_for("tests/a/test_b.py::test_g", reasons) == ""


def test_the_list_names_tests_that_exist():
    for start in (start for starts in REASONS.values() for start in starts):
        file, _, name = start.partition("::")
        assert (CHECKOUT / file).exists(), start
        assert not name or f"def {name.partition('[')[0]}" in (CHECKOUT / file).read_text("utf-8"), start
