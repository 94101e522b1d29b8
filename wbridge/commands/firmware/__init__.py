"""`wbridge firmware`: a robot's firmware. Each module here is an action of the same name."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

HELP = "create, build, emulate, verify and flash a robot's firmware"


class Action(Protocol):
    """The interface of the modules of actions."""

    HELP: str

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the action's arguments."""

    def run(self, args: argparse.Namespace) -> int:
        """Do the work; return the exit code."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of all actions."""
    chosen = parser.add_subparsers(dest="action", required=True, metavar="ACTION", title="actions")
    for name in sorted(file.stem for file in Path(__file__).parent.glob("[!_]*.py")):
        action = _action(name)
        own = chosen.add_parser(name, help=action.HELP, description=action.HELP)
        action.add_arguments(own)
        # Also after the action's name; the default is that of the command.
        own.add_argument(
            "-q", "--quiet", action="store_true", default=argparse.SUPPRESS, help="print only errors"
        )


def run(args: argparse.Namespace) -> int:
    """Run the chosen action."""
    return _action(args.action).run(args)


def _action(name: str) -> Action:
    return cast(Action, import_module(f"{__name__}.{name}"))
