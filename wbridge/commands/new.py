"""`wbridge new`: write a project to start from."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path
from shlex import quote

from wbridge.failures import DONE
from wbridge.json_output import add_json, print_json
from wbridge.projects.empty_project import WORLD, create_project

HELP = "write a new project: a world with a robot, and its controller"

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "folder", type=Path, metavar="FOLDER", help="the new project; must not exist, or be empty"
    )
    add_json(parser, "files")


def run(args: Namespace) -> int:
    """Write the project, and print the next command."""
    files = create_project(args.folder)
    if args.json:
        print_json({"folder": str(args.folder), "files": [str(file) for file in files]})
        return DONE
    for file in files:
        print(args.folder / file)
    _LOG.info("next: cd %s && wbridge run %s --open", quote(str(args.folder)), WORLD)
    return DONE
