"""`wbridge completion`: print the script with which a shell completes commands and options."""

from __future__ import annotations

import logging
import sys
from argparse import ArgumentParser, Namespace

from wbridge.completion.scripts import INSTALLATION, SCRIPTS
from wbridge.failures import DONE
from wbridge.json_output import add_json, print_json

HELP = "print the script with which bash, zsh or fish completes commands and options"

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="the shell")
    add_json(parser, "script")


def run(args: Namespace) -> int:
    """Print the script; on a terminal also how to install it."""
    script = SCRIPTS[args.shell]()
    if args.json:
        print_json({"shell": args.shell, "script": script})
        return DONE
    print(script)
    if sys.stdout.isatty():
        _LOG.info("to install it: %s", INSTALLATION[args.shell])
    return DONE
