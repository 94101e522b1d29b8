"""The result of a comparison as text for a terminal and as data for programs."""

from __future__ import annotations

import math
from typing import Any

from wbridge.wbverify.coverage import BOARD, CONTROLLER, DRIVERS, REST, Coverage, FileCoverage
from wbridge.wbverify.flavor_check import FlavorResult, VerificationResult
from wbridge.wbverify.printed_text import TextComparison
from wbridge.wbverify.step_table import TableRow
from wbridge.wbverify.tolerances import UsedTolerance

MOST_PLACES = 8
"""Maximum places per kind of file in a warning."""
VERIFIED = (CONTROLLER, DRIVERS, BOARD)
"""The kinds of files whose coverage is reported in the terminal."""
UNKNOWN = (
    "unknown which lines ran on the board: the program has no debug information, or this computer does not "
    "allow programs to be traced"
)


def covered_lines(coverage: Coverage | None) -> str:
    """The coverage in one line."""
    if coverage is None:
        return UNKNOWN
    counts = {kind: _counts(coverage.of(kind)) for kind in VERIFIED}
    told = [f"{kind} {covered} of {lines}" for kind, (covered, lines) in counts.items() if lines]
    return f"lines that ran on the board: {', '.join(told)}"


def uncovered_places(coverage: Coverage | None) -> str:
    """Return what no step reached, in one line; "" if everything ran or the coverage is not available."""
    if coverage is None:
        return ""
    unreached, uncertain = {}, {}
    for kind in VERIFIED:
        files = coverage.of(kind)
        unreached[kind] = [name for file in files for name in file.uncalled_names]
        unreached[kind] += [f"{file.name}:{lines}" for file in files for lines in file.other_stretches]
        uncertain[kind] = [f"{file.name}:{lines}" for file in files for lines in file.uncertain_stretches]
    told = (
        _places("no step reached these places, so they are not verified", unreached),
        _places(
            "unknown whether these lines ran, because they have only conditional instructions", uncertain
        ),
    )
    return ". ".join(filter(None, told))


def _places(title: str, places: dict[str, list[str]]) -> str:
    """Return a sentence with places by kind; "" if there are none."""
    lines = []
    for kind, place in places.items():
        more = f" and {len(place) - MOST_PLACES} more places" if len(place) > MOST_PLACES else ""
        if place:
            lines.append(f"{kind}: {', '.join(place[:MOST_PLACES])}{more}")
    return f"{title}: {'; '.join(lines)}" if lines else ""


def data_of(result: VerificationResult) -> dict[str, object]:
    """The whole result without the step table, for JSON."""
    return {
        "map": str(result.hardware.path),
        "world": str(result.world),
        "robot": result.hardware.table.name,
        "board": result.hardware.board.name,
        "agrees": result.agrees,
        "checks": [_check(check) for check in result.checks],
        "not_compared": [omitted._asdict() for omitted in result.omitted],
        "unneeded_tolerances": result.unneeded,
    }


def _check(check: FlavorResult) -> dict[str, object]:
    return {
        "flavor": check.flavor,
        "agrees": check.agrees,
        "failure": check.failure or None,
        "steps": check.steps,
        "step_ms": check.step_ms,
        "comparisons": len(check.compared),
        "differences": sum(not row.agrees for row in check.compared),
        "first_difference": None if check.first is None else _row(check.first),
        "alone": None if check.closed_loop is None else check.closed_loop._asdict(),
        "seconds": check.seconds,
        "program": str(check.built.program),
        "size": check.built.size._asdict(),
        "notes": check.notes,
        "load": None if check.load is None else check.load._asdict(),
        "text": None if check.text is None else _text(check.text),
        "tolerances": [_tolerance(tolerance) for tolerance in check.tolerances],
        "coverage": None if check.coverage is None else _coverage(check.coverage),
    }


def _row(row: TableRow) -> dict[str, object]:
    return {"step": row.step, "device": row.device, "value": row.value, "message": str(row)}


def _text(text: TextComparison) -> dict[str, Any]:
    return {
        "agrees": text.agrees,
        "lines": text.lines,
        "differences": len(text.differences),
        "rounded": len(text.rounded),
        "first_difference": text.differences[0]._asdict() if text.differences else None,
        "may_differ": text.reason or None,
    }


def _tolerance(used: UsedTolerance) -> dict[str, object]:
    return {
        "device": used.device,
        "tolerance": used.allowed,
        "reason": used.reason,
        "comparisons": used.compared,
        "needed": used.needed,
        "exceeded": used.exceeded,
        "largest_difference": used.largest if math.isfinite(used.largest) else None,
    }


def _coverage(coverage: Coverage) -> dict[str, object]:
    kinds = {kind: _share(*_counts(coverage.of(kind))) for kind in (*VERIFIED, REST)}
    return {**kinds, "files": [_file(file) for file in coverage.files]}


def _file(file: FileCoverage) -> dict[str, object]:
    return {
        "file": file.file,
        "kind": file.kind,
        **_share(file.covered, len(file.lines)),
        "missing": file.missing,
        "never_called": list(file.uncalled),
        "uncertain": file.uncertain,
    }


def _share(covered: int, lines: int) -> dict[str, Any]:
    return {"lines": lines, "covered": covered, "percent": round(100 * covered / lines, 1) if lines else None}


def _counts(files: list[FileCoverage]) -> tuple[int, int]:
    """Return the number of lines that ran, and of all lines."""
    return sum(file.covered for file in files), sum(len(file.lines) for file in files)
