"""`wbridge firmware monitor`: show and record what a board says while it runs alone."""

from __future__ import annotations

import threading
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import seconds_of
from wbridge.failures import DONE, InputError
from wbridge.options import Loading, WindowOptions, options
from wbridge.running.board_monitor import (
    JsonLines,
    Monitor,
    PrintedValues,
    RecordedValues,
    Target,
    attach_board,
)
from wbridge.running.hardware import MAP, hardware_map
from wbridge.running.signals import ending
from wbridge.running.windows import add_window_arguments, serve_windows
from wbridge.running.writable import Output, check_output
from wbridge.wbfirmware.map.hardware import Hardware

HELP = "show and record what a board says while its controller runs on it"

_BAUD = 115200
_RECORD = Output("record to", "a recording", (".mcap", ".csv"))


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.epilog = (
        "Controllers name values with telemetry(NAME, VALUE). With report_devices = true in the map, the "
        "board also reports its sensors and motors, which `wbridge compare` reads from a recording."
    )
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="FILE", help=f"hardware map (default: {MAP}, if it exists)"
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", metavar="PORT", help="serial port of the board, for example /dev/ttyACM0")
    where.add_argument(
        "--url", metavar="URL", help="URL of the board, for example tcp://:TOKEN@192.168.1.7:8080"
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="record to FILE.mcap (for `wbridge compare` and Foxglove), or named values to FILE.csv",
    )
    parser.add_argument(
        "--acknowledge", action="store_true", help="let the controller start again after a fault of the board"
    )
    parser.add_argument("--duration", type=seconds_of, metavar="S", help="end after this many seconds")
    parser.add_argument(
        "--json", action="store_true", help="print all that is said as JSON objects, one in a line"
    )
    add_window_arguments(parser, "values and text in the browser")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Show what the board says until a signal arrives."""
    check_output(args.record, _RECORD)
    hardware = _hardware(args)
    over = threading.Event()
    with ExitStack() as stack:
        targets: list[Target] = [JsonLines() if args.json else PrintedValues()]
        if args.record is not None:
            targets.append(stack.enter_context(RecordedValues(args.record, hardware)))
        chosen = options(WindowOptions, args, view=False)
        if chosen.wants_windows:
            targets.append(attach_board(stack.enter_context(serve_windows(chosen)), hardware))
        monitor = stack.enter_context(Monitor(_url(args, hardware), hardware, targets, args.acknowledge))
        stack.enter_context(ending(over.set))
        monitor.run(over, args.duration)
    return DONE


def _hardware(args: Namespace) -> Hardware | None:
    """Return the hardware map, if there is one.

    Raises:
        InputError: it cannot be read, its board says nothing, or the recording needs it.
    """
    if args.file is None and not MAP.exists():
        if args.record is not None and args.record.suffix == ".mcap":
            raise InputError(
                f"--record {args.record}: this recording describes the robot's devices, so it needs a "
                "hardware map: wbridge firmware monitor FILE --port ..."
            )
        return None
    hardware = hardware_map(args.file or MAP, options(Loading, args))
    if not hardware.flavor.text:
        raise InputError(
            f"{hardware.path}: a board of the flavor {hardware.flavor.name} uses its wire for the robot "
            "link; it can be watched with: wbridge window URL"
        )
    return hardware


def _url(args: Namespace, hardware: Hardware | None) -> str:
    if args.url is not None:
        return str(args.url)
    baud = _BAUD if hardware is None else hardware.link.baud
    return f"serial://{args.port}?baud={baud}"
