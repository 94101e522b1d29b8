"""Points for what runs have measured, and why some are missing."""

from __future__ import annotations

import math
import signal
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from wbridge.wbcore.controllers.runner import WAIT_TIMED_OUT
from wbridge.wbcore.scene.diagnostics import printable
from wbridge.wbfleet.grading.rubric import Criterion, Rubric
from wbridge.wbfleet.grading.sandbox.plan import OVER

ENDINGS = {}
"""What exit codes of programs mean."""
if sys.platform != "win32":
    ENDINGS[-signal.SIGXCPU] = "the program used more processor time than allowed"
    ENDINGS[-signal.SIGXFSZ] = "the program wrote a larger file than allowed"
TOO_LONG = "the program computed for too long without a step"


class Result(NamedTuple):
    """How well a submission meets a criterion."""

    criterion: Criterion
    points: float
    notes: tuple[str, ...]
    """Why points are missing, for each run that did not meet it."""
    shown: tuple[str, ...] = ()
    """What of this the student sees: hidden criteria and runs only count their points."""


class Grade(NamedTuple):
    """The grade of a submission."""

    name: str
    results: tuple[Result, ...]
    folder: str = ""
    """Name of its folder in those of `Places`; "" without pages."""

    @property
    def points(self) -> float:
        """All points."""
        return sum(result.points for result in self.results)

    @property
    def notes(self) -> str:
        """Why points are missing, each reason once, as one line."""
        return "; ".join(dict.fromkeys(note for result in self.results for note in result.notes))

    @property
    def shown(self) -> str:
        """What of the notes the student sees, as one line."""
        return "; ".join(dict.fromkeys(note for result in self.results for note in result.shown))


def graded(rubric: Rubric, name: str, runs: Sequence[dict[str, object]], problem: str = "") -> Grade:
    """Return the grade of a program.

    Args:
        rubric: how to grade.
        name: of the program's author.
        runs: results of `wbridge.wbfleet.sweeps.job.simulate`, in the order of `Rubric.all_seeds`.
        problem: why there is no program; "" if there is one.
    """
    results = []
    for criterion in rubric.criteria:
        if problem:
            results.append(Result(criterion, 0.0, (problem,), (problem,)))
            continue
        judged = [_judged(criterion, seed, run) for seed, run in zip(rubric.all_seeds, runs, strict=True)]
        points = criterion.points * math.fsum(credit for credit, _ in judged) / len(judged)
        notes = tuple(note for _, note in judged if note)
        results.append(Result(criterion, points, notes, _shown(rubric, criterion, judged)))
    return Grade(name, tuple(results))


def _judged(criterion: Criterion, seed: int, run: dict[str, Any]) -> tuple[float, str]:
    """Return the share of the points that a run gets, and why others are missing; "" if none are."""
    if run["status"] != 0:
        return 0.0, f"seed {seed}: {_explained(run)}"
    value = run["metrics"][criterion.metric.name]
    credit = criterion.credit(value)
    if credit == 1:
        return 1.0, ""
    part = f" ({100 * credit:.0f} % of the points)" if credit else ""
    return credit, f"seed {seed}: {criterion.metric.name} is {value:.6g}, wanted {criterion.limits}{part}"


def _shown(rubric: Rubric, criterion: Criterion, judged: Sequence[tuple[float, str]]) -> tuple[str, ...]:
    """Return the notes for the student, in which hidden criteria and runs have no details."""
    if criterion.hidden:
        return ("a hidden test is not met",) if any(note for _, note in judged) else ()
    count = len(rubric.seeds)
    notes = [note for _, note in judged[:count] if note]
    if any(note for _, note in judged[count:]):
        notes.append("not met in a hidden run")
    return tuple(notes)


def _explained(run: dict[str, Any]) -> str:
    """Return why a run has failed, in words for authors: the program is a copy in a temporary folder."""
    code, said = run["exit_code"], printable(run["said"])
    if code in ENDINGS:
        return ENDINGS[code]
    if code == OVER and said:
        return said
    if code is not None:
        return f"the program ended with exit code {code}{said and ': '}{said}"
    return TOO_LONG if run["reason"] == WAIT_TIMED_OUT else printable(str(run["reason"]))
