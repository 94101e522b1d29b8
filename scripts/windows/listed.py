"""A plugin of pytest for runs under Wine: it skips tests of what Windows lacks, with a reason from a list.

Lines that programs print end there with two characters; tests that read them get one, as from Python's own
readers of programs. It also writes what becomes of each test into a file, as soon as it is known. Where one
ends or stops its process, another process goes on behind it.
"""

from __future__ import annotations

import functools
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest
from _pytest.capture import CaptureResult

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = [
    "BEGUN",
    "COMPLETE",
    "ENDED",
    "REASONS",
    "RESULTS",
    "START",
    "capfd",
    "pytest_collection_modifyitems",
    "pytest_collectreport",
    "pytest_pycollect_makemodule",
    "pytest_runtest_logreport",
    "pytest_runtest_logstart",
    "pytest_sessionfinish",
    "reason_for",
]

RESULTS = "WBRIDGE_TEST_RESULTS"
"""Environment: the file of the results. Each line has the name of a test, a kind of result and a text."""
BEGUN, ENDED, COMPLETE = "begun", "ended", "complete"
"""Kinds of other lines: a test has not ended, a process has run its tests, all tests of a file have run."""
KINDS = {"passed": 0, "left out": 1, "skipped": 2, "failed": 3}
"""Kinds of results of the parts of a test; the highest is that of the test."""

START = "Windows: "
"""With this begin the reasons of skips that stand in the list."""
LIST = Path(__file__).with_name("reasons.toml")
REASONS: Mapping[str, Sequence[str]] = tomllib.loads(LIST.read_text(encoding="utf-8"))
"""Files and starts of names of tests, by the reason for which Windows cannot run them."""


def reason_for(name: str, reasons: Mapping[str, Sequence[str]] = REASONS) -> str:
    """Return why a test is left out on Windows; "" if it is to run there.

    Args:
        name: of the test, such as tests/hal/test_ready.py::test_numbers.
        reasons: the list.
    """
    return next((reason for reason, starts in reasons.items() if name.startswith(tuple(starts))), "")


@pytest.fixture
def capfd(capfd: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    """Return pytest's fixture of this name, whose lines end as on other systems."""
    read = capfd.readouterr
    both = {"readouterr": lambda: CaptureResult(*(text.replace("\r\n", "\n") for text in read()))}
    vars(capfd).update(both)
    return capfd


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what the list names, and leave what an earlier process has run."""
    items[:] = [item for item in items if item.nodeid not in _done()]
    for item in items:
        if reason := reason_for(item.nodeid):
            item.add_marker(pytest.mark.skip(reason=START + reason))


def pytest_runtest_logstart(nodeid: str) -> None:
    """Write that a test begins."""
    _state.kind, _state.text = "passed", ""
    _write(nodeid, BEGUN, "")


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Write what became of a test, when its last part has ended."""
    _add(report)
    if report.when == "teardown":
        _write(report.nodeid, _state.kind, _state.text)


def pytest_collectreport(report: pytest.CollectReport) -> None:
    """Write that a file cannot be imported, or is skipped as a whole."""
    if report.outcome != "passed" and report.nodeid not in _done():
        _state.kind, _state.text = "passed", ""
        _add(report)
        _write(report.nodeid, _state.kind, _state.text)


def pytest_sessionfinish() -> None:
    """Write that the process has run all its tests."""
    _write("", ENDED, "")


class _State:
    kind, text = "passed", ""


_state = _State()


def _add(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Add a part of a test."""
    text = report.longreprtext
    kind = "left out" if report.outcome == "skipped" and START in str(report.longrepr) else report.outcome
    if KINDS[kind] > KINDS[_state.kind]:
        last = next((line for line in reversed(text.splitlines()) if line.startswith("E  ")), "")
        _state.kind = kind
        _state.text = (last[1:] or text or str(report.longrepr)).strip()


def _write(name: str, kind: str, text: str) -> None:
    if path := os.environ.get(RESULTS):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps([name, kind, text]) + "\n")


@functools.cache
def _done() -> set[str]:
    """Return the names in the file of the results, at the start of this process."""
    path = os.environ.get(RESULTS, "")
    if not os.path.exists(path):
        return set()
    with open(path, encoding="utf-8") as file:
        return {json.loads(line)[0] for line in file}


class LeftOut(pytest.Module):
    """A file that Windows cannot even import; it counts as one test."""

    def collect(self) -> Iterator[pytest.Item]:
        """Skip the file."""
        pytest.skip(START + reason_for(self.nodeid), allow_module_level=True)


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> pytest.Module | None:
    """Leave out files that the list names as a whole."""
    name = module_path.relative_to(parent.config.rootpath).as_posix()
    return LeftOut.from_parent(parent, path=module_path) if reason_for(name) else None
