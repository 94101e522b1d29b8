"""`wbridge firmware verify`: compare a controller on the desktop and on the emulated board, step by step."""

from __future__ import annotations

import json
import logging
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from wbridge.commands.run import count_of
from wbridge.failures import DONE, FAILED, RunError
from wbridge.options import VerifyOptions, options
from wbridge.running.hardware import add_map_arguments, need_folder
from wbridge.running.verification import verified
from wbridge.wbverify.flavor_check import FlavorResult, VerificationResult
from wbridge.wbverify.report import write_report
from wbridge.wbverify.step_table import write_table
from wbridge.wbverify.summary import covered_lines, data_of, uncovered_places

HELP = "run the controller on the desktop and on an emulated board, and compare each step"

_LOG = logging.getLogger("wbridge")
_STEPS = 1000
_FLAVORS = ("hil", "standalone", "slave")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    add_map_arguments(parser, "The exit code is 0 only if all comparisons agree.")
    parser.add_argument(
        "--world",
        type=Path,
        metavar="WORLD",
        help="another world with the same robot (default: the world in the map)",
    )
    parser.add_argument(
        "--steps",
        type=_count,
        default=_STEPS,
        metavar="N",
        help="number of basic time steps (default: %(default)s)",
    )
    parser.add_argument(
        "--flavor",
        choices=_FLAVORS,
        action="append",
        help="verify only this flavor: hil (over the robot link), standalone (through the pins) or slave "
        "(commands of the desktop over the link, through the pins); "
        "default: all that the map supports",
    )
    parser.add_argument(
        "--firmware", type=Path, metavar="FILE", help="use this compiled firmware; requires --flavor"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    parser.add_argument("--table", type=Path, metavar="FILE.csv", help="write a table with one row per step")
    parser.add_argument("--report", type=Path, metavar="FILE.html", help="write an HTML report with plots")


def _count(text: str) -> int:
    """Parse a number of steps, at least one."""
    count = count_of(text)
    if count == 0:
        raise ArgumentTypeError("0 steps: nothing to compare")
    return count


def run(args: Namespace) -> int:
    """Compare, and print the first difference."""
    for path in (args.table, args.report):
        if path is not None:
            need_folder(path)
    found = verified(options(VerifyOptions, args))
    if args.json:
        _print_json(found)
    for check in found.checks:
        _tell(check, args.json)
    for line in found.unneeded:
        _LOG.warning("warning: %s: %s", args.file, line)
    _write(args, found)
    return DONE if found.agrees else FAILED


def _print_json(found: VerificationResult) -> None:
    json.dump(data_of(found), sys.stdout, indent=2, ensure_ascii=False)
    print(flush=True)


def _tell(check: FlavorResult, is_told: bool) -> None:
    """Print the result of a flavor and its limits."""
    if not is_told:
        print(_told(check), flush=True)
        if check.built.board.python is None:
            print(f"{check.flavor:10} {covered_lines(check.coverage)}", flush=True)
        if check.load is not None:
            print(f"{check.flavor:10} {check.load}", flush=True)
        if check.text is not None and (check.text.agrees or check.first is not None):
            print(f"{check.flavor:10} {check.text}", flush=True)
        for used in check.tolerances:
            print(f"{check.flavor:10} {used}", flush=True)
    if places := uncovered_places(check.coverage):
        _LOG.warning("warning: %s: %s", check.flavor, places)


def _told(check: FlavorResult) -> str:
    values = len({(row.device, row.value) for row in check.compared})
    title = f"{check.flavor:10} {check.built.board.title}"
    if check.agrees:
        counts = f"{len(check.compared)} comparisons of {values} values, {check.steps} steps"
        return f"{title}: agrees in {counts}{_closed_loop(check)}"
    if check.failure:
        return f"{title}: FAILED: {check.failure}"
    if check.first is not None:
        wrong = sum(not row.agrees for row in check.compared)
        return f"{title}: DIFFERS, in {wrong} of {len(check.compared)} comparisons; first: {check.first}"
    if check.text is not None and not check.text.agrees:
        return f"{title}: DIFFERS: {check.text}"
    assert check.closed_loop is not None, "other differences"
    step = check.closed_loop.differs_at
    return f"{title}: DIFFERS: when the board drives the robot alone, the world differs from step {step} on"


def _closed_loop(check: FlavorResult) -> str:
    return (
        ""
        if check.closed_loop is None
        else f"; run alone, it gives a bit-identical world ({check.closed_loop.final})"
    )


def _write(args: Namespace, found: VerificationResult) -> None:
    try:
        if args.table is not None:
            write_table(args.table, found.rows, found.omitted)
            _LOG.info("wrote %s", args.table)
        if args.report is not None:
            write_report(args.report, found)
            _LOG.info("wrote %s", args.report)
    except OSError as problem:
        raise RunError(f"cannot write: {problem}") from None
