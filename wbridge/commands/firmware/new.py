"""`wbridge firmware new`: write a hardware map with proposed drivers and pins."""

from __future__ import annotations

import logging
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, InputError, RunError
from wbridge.options import Loading, options
from wbridge.running.hardware import MAP, need_folder, table_of

HELP = "write a hardware map with proposed drivers and pins"

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    parser.add_argument("--robot", metavar="NAME", help="name of the robot (default: the only one)")
    parser.add_argument("--board", metavar="BOARD", default="host", help="the board (default: host)")
    parser.add_argument(
        "--out", type=Path, metavar="PATH", default=MAP, help=f"hardware map to write (default: {MAP})"
    )
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Propose a map and write it."""
    from wbcore.scene.diagnostics import did_you_mean
    from wbfirmware.boards import BoardError
    from wbfirmware.propose import propose
    from wbfirmware.template_folders import all_board_folders

    known = list(all_board_folders(args.out.parent))
    if args.board not in known:
        raise InputError(
            f"no board '{args.board}'; available: {', '.join(known)}{did_you_mean(args.board, known)}"
        )
    out = args.out
    if out.exists():
        raise InputError(f"{out} exists; remove it, or choose another file with --out")
    need_folder(out)
    table, world = (
        table_of(args.world, args.robot, options(Loading, args)),
        os.path.relpath(args.world, out.parent),
    )
    try:
        text = propose(table, world, args.board, out.parent)
    except BoardError as problem:
        raise InputError(str(problem)) from None
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise RunError(f"cannot write {out}: {problem.strerror}") from None
    _LOG.info("wrote %s; set the pins of your robot there, then run: wbridge firmware build %s", out, out)
    return DONE
