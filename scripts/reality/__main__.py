"""Compare wbridge, MuJoCo and PyBullet with public recordings of real motions, and print a table.

    python -m scripts.reality [--folder FOLDER] [--mirror FOLDER] [--pictures FOLDER] [--only NAME]

Recordings are fetched like those of `scripts.corpus`; `--mirror` names a folder with clones called
owner+name. Each simulator is fitted on one half of a recording and judged on the other, and the other way
round: every motion is judged once, with parameters that were fitted without it. A simulator or recording that
is missing is skipped, with the reason.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from scripts import corpus
from scripts.reality import arms, cubes, swings, tosses
from scripts.reality.plot import Line, svg
from scripts.reality.search import best_values

LIST = Path(__file__).with_name("recordings.toml")
CUBES: dict[str, Callable[[], cubes.Cube]] = {
    "wbridge, webots": lambda: cubes.WbridgeCube("webots"),
    "wbridge, precise": lambda: cubes.WbridgeCube("precise"),
    "MuJoCo": cubes.MujocoCube,
    "PyBullet": cubes.BulletCube,
}
ARMS: dict[str, Callable[[], arms.Arm]] = {"wbridge": arms.WbridgeArm, "MuJoCo": arms.MujocoArm}


class Row(NamedTuple):
    """A line of the table."""

    recording: str
    simulator: str
    result: str
    parameters: str


def main(arguments: list[str] | None = None) -> int:
    """Print the table; the exit code is 1 if nothing could be compared."""
    parser = argparse.ArgumentParser(description="compare simulators with recordings of real motions")
    parser.add_argument(
        "--folder", type=Path, help="of the recordings; default: a folder of the user's cache"
    )
    parser.add_argument("--mirror", type=Path, help="clones named owner+name, instead of the network")
    parser.add_argument("--pictures", type=Path, help="write plots into this folder")
    parser.add_argument("--only", default="", help="simulators whose name contains this text")
    options = parser.parse_args(arguments)
    folder: Path = options.folder or corpus.corpus_folder().with_name("reality")
    rows: list[Row] = []
    for repository, compare in COMPARISONS:
        place = _fetched(repository, folder, options.mirror)
        if place is not None:
            rows += compare(place, options.pictures, options.only)
    print("\n| recording | simulator | error | parameters |\n|---|---|---|---|")
    print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return 0 if rows else 1


def _fetched(repository: str, folder: Path, mirror: Path | None) -> Path | None:
    listed = corpus.read_list(LIST)
    project = next(one for one in listed.projects if one.repository == repository)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        corpus.put(project, listed, folder, mirror)
    except corpus.CorpusError as problem:
        print(f"skipped: {repository}: {problem}", file=sys.stderr)
        return None
    return folder / project.folder


def _made(name: str, make: Callable[[], Any]) -> Any:
    try:
        return make()
    except ImportError as problem:
        print(f"skipped: {name}: {problem}", file=sys.stderr)
        return None


def _compare_cubes(folder: Path, pictures: Path | None, only: str) -> list[Row]:
    halves = tosses.halves(tosses.read_tosses(folder / "data" / "tosses_processed"))
    rows, lines = [], []
    for name, make in CUBES.items():
        cube = _made(name, make) if only in name else None
        if cube is None:
            continue
        judged, parameters = [], []
        for fitted, other in (halves, halves[::-1]):
            values = best_values(_cost_of_tosses(cube, fitted), cube.ranges)
            judged.append(cubes.errors(cube, values, other))
            parameters.append(_listed(cube.ranges, values))
            mean = tosses.mean_error(judged[-1])
            print(f"{name}: {_words(mean)}; {parameters[-1]}", flush=True)
        mean = tosses.mean_error([*judged[0], *judged[1]])
        rows.append(Row("tossed cube", name, _words(mean), "; ".join(parameters)))
        lines.append(_over_time(name, [*judged[0], *judged[1]]))
    if pictures is not None and lines:
        title = "Tossed cube: distance from the recording (% of its width)"
        (pictures / "tosses.svg").write_text(svg(title, "time from the release (s)", lines), encoding="utf-8")
    return rows


def _words(mean: tosses.Error) -> str:
    return f"{100 * mean.position:.1f} % of the width, {mean.rotation:.1f} degrees"


def _cost_of_tosses(cube: cubes.Cube, fitted: Sequence[tosses.Toss]) -> Callable[[Sequence[float]], float]:
    return lambda values: tosses.mean_error(cubes.errors(cube, values, fitted)).cost


def _over_time(name: str, found: Sequence[tuple[tosses.Values, tosses.Values]]) -> Line:
    """Return the mean distance by frame, as long as most tosses last."""
    length = int(np.median([len(away) for away, _ in found]))
    sums = np.zeros(length)
    counts = np.zeros(length)
    for away, _ in found:
        part = away[:length]
        sums[: len(part)] += part
        counts[: len(part)] += 1
    mean = 100 * sums / counts / tosses.WIDTH
    return Line(name, (np.arange(length) * tosses.STEP)[::3].tolist(), mean[::3].tolist())


def _listed(ranges: Sequence[cubes.Range], values: Sequence[float]) -> str:
    return ", ".join(f"{one.name} {value:.3g}" for one, value in zip(ranges, values, strict=True))


def _compare_arms(kind: arms.Kind, windows: list[swings.Window], only: str) -> list[Row]:
    rows = []
    for name, make in ARMS.items():
        arm = _made(name, make) if only in name else None
        if arm is None:
            continue
        errors, parameters = [], []
        for fitted, other in ((windows[::2], windows[1::2]), (windows[1::2], windows[::2])):
            values = best_values(_cost_of_swings(arm, kind, fitted), kind.ranges)
            errors.append(swings.mean_angle(other, arms.swings(arm, kind, values, other)))
            parameters.append(_listed(kind.ranges, values))
        result = f"{sum(errors) / 2:.2f} degrees after up to {swings.HORIZON:g} s"
        print(f"{kind.name}, {name}: {result}; {parameters}", flush=True)
        rows.append(Row(kind.name, name, result, "; ".join(parameters)))
    return rows


def _cost_of_swings(
    arm: arms.Arm, kind: arms.Kind, fitted: Sequence[swings.Window]
) -> Callable[[Sequence[float]], float]:
    return lambda values: swings.mean_angle(fitted, arms.swings(arm, kind, values, fitted))


COMPARISONS: tuple[tuple[str, Callable[[Path, Path | None, str], list[Row]]], ...] = (
    (
        "dfki-ric-underactuated-lab/double_pendulum",
        lambda folder, _, only: _compare_arms(arms.DOUBLE, swings.double_pendulum(folder), only),
    ),
    (
        "dfki-ric-underactuated-lab/torque_limited_simple_pendulum",
        lambda folder, _, only: _compare_arms(arms.SINGLE, swings.pendulum(folder), only),
    ),
    ("DAIRLab/contact-nets", _compare_cubes),
)

if __name__ == "__main__":
    sys.exit(main())
