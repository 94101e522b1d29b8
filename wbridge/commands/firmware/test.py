"""`wbridge firmware test`: try each device of a real board, and correct the hardware map."""

from __future__ import annotations

import logging
import shlex
import sys
from argparse import ArgumentParser, Namespace
from contextlib import nullcontext, redirect_stdout
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, FAILED, InputError, RunError
from wbridge.hal.link.errors import LinkError
from wbridge.hal.link.transports import connect
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, options
from wbridge.running.checklists import EPUCK, checklist_of, run_board, run_epuck
from wbridge.running.hardware import MAP, hardware_map
from wbridge.running.passwords import warn_of_passwords
from wbridge.running.terminal_dialog import TerminalDialog
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbfirmware.bringup.device_test import CORRECTED
from wbridge.wbfirmware.bringup.device_test import FAILED as BROKEN
from wbridge.wbfirmware.bringup.robot import TestedRobot
from wbridge.wbfirmware.bringup.session import Outcome, Session, as_slave, build_of
from wbridge.wbfirmware.map.hardware import Hardware

HELP = "try each device of a board step by step, and correct signs and calibration in the hardware map"

_LOG = logging.getLogger("wbridge")
_CONNECT = 10.0
"""s for the board to answer."""
_STOPPED = 130
"""Exit code after Ctrl-C."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the action."""
    parser.epilog = (
        "The board runs the firmware of the flavor slave: wbridge firmware flash --slave. Put the robot on "
        "blocks, so that its wheels turn freely. Ctrl-C stops the motors; what passed is remembered."
    )
    parser.add_argument(
        "file", type=Path, nargs="?", default=MAP, metavar="FILE", help=f"hardware map (default: {MAP})"
    )
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", metavar="PORT", help="serial port of the board, for example /dev/ttyACM0")
    where.add_argument(
        "--url", metavar="URL", help="URL of the board's link, for example tcp://192.168.1.7:8080"
    )
    parser.add_argument(
        "--device", action="append", default=[], metavar="NAME", help="test only this device; may be repeated"
    )
    parser.add_argument(
        "--checklist",
        nargs="?",
        const="",
        metavar="epuck",
        help="go through a checklist of 15 minutes and write a report to send: for the board of FILE (Uno, "
        "Pico, ESP32), or for an e-puck",
    )
    parser.add_argument(
        "--report", type=Path, metavar="REPORT", help="file for the report (default: checklist-NAME.txt)"
    )
    parser.add_argument("--again", action="store_true", help="also test devices that passed before")
    add_json(parser, "results, after the questions on standard error,")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Test the devices; the exit code is 1 if one failed or was corrected."""
    if args.report is not None and args.checklist is None:
        raise InputError("--report needs --checklist")
    if args.json and args.checklist is not None:
        raise InputError("--json does not work with --checklist; its report is a file: --report REPORT")
    if args.checklist:
        return _epuck(args)
    hardware = as_slave(_testable(args))
    _check_terminal(args.json)
    warn_of_passwords([args.url or ""])
    url = args.url or f"serial://{args.port}?baud={hardware.link.baud}"
    if args.checklist is not None:
        return _board(args, hardware, url)
    try:
        with (
            TestedRobot(hardware.table, lambda: connect(url), _CONNECT) as robot,
            redirect_stdout(sys.stderr) if args.json else nullcontext(),
        ):
            _check_build(robot.build, hardware)
            session = Session(hardware, robot, TerminalDialog(robot.step))
            print(f"{hardware.table.name} on {hardware.board.title} answers. Put it on blocks: it will move.")
            outcomes = session.run(lambda name: not args.device or name in args.device, args.again)
            _report(session, outcomes)
        if args.json:
            results = [outcome._asdict() for outcome in outcomes]
            print_json({"results": results, "former_map": session.copy})
        return FAILED if any(outcome.result in (CORRECTED, BROKEN) for outcome in outcomes) else DONE
    except LinkError as problem:
        raise RunError(f"{problem}; the board stops its motors by itself") from None
    except OSError as problem:
        raise RunError(f"cannot write {hardware.path}: {problem.strerror}") from None
    except (KeyboardInterrupt, EOFError):
        print("\nstopped; the motors are off. The same command goes on with the devices that are left.")
        return _STOPPED


def _check_terminal(has_json: bool = False) -> None:
    """Check that somebody can answer; with --json, questions are on standard error.

    Raises:
        InputError: nobody can.
    """
    asking, but = (sys.stderr, " for questions") if has_json else (sys.stdout, "")
    if not (sys.stdin.isatty() and asking.isatty()):
        raise InputError(
            f"wbridge firmware test asks questions; run it in a terminal, without pipes or files{but}"
        )


def _board(args: Namespace, hardware: Hardware, url: str) -> int:
    """Go through the checklist of a board."""
    name = checklist_of(hardware)
    report = args.report or Path(f"checklist-{name}.txt")
    return run_board(name, hardware, url, lambda build: _check_build(build, hardware), report)


def _epuck(args: Namespace) -> int:
    """Go through the checklist of an e-puck."""
    if args.checklist != EPUCK:
        raise InputError(
            f'--checklist: no checklist "{args.checklist}"; allowed: {EPUCK}, or no name (the board of FILE)'
        )
    _check_terminal()
    return run_epuck(args.url or args.port, args.report or Path(f"checklist-{EPUCK}.txt"))


def _testable(args: Namespace) -> Hardware:
    """Return the hardware map, if its board can be tested.

    Raises:
        InputError: it cannot, or a device does not exist.
    """
    hardware = hardware_map(args.file, options(Loading, args))
    if hardware.board.python is not None:
        raise InputError(
            f"{hardware.board.title} has no robot link, which the test needs; use a board without MicroPython"
        )
    names = [wiring.device.name for wiring in hardware.wirings]
    for name in args.device:
        if name not in names:
            listed = ", ".join(names)
            raise InputError(
                f'--device: no device "{name}" on the board; available: {listed}{did_you_mean(name, names)}'
            )
    return hardware


def _check_build(build: str, hardware: Hardware) -> None:
    """Check that the board runs the firmware of the hardware map: corrections depend on it.

    Raises:
        InputError: it runs another one.
    """
    wanted = build_of(hardware)
    if build != wanted:
        command = shlex.join(["wbridge", "firmware", "flash", str(hardware.path), "--slave"])
        raise InputError(
            f'the board runs the build "{build}", and this map makes "{wanted}"; flash it: {command}'
        )


def _report(session: Session, outcomes: list[Outcome]) -> None:
    """Print the results, and what to do next."""
    print("\nresults")
    for outcome in outcomes:
        print(f"  {outcome.result:9}  {outcome.device}{f': {outcome.text}' if outcome.text else ''}")
    path = str(session.hardware.path)
    if session.copy is not None:
        again = shlex.join(["wbridge", "firmware", "flash", path, "--slave"])
        print(f"{path} is corrected; the former one is {session.copy}.")
        print(f"Flash the corrected firmware and test again: {again}")
