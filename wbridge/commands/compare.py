"""`wbridge compare`: show where a robot and its model part."""

from __future__ import annotations

import csv
import json
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, RunError
from wbridge.running.logs import add_log_arguments, law_lines, pairs_of, replay_of
from wbridge.running.writable import Output, check_output
from wbridge.text_table import columns
from wbridge.wbcore.scene.contact_law import law_of
from wbridge.wbfleet.fitting.difference import Difference, differences
from wbridge.wbfleet.fitting.replay import Pair
from wbridge.words import amount, counted

HELP = "replay the commands of a recording in simulation, and show where the readings part"

_TOLERANCE = 5.0
_TABLE = Output("write", "the table", (".csv",))
_DIGITS = 4


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_log_arguments(parser)
    parser.add_argument(
        "--tolerance",
        type=_percent,
        default=_TOLERANCE,
        metavar="PERCENT",
        help="differences that count, as a share of the range of a sensor's readings (default: %(default)g)",
    )
    parser.add_argument(
        "--csv", type=Path, metavar="FILE", help="write both readings of all sensors, one row for each"
    )
    parser.add_argument("--json", action="store_true", help="print the differences as one JSON object")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Print one line for each sensor, the first that parts first."""
    check_output(args.csv, _TABLE)
    replay, world = replay_of(args)
    pairs = pairs_of(replay)
    found = differences(pairs, args.tolerance / 100)
    found.sort(key=lambda difference: (difference.step is None, difference.step or 0))
    if args.csv is not None:
        _write(pairs, args.csv)
    if args.json:
        data = {"contacts": law_of(world), "sensors": [difference._asdict() for difference in found]}
        json.dump(data, sys.stdout, indent=2)
        print()
    else:
        print("\n".join([*law_lines(world), *_lines(found, args.tolerance)]))
    return DONE


def _lines(found: Sequence[Difference], tolerance: float) -> list[str]:
    if not found:
        return ["the recording has no readings of sensors with numbers"]
    rows = [["sensor", "readings", "diverges at step", "at s", "rms", "max", "range"]]
    rows += [
        [
            difference.name,
            str(difference.readings),
            "-" if difference.step is None else str(difference.step),
            "-" if difference.time is None else amount(difference.time),
            *(
                amount(float(f"{value:.{_DIGITS}g}"))
                for value in (difference.rms, difference.max, difference.range)
            ),
        ]
        for difference in found
    ]
    count = sum(difference.step is not None for difference in found)
    end = f"{count} of {counted(len(found), 'sensor')} deviate by more than {tolerance:g} % of their range"
    return [*columns(rows, right=frozenset(range(1, len(rows[0])))), end]


def _write(pairs: Sequence[Pair], path: Path) -> None:
    """Write a row for each reading.

    Raises:
        RunError: the file cannot be written.
    """
    try:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["sensor", "part", "step", "time", "real", "model"])
            for pair in pairs:
                for index, step in enumerate(pair.steps.tolist()):
                    for part in range(pair.real.shape[1]):
                        numbers = (pair.times[index], pair.real[index, part], pair.model[index, part])
                        writer.writerow([pair.name, part, step, *(repr(float(each)) for each in numbers)])
    except OSError as problem:
        raise RunError(f"cannot write {path}: {problem.strerror}") from None


def _percent(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 1000:
        raise ArgumentTypeError(f"'{text}' is not a share in percent, above 0")
    return value
