"""The main use case: robots with unmodified controllers in worlds made for Webots.

An e-puck follows a line in the world of another project (`scripts.inputs`; without it, in our own); another
one explores an arena without collisions. Run it with `make demo`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from scripts.inputs import CHECKOUT, inputs_directory

RECORDINGS = CHECKOUT / "build" / "demo"
LINE_SECONDS, ARENA_SECONDS = 85, 60
SQUARE_M = 0.1
LEAST_WAY_M = 1.0
"""Minimum distance that a robot must travel."""


def line_world() -> tuple[Path, list[str | Path]]:
    """Return a world with a line, and the arguments that select our line follower for its robot."""
    inputs = inputs_directory()
    found = sorted(inputs.glob("epuck-line-following/**/*.wbt")) if inputs else []
    if found:
        return found[0], ["--controller", CHECKOUT / "controllers" / "line_follower"]
    return CHECKOUT / "worlds" / "line_following.wbt", []


def wbridge(arguments: Sequence[str | Path]) -> int:
    """Print a command line, run it, and return its exit code."""
    words = [os.path.relpath(one) if isinstance(one, Path) else one for one in arguments]
    print(f"\n$ wbridge {' '.join(words)}", flush=True)
    return subprocess.run([sys.executable, "-m", "wbridge", *words], check=False).returncode


def show(world: Path, seconds: int, extra: Sequence[str | Path] = ()) -> bool:
    """Run a world and print what its robot did; return False if it failed its task."""
    RECORDINGS.mkdir(parents=True, exist_ok=True)
    recording = RECORDINGS / f"{world.stem}.npz"
    if wbridge(["run", world, "--duration", str(seconds), *extra, "--record", recording]):
        return False
    with np.load(recording) as recorded:
        names, places = list(recorded["names"]), recorded["positions"]
    way = places[:, names.index("e-puck"), :2]
    length = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    squares = len({tuple(one) for one in np.floor(way / SQUARE_M).astype(int).tolist()})
    print(f"the e-puck went {length:.2f} m and saw {squares} squares of {SQUARE_M:g} m", flush=True)
    return length > LEAST_WAY_M


def main() -> int:
    """Run both demos; the exit code is 1 if a robot failed."""
    world, extra = line_world()
    print("A line follower in a world made for Webots:", flush=True)
    followed = show(world, LINE_SECONDS, extra)
    print("\nAn obstacle avoider in an arena:", flush=True)
    explored = show(CHECKOUT / "worlds" / "epuck_arena.wbt", ARENA_SECONDS)
    return 0 if followed and explored else 1


if __name__ == "__main__":
    sys.exit(main())
