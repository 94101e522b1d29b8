"""`--profile` and `--trace`: where the time of a run goes, as a table, as JSON and as a timeline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbridge.options import RunChoices
from wbridge.running.writable import Output, check_output
from wbridge.text_table import columns
from wbridge.words import counted

if TYPE_CHECKING:
    from wbridge.wbcore.profiling.profile import Profile, Report
    from wbridge.wbcore.profiling.spans import Usage
    from wbridge.wbcore.profiling.trace import Trace

TRACE = Output("write a trace to", "a trace", (".json",))
HEAD = ("", "calls/step", "us/step", "share", "longest us")
RIGHT = frozenset((1, 2, 3, 4))
NOTE = "Profiling adds about 0.5 us per call, and inline controllers run without their fast path."


class ProfileResult(NamedTuple):
    """The profile of a finished run."""

    report: Report
    path: Path | None
    """File of the trace."""
    dropped: int
    """Spans that the trace lacks, because their number is limited."""
    problem: str
    """Why the trace was not written; "" if it was or none was requested."""


class Profiling(NamedTuple):
    """A profile of a run that has not finished, and its trace."""

    profile: Profile
    trace: Trace | None
    path: Path | None

    def finish(self) -> ProfileResult:
        """End the measurement and write the trace."""
        report, problem = self.profile.finish(), ""
        if self.trace is None or self.path is None:
            return ProfileResult(report, None, 0, "")
        try:
            self.trace.write(self.path)
        except OSError as failure:
            problem = f"cannot write the trace to {self.path}: {failure.strerror or failure}"
        return ProfileResult(report, self.path, self.trace.dropped, problem)


def open_profile(chosen: RunChoices) -> Profiling | None:
    """Return the profile of a run; None if not requested."""
    if not chosen.profile and chosen.trace is None:
        return None
    from wbridge.wbcore.profiling.profile import Profile
    from wbridge.wbcore.profiling.trace import Trace

    trace = None if chosen.trace is None else Trace()
    return Profiling(Profile(trace=trace), trace, chosen.trace)


def check_trace(path: Path | None) -> None:
    """Check that a trace can be written, before the run starts.

    Raises:
        InputError: it cannot; the message says what to do.
    """
    check_output(path, TRACE)


def profile_lines(result: ProfileResult) -> list[str]:
    """Return the profile as a table."""
    report = result.report
    if not report.steps:
        return ["profile: no step was made"]
    rows = [_cells(row, report) for row in report.rows]
    total = ("total", "", f"{_us_per_step(report.elapsed_ns, report):,.1f}", "100.0 %", "")
    lines = [f"profile of {counted(report.steps, 'step')}:"]
    lines += columns([HEAD, *rows, total], right=RIGHT)
    if report.processes:
        head = ("controller processes, at the same time", *HEAD[1:])
        lines += [
            "",
            *columns([head, *(_cells(process, report) for process in report.processes)], RIGHT),
        ]
    return [*lines, NOTE, *_trace_lines(result)]


def _trace_lines(result: ProfileResult) -> list[str]:
    if result.path is None or result.problem:
        return []
    lacks = f"; it lacks the last {counted(result.dropped, 'span')}" if result.dropped else ""
    return [f"trace for https://ui.perfetto.dev: {result.path}{lacks}"]


def _cells(row: Usage, report: Report) -> tuple[str, str, str, str, str]:
    calls, longest = f"{row.calls / report.steps:,.2f}", f"{row.longest_ns / 1000:,.0f}"
    if not row.calls:
        calls = longest = ""
    share = 100 * row.time_ns / report.elapsed_ns if report.elapsed_ns else 0.0
    return row.name, calls, f"{_us_per_step(row.time_ns, report):,.1f}", f"{share:.1f} %", longest


def _us_per_step(time_ns: int, report: Report) -> float:
    return time_ns / 1000 / report.steps


def profile_data(result: ProfileResult) -> dict[str, object]:
    """Return the profile for JSON; times are those of the whole run (s)."""
    report = result.report
    return {
        "steps": report.steps,
        "seconds": report.elapsed_ns / 1e9,
        "rows": [_row_data(row) for row in report.rows],
        "processes": [_row_data(process) for process in report.processes],
        "trace": str(result.path) if result.path else None,
        "trace_problem": result.problem or None,
        "trace_dropped": result.dropped,
    }


def _row_data(row: Usage) -> dict[str, object]:
    return {
        "name": row.name,
        "calls": row.calls,
        "seconds": row.time_ns / 1e9,
        "longest": row.longest_ns / 1e9,
    }
