"""Grades: runs each submission with each seed, and gives points by the rubric."""

from __future__ import annotations

import math
import shutil
import signal
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from wbridge.wbcore.controllers.runner import WAIT_TIMED_OUT
from wbridge.wbcore.scene.diagnostics import printable
from wbridge.wbcore.scene.load import World
from wbridge.wbfleet.grading.limits import MEGABYTE, Isolation, launcher
from wbridge.wbfleet.grading.places import Places, folders_of
from wbridge.wbfleet.grading.rubric import Criterion, Rubric
from wbridge.wbfleet.grading.sandbox.plan import NONE, OVER
from wbridge.wbfleet.grading.submissions import Submission, place
from wbridge.wbfleet.sweeps.crew import Crew
from wbridge.wbfleet.sweeps.evidence import EvidencePaths
from wbridge.wbfleet.sweeps.job import Job, failure

__all__ = ["Grade", "Result", "grade_all"]

SPARE_S = 30.0
"""Real time beyond the limit of processor time after which a run is stopped from outside."""
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


def grade_all(
    rubric: Rubric,
    world: World,
    submissions: Sequence[Submission],
    isolation: Isolation,
    jobs: int,
    places: Places | None = None,
) -> Iterator[Grade]:
    """Yield the grade of each submission, in their order.

    Runs do not influence each other: each has its own copy of the submission and its own processes.

    Args:
        rubric: how to grade.
        world: its world, loaded without errors.
        submissions: what to grade.
        isolation: what the system enforces.
        jobs: number of runs at the same time.
        places: where runs leave replays, output and ways; None: nowhere.
    """
    own = (
        folders_of([submission.name for submission in submissions])
        if places is not None
        else [""] * len(submissions)
    )
    longest = rubric.limits.cpu_s + rubric.timeout_s + SPARE_S
    with TemporaryDirectory(prefix="wbridge-grade-") as name, Crew(jobs, longest) as crew:
        folder = Path(name)
        runs = [
            _begin(_Setting(rubric, world, isolation, places), submission, crew, folder / str(number), leaf)
            for number, (submission, leaf) in enumerate(zip(submissions, own, strict=True))
        ]
        for number, (submission, futures) in enumerate(zip(submissions, runs, strict=True)):
            grade = _graded(rubric, submission, [future.result() for future in futures])
            yield grade._replace(folder=own[number])
            shutil.rmtree(folder / str(number), ignore_errors=True)


class _Setting(NamedTuple):
    """What all runs have in common."""

    rubric: Rubric
    world: World
    isolation: Isolation
    places: Places | None


def _begin(
    setting: _Setting, submission: Submission, crew: Crew, folder: Path, own: str
) -> list[Future[dict[str, object]]]:
    """Begin the runs of a submission, one for each seed; `own` is the name of its folder for evidence."""
    rubric = setting.rubric
    if submission.file is None:
        return []
    try:
        programs = _copies(rubric, submission, setting.isolation, folder)
    except OSError as problem:
        failed: Future[dict[str, object]] = Future()
        failed.set_result(failure(f"the submission cannot be copied: {problem.strerror or problem}"))
        return [failed] * len(rubric.all_seeds)
    return [
        crew.submit(_job(setting, program, seed, own))
        for seed, program in zip(rubric.all_seeds, programs, strict=True)
    ]


def _copies(rubric: Rubric, submission: Submission, isolation: Isolation, folder: Path) -> list[Path]:
    """Return the program of each run: the same for all if sandboxes copy it once more.

    Raises:
        OSError: it cannot be copied.
    """
    count = len(rubric.all_seeds)
    made = []
    for number in range(count if isolation.way == NONE else 1):
        own = folder / str(number)
        own.mkdir(parents=True)
        made.append(place(submission, own, rubric.limits.disk_mb * MEGABYTE))
    return made if len(made) == count else made * count


def _job(setting: _Setting, program: Path, seed: int, own: str) -> Job:
    rubric = setting.rubric
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
        launcher=launcher(rubric.limits, setting.isolation, setting.world.project, program.parent),
        evidence=_evidence(setting, seed, own),
    )


def _evidence(setting: _Setting, seed: int, own: str) -> EvidencePaths | None:
    if setting.places is None:
        return None
    rubric = setting.rubric
    replay = setting.places.replay(own, seed, seed in rubric.hidden_seeds)
    folder = setting.places.run(own, seed)
    return EvidencePaths(rubric.robot, str(replay), str(folder))


def _graded(rubric: Rubric, submission: Submission, runs: Sequence[dict[str, object]]) -> Grade:
    results = []
    for criterion in rubric.criteria:
        if submission.file is None:
            results.append(Result(criterion, 0.0, (submission.problem,), (submission.problem,)))
            continue
        judged = [_judged(criterion, seed, run) for seed, run in zip(rubric.all_seeds, runs, strict=True)]
        points = criterion.points * math.fsum(credit for credit, _ in judged) / len(judged)
        notes = tuple(note for _, note in judged if note)
        results.append(Result(criterion, points, notes, _shown(rubric, criterion, judged)))
    return Grade(submission.name, tuple(results))


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
