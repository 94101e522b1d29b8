"""`wbridge grade`: run the programs of a class in isolation, and give points by a rubric."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.run import count_of
from wbridge.failures import RunError

HELP = "run the programs of a class in isolation, and give points by a rubric"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "rubric", type=Path, metavar="RUBRIC.toml", help="the world, the runs, and the points"
    )
    parser.add_argument(
        "submissions", type=Path, metavar="FOLDER", help="a Python file or a folder for each submission"
    )
    parser.add_argument(
        "--only",
        action="append",
        default=[],
        metavar="NAME",
        help="grade only this submission; may be repeated",
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write a table of grades")
    parser.add_argument(
        "--lms",
        type=Path,
        metavar="FILE",
        help="write a table for import into a learning platform, with the feedback that students may see",
    )
    parser.add_argument(
        "--pages",
        type=Path,
        metavar="FOLDER",
        help="write a page with replays, plots and messages for each student, and a table with hints at "
        "copied programs for the teacher",
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    parser.add_argument("--json", action="store_true", help="print the grades as one JSON object")
    parser.add_argument(
        "--jobs",
        type=count_of,
        metavar="N",
        help="number of runs at the same time (default: one per processor)",
    )
    parser.add_argument(
        "--allow-weak-isolation",
        action="store_true",
        help="grade even if this system cannot protect files and network from the programs",
    )


def run(args: Namespace) -> int:
    """Grade all submissions."""
    if sys.platform != "linux":
        raise RunError("programs of strangers are graded in Linux' namespaces; use Linux, or WSL")
    from wbridge.running.grading import grade_class  # start-up: 0.3 s

    return grade_class(args)
