"""`wbridge firmware flash`: brings a firmware onto the robot's board, and asks the board what it runs."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from wbridge.json_output import add_json
from wbridge.running.hardware import add_map_arguments

HELP = "build the firmware and flash it with the board's usual tool"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    add_map_arguments(
        parser,
        "Prints the commands before running them, then reads the name of the build from the board, "
        "if it has a "
        "robot link and the serial port of its wire is known.",
    )
    parser.add_argument(
        "--port",
        metavar="PORT",
        help="serial port of the board, or the folder of its drive (default: the only one)",
    )
    parser.add_argument("--tool", metavar="TOOL", help="flashing tool (default: the first one installed)")
    parser.add_argument(
        "--wire",
        metavar="URL",
        help="URL of the board's link after flashing (default: PORT, if it is a serial port)",
    )
    parser.add_argument(
        "--slave", action="store_true", help="flash the flavor slave, which `wbridge firmware test` needs"
    )
    parser.add_argument("--dry-run", action="store_true", help="print the commands without running them")
    add_json(parser)


def run(args: Namespace) -> int:
    """Build, describe the plan, flash, and query the board."""
    from wbridge.running.flashing import flash_firmware  # start-up: not for the other actions

    return flash_firmware(args)
