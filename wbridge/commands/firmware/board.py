"""`wbridge firmware board`: start a board of one's own with a copy of another one's folder."""

from __future__ import annotations

import logging
import re
import shutil
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.failures import DONE, InputError, RunError
from wbridge.json_output import add_json, print_json
from wbridge.wbfirmware.problems import nearest
from wbridge.wbfirmware.template_folders import all_board_folders, own_boards

HELP = "copy a board's folder to start a board of your own"
NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.add_argument("name", metavar="NAME", help="name of the new board, for example pro-mini")
    parser.add_argument("--like", metavar="BOARD", required=True, help="the board whose folder is copied")
    parser.add_argument(
        "--folder", type=Path, metavar="PATH", default=Path(), help="folder of the hardware map (default: .)"
    )
    add_json(parser, "folder")


def run(args: Namespace) -> int:
    """Copy the folder."""
    folders = all_board_folders(args.folder)
    if args.like not in folders:
        known = list(folders)
        raise InputError(f"no board '{args.like}'{nearest(args.like, known)}; available: {', '.join(known)}")
    if not NAME.fullmatch(args.name):
        raise InputError(
            f"'{args.name}' cannot be the name of a board: use lowercase letters, digits, '.', '_', and '-'"
        )
    if args.name in folders:
        raise InputError(f"board '{args.name}' exists: {folders[args.name]}; choose another name")
    place = own_boards(args.folder) / args.name
    try:
        shutil.copytree(folders[args.like], place)
    except OSError as problem:
        raise RunError(f"cannot write {place}: {problem.strerror or problem}") from None
    if args.json:
        print_json({"folder": place})
    _LOG.info("wrote %s; change its board.toml, then run: wbridge firmware new --board %s", place, args.name)
    return DONE
