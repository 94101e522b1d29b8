"""`wbridge firmware wiring`: draw how the parts of a robot are connected to its board."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, RunError
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, options
from wbridge.running.hardware import MAP, hardware_map, need_folder
from wbridge.wbfirmware.wiring.connections import plan_wiring
from wbridge.wbfirmware.wiring.drawing import draw_wiring
from wbridge.wbfirmware.wiring.electrical import electrical_warnings

HELP = "draw the wiring of a hardware map and check voltages and currents"

_LOG = logging.getLogger("wbridge")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.add_argument(
        "file", type=Path, nargs="?", default=MAP, metavar="FILE", help=f"hardware map (default: {MAP})"
    )
    parser.add_argument(
        "-o",
        "--out",
        type=Path,
        metavar="SVG",
        help="the drawing (default: the name of the hardware map with .svg, next to it)",
    )
    add_loading_arguments(parser)
    add_json(parser, "connections")


def run(args: Namespace) -> int:
    """Write the drawing, and print the connections and warnings."""
    hardware = hardware_map(args.file, options(Loading, args), needs_controller=False)
    out = args.out or args.file.with_suffix(".svg")
    need_folder(out)
    plan = plan_wiring(hardware)
    rows = [
        (
            hardware.board.label_of(connection.board_pin) or "battery +",
            connection.pin,
            placed.part.title,
            connection.device,
        )
        for placed in plan.parts
        for connection in placed.connections
    ]
    warnings = [warning.text for warning in electrical_warnings(plan)]
    if args.json:
        keys = ("board_pin", "part_pin", "part", "device")
        connections = [dict(zip(keys, row, strict=True)) for row in rows]
        print_json({"file": out, "connections": connections, "warnings": warnings})
    else:
        for to, pin, part, device in rows:
            print(f"{to:10} {pin:10} {part}{f' ({device})' if device else ''}", flush=True)
    for warning in warnings:
        _LOG.warning("warning: %s", warning)
    try:
        out.write_text(draw_wiring(plan), encoding="utf-8")
    except OSError as problem:
        raise RunError(f"cannot write {out}: {problem.strerror}") from None
    _LOG.info("wrote %s", out)
    return DONE
