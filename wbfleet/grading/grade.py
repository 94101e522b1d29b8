"""Grades: runs each submission with each seed, and gives points by the rubric."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from wbridge.wbcore.scene.load import World
from wbridge.wbfleet.grading.limits import MEGABYTE, Isolation, launcher
from wbridge.wbfleet.grading.places import Places, folders_of
from wbridge.wbfleet.grading.points import Grade, graded
from wbridge.wbfleet.grading.rubric import Rubric
from wbridge.wbfleet.grading.sandbox.plan import NONE
from wbridge.wbfleet.grading.submissions import Submission, place
from wbridge.wbfleet.sweeps.crew import Crew
from wbridge.wbfleet.sweeps.evidence import EvidencePaths
from wbridge.wbfleet.sweeps.job import Job, failure

SPARE_S = 30.0
"""Real time beyond the limit of processor time after which a run is stopped from outside."""


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
            problem = submission.problem if submission.file is None else ""
            grade = graded(rubric, submission.name, [future.result() for future in futures], problem)
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
