"""Grade the programs of a class: check the request, run the programs, write reports and pages."""

from __future__ import annotations

import json
import logging
import os
import shlex
import shutil
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from wbridge.failures import DONE, InputError, RunError
from wbridge.running.world import choose_robot
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node
from wbridge.wbfleet.grading.grade import grade_all
from wbridge.wbfleet.grading.limits import MEGABYTE, Isolation, isolation, readable_folder
from wbridge.wbfleet.grading.pages import write_pages
from wbridge.wbfleet.grading.places import Places
from wbridge.wbfleet.grading.points import Grade
from wbridge.wbfleet.grading.reports import junit, write_csv, write_lms
from wbridge.wbfleet.grading.rubric import Rubric, RubricError, read_rubric
from wbridge.wbfleet.grading.similarity import Pair, similar_pairs
from wbridge.wbfleet.grading.submissions import Submission, find_submissions
from wbridge.wbfleet.sweeps.evidence import read_way
from wbridge.wbfleet.sweeps.metrics import MetricError, check
from wbridge.words import duration

_LOG = logging.getLogger("wbridge")
_MOST_HINTS = 20
"""Pairs of similar submissions that are printed; the teacher's page has all."""


def grade_class(args: Namespace) -> int:
    """Grade all submissions, as the arguments of `wbridge grade` request.

    Raises:
        InputError, RunError: something is missing or wrong; the message says what to do.
    """
    if os.geteuid() == 0:
        raise RunError(_refusal_of_root())
    try:
        rubric = read_rubric(args.rubric)
    except RubricError as problem:
        raise InputError(str(problem)) from None
    world, robot = _world(args.rubric, rubric)
    found = isolation()
    if found.missing and not args.allow_weak_isolation:
        raise RunError(
            f"this system cannot restrict: {'; '.join(found.missing)}. Grade in a virtual machine, or pass "
            "--allow-weak-isolation if you trust the programs"
        )
    if not args.allow_weak_isolation:
        _check_trust(args.submissions, world, robot)
        _check_secrets(args, rubric, world)
    with TemporaryDirectory(prefix="wbridge-grade-") as unpacked:
        submissions = _chosen(args, rubric, str(robot.get("controller")), Path(unpacked))
        jobs = args.jobs or os.cpu_count() or 1
        grades = _graded(rubric, world, submissions, found, jobs, _places(args))
    pairs = _pairs(args, rubric, grades)
    _write(args, rubric, grades, pairs)
    return DONE


def _check_secrets(args: Namespace, rubric: Rubric, world: World) -> None:
    """Check that programs cannot read what students must not see.

    Raises:
        RunError: the rubric, or the pages of others, are in a folder that programs may read.
    """
    secrets = [args.rubric] if rubric.has_secrets else []
    for path in [*secrets, *([args.pages] if args.pages is not None else [])]:
        if folder := readable_folder(path, world.project):
            raise RunError(
                f"programs may read {folder}, so they could read {path}. Move it to another folder, or pass "
                "--allow-weak-isolation if you trust the programs"
            )


def _places(args: Namespace) -> Places | None:
    """Return the folder for pages, which must be new or have only earlier pages.

    Raises:
        InputError: it has other files.
        RunError: it cannot be written.
    """
    if args.pages is None:
        return None
    places = Places(args.pages)
    if args.pages.is_dir() and any(args.pages.iterdir()) and not places.mark.is_file():
        raise InputError(f"{args.pages} has other files; name a new folder for --pages")
    try:
        for name in ("students", "teacher"):
            shutil.rmtree(args.pages / name, ignore_errors=True)
        args.pages.mkdir(parents=True, exist_ok=True)
        places.mark.touch()
    except OSError as problem:
        raise RunError(f"cannot write {args.pages}: {problem.strerror}") from None
    return Places(args.pages.absolute())


def _pairs(args: Namespace, rubric: Rubric, grades: Sequence[Grade]) -> list[Pair]:
    """Return the hints at copied programs, and write the pages.

    Raises:
        RunError: a page cannot be written.
    """
    if args.pages is None:
        return []
    places = Places(args.pages.absolute())
    ways = {grade.name: read_way(places.run(grade.folder, rubric.seeds[0])) for grade in grades}
    pairs = similar_pairs(ways)
    try:
        write_pages(places, rubric, grades, pairs)
    except OSError as problem:
        raise RunError(f"cannot write {problem.filename}: {problem.strerror}") from None
    _LOG.info("wrote %s", places.overview)
    for pair in pairs[:_MOST_HINTS]:
        _LOG.warning(
            "%s and %s: the robots are in the same place %.0f %% of the time; compare the programs",
            *pair[:2],
            100 * pair.share,
        )
    return pairs


def _check_trust(submissions: Path, world: World, robot: Node) -> None:
    """Check that programs can be graded that nobody trusts.

    Raises:
        RunError: they could read other submissions, or have the simulator work for them.
    """
    if folder := readable_folder(submissions, world.project):
        raise RunError(
            f"programs may read {folder}, so they could read the submissions in {submissions}. Move these to "
            "another folder, or pass --allow-weak-isolation if you trust the programs"
        )
    if robot.get("supervisor"):
        raise RunError(
            f'robot "{robot.get("name")}" is a supervisor: its program changes the world as it likes, and '
            "has the simulator write your files. Set its field supervisor to FALSE, or pass "
            "--allow-weak-isolation if you trust the programs"
        )


def _refusal_of_root() -> str:
    """Say why root cannot grade, and how to do it instead."""
    user = os.environ.get("SUDO_USER", "USER")
    command = shlex.join(["wbridge", *sys.argv[1:]])
    return (
        "root cannot grade: a program that finds a way out could do everything on this computer. Grade as an "
        f"ordinary user, who can read the rubric and the submissions: runuser -u {user} -- {command}"
    )


def _world(path: Path, rubric: Rubric) -> tuple[World, Node]:
    """Load the world; return it and the robot whose controllers are graded.

    Raises:
        InputError: it has errors, or lacks what the rubric names.
    """
    world = load_checked(rubric.world)
    if world.report.errors:
        raise InputError("\n".join(str(error) for error in world.report.errors))
    robot = choose_robot(world, rubric.robot or None)
    try:
        check(rubric.metrics, world)
    except MetricError as problem:
        raise InputError(f"{path}: {problem}") from None
    return world, robot


def _chosen(args: Namespace, rubric: Rubric, controller: str, unpacked: Path) -> list[Submission]:
    """Return the submissions to grade.

    Args:
        args: of the command.
        rubric: with the limit of what is in archives.
        controller: name of the robot's controller in the world.
        unpacked: an empty folder for what is in archives.

    Raises:
        InputError: the folder cannot be read or has none, or one that was named does not exist.
    """
    try:
        most_bytes = rubric.limits.disk_mb * MEGABYTE
        found = find_submissions(args.submissions, controller, unpacked, most_bytes)
    except OSError as problem:
        raise InputError(f"{args.submissions}: {problem.strerror}") from None
    names = [submission.name for submission in found]
    for name in args.only:
        if name not in names:
            raise InputError(f'no submission "{name}" in {args.submissions}{did_you_mean(name, names)}')
    if not found:
        raise InputError(
            f"{args.submissions}: found no submission; expected Python files, or folders or ZIP archives "
            "with them"
        )
    return [submission for submission in found if not args.only or submission.name in args.only]


def _graded(
    rubric: Rubric,
    world: World,
    submissions: Sequence[Submission],
    found: Isolation,
    jobs: int,
    places: Places | None,
) -> list[Grade]:
    grades: list[Grade] = []
    start = monotonic()
    for grade in grade_all(rubric, world, submissions, found, jobs, places):
        grades.append(grade)
        done, total = len(grades), len(submissions)
        left = duration((monotonic() - start) / done * (total - done)) if done < total else ""
        marks = f"{grade.points:g} of {rubric.points:g} points"
        _LOG.info("%d/%d %s: %s%s", done, total, grade.name, marks, f", about {left} left" if left else "")
    return grades


def _write(args: Namespace, rubric: Rubric, grades: Sequence[Grade], pairs: Sequence[Pair]) -> None:
    """Write the reports, and print the grades.

    Raises:
        RunError: a file cannot be written.
    """
    try:
        if args.csv is not None:
            with args.csv.open("w", encoding="utf-8", newline="") as file:
                write_csv(grades, rubric, file)
        if args.lms is not None:
            with args.lms.open("w", encoding="utf-8", newline="") as file:
                write_lms(grades, rubric, file)
        if args.junit is not None:
            args.junit.write_text(junit(grades), encoding="utf-8")
    except OSError as problem:
        raise RunError(f"{problem.filename}: {problem.strerror}") from None
    if args.json:
        data = {"maximum": rubric.points, "grades": [_data(grade) for grade in grades]}
        print(json.dumps({**data, "similar": [pair._asdict() for pair in pairs]}))
        return
    width = max(len(grade.name) for grade in grades)
    for grade in grades:
        print(f"{grade.name:{width}}  {grade.points:g} of {rubric.points:g}  {grade.notes}".rstrip())


def _data(grade: Grade) -> dict[str, object]:
    results = [
        {"criterion": result.criterion.name, "points": result.points, "notes": list(result.notes)}
        for result in grade.results
    ]
    return {"name": grade.name, "points": grade.points, "results": results}
