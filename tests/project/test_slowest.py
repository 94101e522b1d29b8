"""At the end of the tests stand the files that took longest."""

from __future__ import annotations

import pytest

from tests.slowest import seconds_by_file


def report(nodeid: str, when: str, seconds: float) -> pytest.TestReport:
    return pytest.TestReport(nodeid, ("a.py", 1, "a"), {}, "passed", None, when, duration=seconds)  # type: ignore[arg-type]


def test_all_phases_of_all_tests_of_a_file_count():
    reports = [
        report("tests/a.py::one", "setup", 1.0),
        report("tests/a.py::one[x::y]", "call", 2.0),
        report("tests/b.py::one", "call", 2.5),
        object(),
    ]
    assert seconds_by_file(reports).most_common() == [("tests/a.py", 3.0), ("tests/b.py", 2.5)]
