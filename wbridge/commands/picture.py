"""`wbridge picture`: draw a world as its Viewpoint sees it."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import count_of, seconds_of
from wbridge.failures import DONE, RunError
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, options
from wbridge.progress import Progress
from wbridge.running.filming import PICTURE, PLAIN, add_looks, add_view_size, take_picture
from wbridge.running.plugins import plugin_failures, plugin_options
from wbridge.running.world import load
from wbridge.running.writable import check_output

HELP = "draw a world as its Viewpoint sees it"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    parser.add_argument("file", type=Path, metavar="FILE", help="the picture, a .png or .jpg file")
    add_view_size(parser, "--size")
    add_looks(parser)
    parser.add_argument(
        "--time",
        type=seconds_of,
        default=0.0,
        metavar="S",
        help="simulate the physics for S seconds before, without controllers (default: 0); for a picture of "
        "a run with controllers, use wbridge run --picture",
    )
    parser.add_argument("--quality", type=_quality, default=90, metavar="N", help="of .jpg files, 1 to 100")
    add_loading_arguments(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Draw the picture; exit code 2 if the world has errors or there is no OpenGL."""
    check_output(args.file, PICTURE)
    with Progress(2, enabled=not (args.json or args.quiet)) as progress:
        progress.step(f"reading {args.world}")
        world = load(args.world, options(Loading, args))
        from wbridge.wbcore.simulation import Simulation

        progress.step(f"drawing {args.file}")
        with plugin_failures():
            simulation = Simulation(world, plugin=plugin_options())
            simulation.has_fine_looks = args.looks != PLAIN
            _ = simulation.main_view  # made before things move, because it may follow one
            simulation.run(args.time)
        problem = take_picture(simulation, args.file, args.size, args.quality)
    if problem:
        raise RunError(problem)
    if args.json:
        print_json({"file": args.file, "size": args.size, "time": args.time})
    return DONE


def _quality(text: str) -> int:
    value = count_of(text)
    if not 1 <= value <= 100:
        raise ArgumentTypeError(f"{text} is not a quality, 1 to 100")
    return value
