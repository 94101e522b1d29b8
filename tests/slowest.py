"""Prints the test files that took longest, so that what makes `make test` slow is seen when it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

__all__ = ["print_slowest", "seconds_by_file", "write_seconds"]

FILES = 10
LONG = 2.0
"""Files that take less (s) need not begin early."""


def seconds_by_file(reports: Iterable[object]) -> Counter[str]:
    """Sum up what set-ups, calls and tear-downs of tests took (s), by their files."""
    seconds: Counter[str] = Counter()
    for report in reports:
        if isinstance(report, pytest.TestReport):
            seconds[report.nodeid.partition("::")[0]] += report.duration
    return seconds


def print_slowest(terminal: pytest.TerminalReporter, idle: float | None = None) -> None:
    """Print the slowest files, if there are more than that many, and what processes waited at the end (s)."""
    seconds = seconds_by_file(report for reports in terminal.stats.values() for report in reports)
    if len(seconds) <= FILES:
        return
    terminal.section(f"slowest {FILES} files")
    for name, taken in seconds.most_common(FILES):
        terminal.write_line(f"{taken:7.1f} s  {name}")
    if idle is not None:
        terminal.write_line(f"{idle:7.1f} s  of processes without a test at the end")


def write_seconds(terminal: pytest.TerminalReporter, file: Path) -> None:
    """Write what the long files took, for the order of the next runs."""
    seconds = seconds_by_file(report for reports in terminal.stats.values() for report in reports)
    lines = [f"{taken:.1f} {name}\n" for name, taken in seconds.most_common() if taken >= LONG]
    file.write_text("".join(lines), encoding="utf-8")
