"""A project that is an exercise: what to do, and points for what its controllers do, by the same rubric as
`wbridge grade` uses for a class."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from wbridge.live.projects import RUBRIC
from wbridge.wbfleet.grading.points import Result, graded
from wbridge.wbfleet.grading.rubric import Rubric, read_rubric
from wbridge.wbfleet.sweeps.job import Job, simulate

__all__ = ["checked", "described"]


def described(project: Path | str) -> str:
    """Return what a person reads, as JSON: text, steps and criteria; "" if the project is no exercise.

    Raises:
        RubricError: the rubric has errors; all of them are listed.
    """
    file = Path(project) / RUBRIC
    if not file.is_file():
        return ""
    rubric = read_rubric(file)
    steps = [{"name": step.name, "text": step.text} for step in rubric.steps]
    criteria = [
        {"name": each.name, "text": each.text, "step": each.step, "points": each.points}
        for each in rubric.criteria
        if not each.hidden
    ]
    return json.dumps({"text": rubric.text, "steps": steps, "criteria": criteria, "points": rubric.points})


def checked(project: Path) -> str:
    """Run the project's controllers with each seed, and return the points as JSON.

    Returns:
        points; results: of each criterion that is not hidden its name, points and notes (why some are
        missing).

    Raises:
        RubricError: the rubric has errors; all of them are listed.
    """
    rubric = read_rubric(project / RUBRIC)
    runs = [simulate(_job(rubric, seed)) for seed in rubric.all_seeds]
    grade = graded(rubric, "", runs)
    results = [_shown(result) for result in grade.results if not result.criterion.hidden]
    return json.dumps({"points": grade.points, "of": rubric.points, "results": results})


def _shown(result: Result) -> dict[str, Any]:
    criterion = result.criterion
    return {
        "name": criterion.name,
        "points": result.points,
        "of": criterion.points,
        "notes": list(dict.fromkeys(result.shown)),
    }


def _job(rubric: Rubric, seed: int) -> Job:
    return Job(
        world=str(rubric.world),
        fields={},
        seed=seed,
        duration_s=rubric.duration_s,
        controllers={},
        inline=True,
        timeout_s=rubric.timeout_s,
        allow_missing=True,
        metrics=rubric.metrics,
    )
