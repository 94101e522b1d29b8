"""Grades: runs each submission with each seed, and gives points by the rubric."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from wbcore.controllers.runner import WAIT_TIMED_OUT
from wbcore.scene.diagnostics import printable
from wbcore.scene.load import World
from wbfleet.grading.limits import MEGABYTE, Isolation, launcher
from wbfleet.grading.rubric import Criterion, Rubric
from wbfleet.grading.sandbox.plan import NONE, OVER
from wbfleet.grading.submissions import Submission, place
from wbfleet.sweeps.crew import Crew
from wbfleet.sweeps.job import Job, failure

__all__ = ["Grade", "Result", "grade_all"]

SPARE_S = 30.0
"""Real time beyond the limit of processor time after which a run is stopped from outside."""
ENDINGS = {
    -signal.SIGXCPU: "the program used more processor time than allowed",
    -signal.SIGXFSZ: "the program wrote a larger file than allowed",
}
"""What exit codes of programs mean."""
TOO_LONG = "the program computed for too long without a step"


class Result(NamedTuple):
    """How well a submission meets a criterion."""

    criterion: Criterion
    points: float
    notes: tuple[str, ...]
    """Why points are missing, for each run that did not meet it."""


class Grade(NamedTuple):
    """The grade of a submission."""

    name: str
    results: tuple[Result, ...]

    @property
    def points(self) -> float:
        """All points."""
        return sum(result.points for result in self.results)

    @property
    def notes(self) -> str:
        """Why points are missing, each reason once, as one line."""
        return "; ".join(dict.fromkeys(note for result in self.results for note in result.notes))


def grade_all(
    rubric: Rubric, world: World, submissions: Sequence[Submission], isolation: Isolation, jobs: int
) -> Iterator[Grade]:
    """Yield the grade of each submission, in their order.

    Runs do not influence each other: each has its own copy of the submission and its own processes.

    Args:
        rubric: how to grade.
        world: its world, loaded without errors.
        submissions: what to grade.
        isolation: what the system enforces.
        jobs: number of runs at the same time.
    """
    longest = rubric.limits.cpu_s + rubric.timeout_s + SPARE_S
    with TemporaryDirectory(prefix="wbridge-grade-") as name, Crew(jobs, longest) as crew:
        folder = Path(name)
        runs = [
            _begin(rubric, world, submission, isolation, crew, folder / str(number))
            for number, submission in enumerate(submissions)
        ]
        for number, (submission, futures) in enumerate(zip(submissions, runs, strict=True)):
            yield _graded(rubric, submission, [future.result() for future in futures])
            shutil.rmtree(folder / str(number), ignore_errors=True)


def _begin(
    rubric: Rubric, world: World, submission: Submission, isolation: Isolation, crew: Crew, folder: Path
) -> list[Future[dict[str, Any]]]:
    """Begin the runs of a submission, one for each seed."""
    if submission.file is None:
        return []
    try:
        programs = _copies(rubric, submission, isolation, folder)
    except OSError as problem:
        failed: Future[dict[str, Any]] = Future()
        failed.set_result(failure(f"the submission cannot be copied: {problem.strerror or problem}"))
        return [failed] * len(rubric.seeds)
    return [
        crew.submit(_job(rubric, world, program, isolation, seed))
        for seed, program in zip(rubric.seeds, programs, strict=True)
    ]


def _copies(rubric: Rubric, submission: Submission, isolation: Isolation, folder: Path) -> list[Path]:
    """Return the program of each run: the same for all if sandboxes copy it once more.

    Raises:
        OSError: it cannot be copied.
    """
    count = len(rubric.seeds)
    made = []
    for number in range(count if isolation.way == NONE else 1):
        own = folder / str(number)
        own.mkdir(parents=True)
        made.append(place(submission, own, rubric.limits.disk_mb * MEGABYTE))
    return made if len(made) == count else made * count


def _job(rubric: Rubric, world: World, program: Path, isolation: Isolation, seed: int) -> Job:
    return Job(
        world=str(rubric.world.absolute()),
        fields={},
        seed=seed,
        duration_s=rubric.duration_s,
        controllers={rubric.robot: str(program)},
        inline=False,
        timeout_s=rubric.timeout_s,
        allow_missing=False,
        metrics=rubric.metrics,
        launcher=launcher(rubric.limits, isolation, world.project, program.parent),
    )


def _graded(rubric: Rubric, submission: Submission, runs: Sequence[dict[str, Any]]) -> Grade:
    results = []
    for criterion in rubric.criteria:
        if submission.file is None:
            results.append(Result(criterion, 0.0, (submission.problem,)))
            continue
        notes = [_note(criterion, seed, run) for seed, run in zip(rubric.seeds, runs, strict=True)]
        met = notes.count("")
        results.append(
            Result(criterion, criterion.points * met / len(notes), tuple(note for note in notes if note))
        )
    return Grade(submission.name, tuple(results))


def _note(criterion: Criterion, seed: int, run: dict[str, Any]) -> str:
    """Return why a run does not meet a criterion; "" if it does."""
    if run["status"] != 0:
        return f"seed {seed}: {_explained(run)}"
    value = run["metrics"][criterion.metric.name]
    if criterion.is_met(value):
        return ""
    return f"seed {seed}: {criterion.metric.name} is {value:.6g}, wanted {criterion.limits}"


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
