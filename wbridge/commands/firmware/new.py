"""`wbridge firmware new`: write a hardware map with proposed drivers and pins."""

from __future__ import annotations

import logging
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, InputError, RunError
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, options
from wbridge.running.hardware import MAP, robot_in
from wbridge.wbfirmware.boards.board import BoardError, load_board
from wbridge.wbfirmware.map.propose import propose
from wbridge.wbfirmware.map.reading import controller_for
from wbridge.wbfirmware.problems import Problem, Source, nearest
from wbridge.wbfirmware.template_folders import all_board_folders

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
    add_json(parser)


def run(args: Namespace) -> int:
    """Propose a map and write it."""
    known = list(all_board_folders(args.out.parent))
    if args.board not in known:
        raise InputError(
            f"no board '{args.board}'{nearest(args.board, known)}; available: {', '.join(known)}"
        )
    out = args.out
    if out.exists():
        raise InputError(f"{out} exists; remove it, or choose another file with --out")
    table, controller = robot_in(args.world, args.robot, options(Loading, args))
    world = os.path.relpath(args.world, out.parent)
    try:
        text = propose(table, world, args.board, out.parent)
    except BoardError as problem:
        raise InputError(str(problem)) from None
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise RunError(f"cannot write {out}: {problem.strerror}") from None
    if args.json:
        print_json({"file": out})
    _LOG.info("wrote %s; set the pins of your robot there, then run: wbridge firmware build %s", out, out)
    for line in _of_controller(out, text, controller):
        _LOG.warning("%s:%d: before you build: %s", out, line.line, line.text)
    return DONE


def _of_controller(out: Path, text: str, controller: Path | None) -> list[Problem]:
    """Return why the proposed map cannot be built yet with the robot's controller in the world."""
    source = Source(out, text)
    board = load_board(source.data["board"], out.parent)
    controller_for(source, board, source.data["flavor"], controller)
    return source.problems
