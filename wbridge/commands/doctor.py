"""`wbridge doctor`: check what this computer has for wbridge, and print how to get the rest."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace

from wbridge.colors import GREEN, RED, YELLOW, colored
from wbridge.doctor.checks import all_checks
from wbridge.failures import DONE, FAILED
from wbridge.json_output import add_json, print_json
from wbridge.text_table import columns

HELP = "check what is installed and what is missing, and print the next command"

_LOG = logging.getLogger("wbridge")
_COLORS = {"ok": GREEN, "missing": YELLOW, "BROKEN": RED}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_json(parser, "checks")


def run(args: Namespace) -> int:
    """Print all checks; the exit code is 1 if simulations cannot run."""
    checks = all_checks()
    broken = [check for check in checks if check.is_needed and not check.is_ok]
    if args.json:
        print_json({"can_run": not broken, "checks": [check._asdict() for check in checks]})
        return FAILED if broken else DONE
    for check, line in zip(
        checks, columns([[check.state, check.name, check.detail] for check in checks]), strict=True
    ):
        print(colored(check.state, _COLORS[check.state], sys.stdout) + line[len(check.state) :])
    for check in checks:
        if check.advice:
            _LOG.info("\n%s (%s):\n  %s", check.name, check.purpose, check.advice)
    _LOG.info("\n%s", _verdict(bool(broken), checks[0].detail))
    return FAILED if broken else DONE


def _verdict(is_broken: bool, version: str) -> str:
    if is_broken:
        return "simulations cannot run; start with the first command above"
    return f"wbridge {version} can run simulations; try: wbridge demo"
