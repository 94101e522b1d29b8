"""Pictures and movies of whole runs: a movie beside the time it shows, and the first picture of a run.

Both are counted in processor time, the encoder's included, so that other processes hardly change them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.bench_start import environment
from benchmarks.case import Case, Reading, Unavailable, alternate, compare, processor_seconds_of
from benchmarks.checkout import CHECKOUT
from wbridge.wbcore.visual.errors import MovieError
from wbridge.wbcore.visual.movie import find_encoder

WORLDS = CHECKOUT / "worlds"
SECONDS = 1
"""What a movie shows."""
CORES = 2
"""Of the smallest machine on which people record movies."""
ROUNDS = 3


def cases() -> list[Case]:
    """The measurements of this file; a movie with a ratio of 1 is recorded in real time."""
    return [
        Case("a movie, 1280 x 720 pixels", movie, 4.2, "s", f"{CORES} processors for what it shows"),
        Case("the first picture of a run", first_picture, 1.6, "s", "one second"),
    ]


def movie() -> Reading:
    """Processor seconds of a run with a movie, beyond those of one without, and those that there are."""
    try:
        find_encoder()
    except MovieError as problem:
        raise Unavailable(str(problem)) from None
    return compare(added(["--duration", str(SECONDS)], "--movie", "movie.mp4"), CORES * SECONDS)


def first_picture() -> Reading:
    """Processor seconds that a picture adds to a run of one step, beside one second."""
    return compare(added(["--steps", "1"], "--picture", "picture.png"), 1.0)


def added(wanted: list[str], option: str, name: str) -> float:
    """Return the processor seconds that an option, which writes a file, adds to a run."""
    with tempfile.TemporaryDirectory() as folder, environment() as variables:
        shown = [*wanted, option, str(Path(folder, name))]
        costs = [processor_seconds_of(partial(run, each, variables)) for each in (shown, wanted)]
        reading = alternate(costs[0], costs[1], ROUNDS)
        return reading.own - reading.yardstick


def run(wanted: list[str], variables: dict[str, str]) -> None:
    """Run a sample with a single robot."""
    command = [sys.executable, "-m", "wbridge", "run", str(WORLDS / "pioneer.wbt"), *wanted, "--quiet"]
    done = subprocess.run(command, cwd=CHECKOUT, env=variables, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().rpartition("\n")[2])
