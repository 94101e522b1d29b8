"""`wbridge demo`: run a sample world, and show it in the browser."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from wbridge.commands import run as run_command
from wbridge.commands.run import seconds_of
from wbridge.json_output import add_json
from wbridge.projects.samples import find_sample
from wbridge.running.filming import FINE_VIEW
from wbridge.running.windows import add_network_arguments, port_of

HELP = "run a sample world, and show it in the browser"

_DEFAULT = "epuck_arena"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "sample",
        nargs="?",
        default=_DEFAULT,
        metavar="SAMPLE",
        help=f"a world that `wbridge samples` lists (default: {_DEFAULT})",
    )
    parser.add_argument(
        "--duration", type=seconds_of, metavar="S", help="maximum simulated time, in seconds (default: none)"
    )
    parser.add_argument("--no-open", action="store_true", help="do not open the browser")
    parser.add_argument(
        "--port-windows",
        type=port_of,
        metavar="N",
        help="port of the window server (default: first free one from 8765)",
    )
    add_json(parser)
    add_network_arguments(parser, "--host-windows")


def run(args: Namespace) -> int:
    """Run the sample as `wbridge run WORLD --view --looks view --open` does."""
    parser = ArgumentParser()
    run_command.add_arguments(parser)
    choices = parser.parse_args([str(find_sample(args.sample).world), "--view", "--looks", FINE_VIEW])
    for name, value in vars(args).items():
        setattr(choices, name, value)
    choices.open = not args.no_open
    return run_command.run(choices)
