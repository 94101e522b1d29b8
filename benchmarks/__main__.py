"""Runs the benchmarks: every `benchmarks/bench_*.py`, each with a function `cases() -> list[Case]`.

    python -m benchmarks [NAME ...] [--json] [--against REF [--threshold RATIO] [--rounds COUNT]]

NAME selects `bench_NAME.py`. With --against, each case is measured in this version and in that of a git
reference, in turns. Exit codes: 0 if all limits hold, 1 if one does not, 2 for an unknown NAME or REF.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from benchmarks.case import Case, Reading, Unavailable
from wbridge.text_table import columns


class Outcome(NamedTuple):
    """A measured case; `reading` is None if the measurement failed, with the reason in `note`.

    It is `absent`, not failed, if the machine lacks a requirement.
    """

    case: Case
    reading: Reading | None = None
    note: str = ""
    absent: bool = False

    @property
    def verdict(self) -> str:
        """pass, FAIL or absent."""
        if self.absent:
            return "absent"
        return "pass" if self.reading is not None and self.case.holds(self.reading) else "FAIL"

    @property
    def row(self) -> list[str]:
        """Cells of the printed table."""
        case, reading = self.case, self.reading
        ratio = "-" if reading is None else f"{reading.ratio:.3g}"
        note = self.note if reading is None else _costs(case, reading)
        return [case.name, ratio, f"<= {case.limit:g}", self.verdict, note]

    def as_dict(self) -> dict[str, object]:
        """For JSON output."""
        return {
            "name": self.case.name,
            "ratio": self.reading and self.reading.ratio,
            "limit": self.case.limit,
            "verdict": self.verdict,
            "own": self.reading and self.reading.own,
            "unit": self.case.unit,
            "yardstick": self.case.yardstick,
            "yardstick_cost": self.reading and self.reading.yardstick,
            "note": self.note,
        }


def _costs(case: Case, reading: Reading) -> str:
    return f"{reading.own:.3g} {case.unit}; {case.yardstick}: {reading.yardstick:.3g} {case.unit}"


def names() -> list[str]:
    """Names of all benchmark files, without `bench_`."""
    return sorted(file.stem.removeprefix("bench_") for file in Path(__file__).parent.glob("bench_*.py"))


def cases_of(selected: Sequence[str]) -> Iterator[tuple[str, Case]]:
    """The cases of some files, each with the name of its file."""
    for name in selected:
        for case in import_module(f"benchmarks.bench_{name}").cases():
            yield name, case


def measure(case: Case) -> Outcome:
    """Run a case. An exception fails the case; the other cases still run."""
    try:
        return Outcome(case, case.measure())
    except Unavailable as reason:
        return Outcome(case, note=str(reason), absent=True)
    except Exception as error:
        return Outcome(case, note=f"{type(error).__name__}: {error}")


def arguments(argv: Sequence[str] | None) -> Namespace:
    """Read the command line."""
    parser = ArgumentParser(
        prog="python -m benchmarks",
        description="Measure speed and memory relative to yardsticks, against limits.",
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names())}; default: all"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--against", metavar="REF", help="compare with the version of a git reference, built in build/against"
    )
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="RATIO",
        help="with --against: fail if a case costs more than RATIO times that of REF",
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="with --against: pairs of runs per case (default: %(default)s)"
    )
    args = parser.parse_args(argv)
    if wrong := set(args.names) - set(names()):
        parser.error(f"unknown benchmark {', '.join(sorted(wrong))}; available: {', '.join(names())}")
    if args.threshold is not None and not (args.against and args.threshold > 0):
        parser.error("--threshold needs --against, and a ratio above 0")
    if args.rounds < 1:
        parser.error("--rounds needs a number of at least 1")
    return args


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; the exit code is 0 if all limits hold."""
    args = arguments(argv)
    if args.against:
        from benchmarks.against import compare_versions  # only needed here

        return compare_versions(list(cases_of(args.names or names())), args)
    outcomes = []
    for _, case in cases_of(args.names or names()):
        print(f"measuring: {case.name}", file=sys.stderr)
        outcomes.append(measure(case))
    if args.json:
        print(json.dumps({"benchmarks": [outcome.as_dict() for outcome in outcomes]}, indent=2))
    else:
        header = ["benchmark", "ratio", "limit", "", "measured; yardstick"]
        print(*columns([header, *(outcome.row for outcome in outcomes)], right=frozenset({1})), sep="\n")
    return int(any(outcome.verdict == "FAIL" for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
