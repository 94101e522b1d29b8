"""Runs the benchmarks: every `benchmarks/bench_*.py`, each with a function `cases() -> list[Case]`.

    python -m benchmarks [NAME ...] [--json]

NAME selects `bench_NAME.py`. Exit codes: 0 if all limits hold, 1 if one does not, 2 for an unknown NAME.
"""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from benchmarks.case import Case, Unavailable
from wbridge.text_table import columns


class Outcome(NamedTuple):
    """A measured case; `value` is None if the measurement failed, with the reason in `note`.

    It is `absent`, not failed, if the machine lacks a requirement.
    """

    case: Case
    value: float | None = None
    note: str = ""
    absent: bool = False

    @property
    def verdict(self) -> str:
        """pass, FAIL or absent."""
        if self.absent:
            return "absent"
        return "pass" if self.value is not None and self.case.holds(self.value) else "FAIL"

    @property
    def row(self) -> list[str]:
        """Cells of the printed table."""
        value = "-" if self.value is None else f"{self.value:.3g}"
        side = ">=" if self.case.at_least else "<="
        return [self.case.name, value, f"{side} {self.case.limit:g}", self.case.unit, self.verdict, self.note]

    def as_dict(self) -> dict[str, object]:
        """For JSON output."""
        return {
            "name": self.case.name,
            "value": self.value,
            "limit": self.case.limit,
            "at_least": self.case.at_least,
            "unit": self.case.unit,
            "verdict": self.verdict,
            "note": self.note,
        }


def names() -> list[str]:
    """Names of all benchmark files, without `bench_`."""
    return sorted(file.stem.removeprefix("bench_") for file in Path(__file__).parent.glob("bench_*.py"))


def measure(case: Case) -> Outcome:
    """Run a case. An exception fails the case; the other cases still run."""
    try:
        return Outcome(case, case.measure())
    except Unavailable as reason:
        return Outcome(case, note=str(reason), absent=True)
    except Exception as error:
        return Outcome(case, note=f"{type(error).__name__}: {error}")


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print; the exit code is 0 if all limits hold."""
    parser = ArgumentParser(
        prog="python -m benchmarks", description="Measure speed and memory against limits."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of: {', '.join(names())}; default: all"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(argv)
    if wrong := set(args.names) - set(names()):
        parser.error(f"unknown benchmark {', '.join(sorted(wrong))}; available: {', '.join(names())}")
    outcomes = []
    for name in args.names or names():
        for case in import_module(f"benchmarks.bench_{name}").cases():
            print(f"measuring: {case.name}", file=sys.stderr)
            outcomes.append(measure(case))
    if args.json:
        print(json.dumps({"benchmarks": [one.as_dict() for one in outcomes]}, indent=2))
    else:
        header = ["benchmark", "value", "limit", "unit", "", ""]
        print(*columns([header, *(one.row for one in outcomes)], right=frozenset({1})), sep="\n")
    return int(any(one.verdict == "FAIL" for one in outcomes))


if __name__ == "__main__":
    sys.exit(main())
