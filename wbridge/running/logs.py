"""Logs of robots (FILE.mcap) as arguments of commands, and what a command replays of them."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.failures import InputError
from wbridge.options import Loading, options
from wbridge.running.world import load, must_exist, place_and_value
from wbridge.wbcore.physics.errors import SimulationError, WorldError
from wbridge.wbcore.recordings.device_log import McapMissing
from wbridge.wbcore.recordings.device_log_reader import LogError
from wbridge.wbcore.scene.contact_law import LAWS, law_of
from wbridge.wbcore.scene.load import World
from wbridge.wbfleet.fitting.replay import Pair, Replay, fields_of, log_of, replayed


def add_log_arguments(parser: ArgumentParser) -> None:
    """Declare the log, and the model to replay it with."""
    parser.add_argument(
        "log",
        type=Path,
        metavar="FILE.mcap",
        help="a recording of `wbridge remote --record` or `wbridge run --record`",
    )
    parser.add_argument(
        "--world",
        type=Path,
        metavar="WORLD",
        help="the world with the model (default: that of the recording)",
    )
    parser.add_argument(
        "--robot", metavar="NAME", default="", help="name of the robot (default: the only one)"
    )
    parser.add_argument(
        "--set",
        type=place_and_value,
        action="append",
        default=[],
        metavar="NODE.FIELD=VALUE",
        help="replace the value of a field of the model, as in `wbridge run`",
    )


def replay_of(args: Namespace) -> tuple[Replay, World]:
    """Return the replay that the arguments describe, and its world.

    Raises:
        InputError: the log or the world cannot be read.
    """
    must_exist(args.log)
    try:
        log = log_of(args.log, args.robot)
    except (LogError, McapMissing) as problem:
        raise InputError(str(problem)) from None
    if not log.steps:
        raise InputError(f"{args.log}: the recording has no steps")
    path: Path = args.world or log.world
    if args.world is None and not path.exists():
        raise InputError(f"{args.log} was made with {path}, which does not exist here; pass --world WORLD")
    world = load(path, options(Loading, args), fields_of(log, dict(args.set)))
    where = str(path.absolute())
    return Replay(
        str(args.log.absolute()), args.robot, where, dict(args.set), allow_missing=args.allow_missing
    ), world


def law_lines(world: World) -> list[str]:
    """Return what is said of a replay whose law of contact is not the default."""
    law = law_of(world)
    return [] if law == LAWS[0] else [f"replayed with the law of contact {law}"]


def pairs_of(replay: Replay) -> list[Pair]:
    """Replay a log; return the readings of the robot and its model.

    Raises:
        InputError: the model is of another robot, or breaks.
    """
    try:
        return replayed(replay)
    except (LogError, WorldError, SimulationError) as problem:
        raise InputError(str(problem)) from None
