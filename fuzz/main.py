"""The command line that all fuzzers share."""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fuzz.case import Target
from fuzz.runner import run

FINDINGS = Path("fuzz-findings")


def main(targets: Sequence[Target], arguments: list[str] | None = None) -> int:
    """Run the targets one after the other for equal times; the exit code is 1 if there are findings."""
    parser = argparse.ArgumentParser(description="Fuzz wbridge with generated and damaged inputs.")
    parser.add_argument("--seconds", type=float, default=60.0, help="total time in seconds (default: 60)")
    parser.add_argument(
        "--seed", default="1", help="random seed; equal seeds generate equal cases (default: 1)"
    )
    parser.add_argument("--report", type=Path, help="write a summary as JSON to this file")
    parser.add_argument("--findings", type=Path, default=FINDINGS, help="folder for the cases of findings")
    options = parser.parse_args(arguments)
    logging.disable(logging.CRITICAL)
    try:
        summary = [_summary(target, options, len(targets)) for target in targets]
    finally:
        logging.disable(logging.NOTSET)
    if options.report is not None:
        options.report.write_text(json.dumps(summary, indent=1) + "\n", encoding="utf-8")
    return 1 if any(one["findings"] for one in summary) else 0


def _summary(target: Target, options: argparse.Namespace, targets: int) -> dict[str, Any]:
    """Run one target and summarize its findings."""
    count, findings = run(target, options.seconds / targets, options.seed, options.findings, _print_line)
    _print_line(f"{target.name}: {count} files, {len(findings)} findings")
    found = [asdict(finding) for finding in findings]
    return {"target": target.name, "seed": options.seed, "cases": count, "findings": found}


def _print_line(line: str) -> None:
    print(line, flush=True)
