"""`wbridge firmware build`: generate the C project of a hardware map, and compile it."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace

from wbridge.failures import DONE
from wbridge.json_output import add_json, print_json
from wbridge.options import MapOptions, options
from wbridge.running.hardware import add_map_arguments, built_firmware

HELP = "generate the C project for a hardware map, and compile it"

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    add_map_arguments(parser)
    add_json(parser, "sizes")


def run(args: Namespace) -> int:
    """Build, and print the sizes."""
    _hardware, built = built_firmware(options(MapOptions, args))
    if args.json:
        board = built.board
        limits = {"flash_limit": board.flash, "ram_limit": board.ram}
        print_json({"program": built.program, **built.size._asdict(), **limits, "notes": built.notes})
    else:
        print(built.report)
    _LOG.info("wrote %s", built.program)
    return DONE
