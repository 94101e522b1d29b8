"""Compares this version with a former one: `python -m benchmarks --against REF`.

Each case runs in processes of its own, by turns in this version and in that of REF, in the order A B B A:
what the machine's speed does in the meantime, it does to both. The benchmarks of this version measure both;
where they do not work with the packages of REF, those of REF measure it, if they have the case.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from math import inf
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.case import Case, Reading
from benchmarks.checkout import BENCHMARKS, CHECKOUT
from benchmarks.former import BuildFailed, Version, build, present
from wbridge.text_table import columns

__all__ = ["Comparison", "Side", "compare_case", "compare_versions", "sides"]

WORKER = BENCHMARKS / "worker.py"
FOLDER = CHECKOUT / "build" / "against"


class NotMeasured(Exception):
    """Raised when a version cannot be measured, with the reason."""


class Side(NamedTuple):
    """A version with the benchmarks that measure it."""

    version: Version
    benchmarks: Path
    """The folder that contains the package `benchmarks`."""

    def ask(self, *arguments: str) -> dict[str, Any]:
        """Return the answer of a worker.

        Raises:
            NotMeasured: it ended without one.
        """
        command = [str(self.version.python), str(WORKER), *arguments]
        environment = self.version.environment(self.benchmarks)
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        try:
            answer: dict[str, Any] = json.loads(done.stdout.strip().rpartition("\n")[2])
        except ValueError:
            reason = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
            raise NotMeasured(reason) from None
        return answer

    def measure(self, file: str, case: Case) -> Reading:
        """Measure a case.

        Raises:
            NotMeasured: it cannot, or in another unit.
        """
        answer = self.ask(file, case.name)
        if reason := answer.get("absent") or answer.get("error"):
            raise NotMeasured(reason)
        if answer["unit"] != case.unit:
            raise NotMeasured(f"its unit is {answer['unit']}, not {case.unit}")
        return Reading(answer["ratio"], answer["own"], answer["yardstick"])


class Comparison(NamedTuple):
    """A case in both versions."""

    case: Case
    pairs: tuple[tuple[Reading, Reading], ...] = ()
    """This version and REF; empty if they cannot be compared."""
    note: str = ""

    @property
    def ratios(self) -> list[float]:
        """Costs of this version relative to REF."""
        return [_over(own.own, other.own) for own, other in self.pairs]

    @property
    def ratio(self) -> float | None:
        """Their median; None without a pair."""
        return median(self.ratios) if self.pairs else None

    @property
    def machine(self) -> float:
        """The same for the yardstick: how much the machine itself differed between the turns."""
        return median(_over(own.yardstick, other.yardstick) for own, other in self.pairs)

    def exceeds(self, threshold: float | None) -> bool:
        """True if this version costs more than `threshold` times what REF does."""
        return threshold is not None and self.ratio is not None and self.ratio > threshold

    def row(self, threshold: float | None) -> list[str]:
        """Cells of the printed table."""
        if not self.pairs:
            return [self.case.name, "-", "", "", "", "", f"not compared: {self.note}"]
        own, other = (median(pair[side].own for pair in self.pairs) for side in (0, 1))
        note = "; ".join(filter(None, ["ABOVE" if self.exceeds(threshold) else "", self.note]))
        spread = f"{min(self.ratios):.3f} to {max(self.ratios):.3f}"
        unit = self.case.unit
        return [
            self.case.name, f"{self.ratio:.3f}", spread, f"{own:.3g} {unit}", f"{other:.3g} {unit}",
            f"{self.machine:.2f}", note,
        ]  # fmt: skip

    def as_dict(self, threshold: float | None) -> dict[str, object]:
        """For JSON output."""
        return {
            "name": self.case.name,
            "ratio": self.ratio,
            "ratios": self.ratios,
            "machine": self.machine if self.pairs else None,
            "unit": self.case.unit,
            "this": [own.own for own, _ in self.pairs],
            "ref": [other.own for _, other in self.pairs],
            "above": self.exceeds(threshold),
            "note": self.note,
        }


def _over(own: float, other: float) -> float:
    if other:
        return own / other
    return inf if own else 1.0


def sides(this: Version, other: Version, overlay: Path) -> tuple[Side, Side, Side]:
    """Return this version, the other one measured by the benchmarks of this version, and by its own.

    `overlay` is a folder for a link to the benchmarks of this version, and nothing else of it.
    """
    overlay.mkdir(parents=True, exist_ok=True)
    link = overlay / "benchmarks"
    if not link.is_symlink():
        link.symlink_to(BENCHMARKS, target_is_directory=True)
    return Side(this, this.checkout), Side(other, overlay), Side(other, other.checkout)


def compare_case(file: str, case: Case, parties: tuple[Side, Side, Side], rounds: int) -> Comparison:
    """Measure a case in both versions, by turns."""
    this, other, other_itself = parties
    note = ""
    try:
        first = other.measure(file, case)
    except NotMeasured as reason:
        note = f"measured by the benchmarks of {other.version.title}"
        try:
            first = other_itself.measure(file, case)
        except NotMeasured:
            return Comparison(case, note=f"in {other.version.title}: {reason}")
        other = other_itself
    try:
        pairs = [(this.measure(file, case), first)]
        for number in range(1, rounds):
            pairs.append(_pair(file, case, this, other, number))
    except NotMeasured as reason:
        return Comparison(case, note=str(reason))
    return Comparison(case, tuple(pairs), note)


def _pair(file: str, case: Case, this: Side, other: Side, number: int) -> tuple[Reading, Reading]:
    """Measure both; the version that was last in the pair before is first in an odd pair."""
    if number % 2:
        own = this.measure(file, case)
        return own, other.measure(file, case)
    reading = other.measure(file, case)
    return this.measure(file, case), reading


def missing_cases(selected: Sequence[tuple[str, Case]], other_itself: Side) -> list[str]:
    """Names of the cases that only the benchmarks of the other version have."""
    own: dict[str, set[str]] = {}
    for file, case in selected:
        own.setdefault(file, set()).add(case.name)
    missing = []
    for file, names in own.items():
        try:
            missing += [name for name in other_itself.ask(file).get("names", ()) if name not in names]
        except NotMeasured:
            continue  # it has no such file
    return missing


def compare_versions(
    selected: Sequence[tuple[str, Case]],
    args: Namespace,
    make: Callable[[Path, str, Path], Version] = build,
) -> int:
    """Build REF, compare the cases and print; returns the exit code.

    Args:
        selected: cases, each with the name of its file.
        args: of the command line: against, threshold, rounds, json.
        make: builds a version.
    """
    try:
        former = make(CHECKOUT, args.against, FOLDER)
    except BuildFailed as problem:
        print(f"error: {problem}", file=sys.stderr)
        return 2
    parties = sides(present(CHECKOUT), former, former.checkout.parent / "overlay")
    comparisons = []
    for file, case in selected:
        print(f"comparing: {case.name}", file=sys.stderr)
        comparisons.append(compare_case(file, case, parties, args.rounds))
    missing = missing_cases(selected, parties[2])
    _print(comparisons, missing, args)
    return int(any(comparison.exceeds(args.threshold) for comparison in comparisons))


def _print(comparisons: Sequence[Comparison], missing: Sequence[str], args: Namespace) -> None:
    if args.json:
        rows = [comparison.as_dict(args.threshold) for comparison in comparisons]
        print(
            json.dumps({"against": args.against, "benchmarks": rows, "only_in_ref": list(missing)}, indent=2)
        )
        return
    header = ["benchmark", f"this/{args.against}", "spread", "this", args.against, "machine", ""]
    table = [header, *(comparison.row(args.threshold) for comparison in comparisons)]
    print(*columns(table, right=frozenset({1, 3, 4, 5})), sep="\n")
    for name in missing:
        print(f"only in {args.against}: {name}")
