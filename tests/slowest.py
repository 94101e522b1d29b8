"""Prints the test files that took longest, so that what makes `make test` slow is seen when it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

__all__ = ["print_slowest", "seconds_by_file"]

FILES = 10


def seconds_by_file(reports: Iterable[object]) -> Counter[str]:
    """Sum up what set-ups, calls and tear-downs of tests took (s), by their files."""
    seconds: Counter[str] = Counter()
    for report in reports:
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    return seconds


def print_slowest(terminal: pytest.TerminalReporter) -> None:
    """Print the slowest files, if there are more than that many."""
    seconds = seconds_by_file(report for reports in terminal.stats.values() for report in reports)
    if len(seconds) <= FILES:
        return
    terminal.section(f"slowest {FILES} files")
    for name, taken in seconds.most_common(FILES):
        terminal.write_line(f"{taken:7.1f} s  {name}")
