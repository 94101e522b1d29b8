"""`wbridge run`: simulates a world with its controllers."""

from __future__ import annotations

import math
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from wbcore.controllers.dialects import DIALECTS, NEWEST
from wbridge.commands.check import add_loading_arguments
from wbridge.failures import RunError
from wbridge.options import RunChoices, WindowOptions, options
from wbridge.running.windows import add_window_arguments, port_of

if TYPE_CHECKING:
    pass

HELP = "simulate a world with its controllers"

_DEFAULT_S = 10.0
_MODES = {"fast": None, "realtime": 1.0}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--duration",
        type=seconds_of,
        metavar="S",
        help=f"most seconds to simulate (default: until all controllers have ended, {_DEFAULT_S:g} without)",
    )
    length.add_argument("--steps", type=count_of, metavar="N", help="most basic time steps to simulate")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--mode", choices=_MODES, help="as fast as possible (default), or real time (with windows: default)"
    )
    pace.add_argument("--speed", type=_factor, metavar="X", help="simulated seconds per second")
    parser.add_argument("--seed", type=count_of, metavar="N", help="random seed, in the place of WorldInfo's")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="write poses, commands and readings of every step to FILE.csv or FILE.npz",
    )
    parser.add_argument(
        "--shadow",
        choices=("mirror", "beside"),
        help="what a simulated robot does while its controller drives the real one: follow its encoders, or "
        "the same commands (default: nothing); --record then has the real readings, too",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    _add_controller_arguments(parser)
    shows = "robots and world in the browser: in real time unless told otherwise, until Ctrl-C"
    add_window_arguments(parser, shows)
    add_loading_arguments(parser)


def _add_controller_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-controllers", action="store_true", help="start no controllers: physics only")
    parser.add_argument(
        "--controller",
        type=_choice,
        action="append",
        default=[],
        metavar="[ROBOT=]NAME",
        help="another controller for a robot: its name, the path of its file, <extern> or <none>",
    )
    parser.add_argument("--inline", action="store_true", help="run Python controllers inside of this process")
    parser.add_argument(
        "--synchronous",
        action="store_true",
        help="wait for the controllers of all robots, also where the field synchronization is FALSE",
    )
    parser.add_argument(
        "--prefix", action="store_true", help="put the robot's name before controllers' lines"
    )
    parser.add_argument(
        "--fail-on-controller-error",
        action="store_true",
        help="end the run with exit code 1 when a controller fails or cannot be started, as in CI (default: "
        "the run goes on, and failed controllers do not change the exit code)",
    )
    parser.add_argument(
        "--timeout",
        type=seconds_of,
        metavar="S",
        help="give up (exit code 1) after waiting so long for controllers",
    )
    parser.add_argument(
        "--port", type=port_of, metavar="N", help="TCP port and number (default: first from 1234)"
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen at (default: %(default)s)")
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=NEWEST,
        help="release of the libraries that connect (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Simulate; the exit code is `simulationQuit`'s, 1 when the run fails, 2 when the world has errors."""
    from wbridge.running.recorder import check_record
    from wbridge.running.result import report
    from wbridge.running.world import load

    windows = options(WindowOptions, args).wants_windows
    speed = args.speed or _MODES[args.mode or ("realtime" if windows else "fast")]
    chosen = options(RunChoices, args, windows=windows, speed=speed)
    check_record(chosen.record)
    world = load(args.world, chosen)
    try:
        if chosen.no_controllers and not chosen.windows:
            from wbridge.running.physics_only import run_physics as simulate
        else:
            from wbridge.running.with_controllers import run_with_controllers as simulate
        result = simulate(world, chosen, _DEFAULT_S)
    except ImportError as problem:
        raise RunError(
            f"the physics engine cannot be loaded ({problem}); build it with: make build"
        ) from None
    report(result, chosen)
    return result.exit_code


def _choice(text: str) -> tuple[str, str]:
    robot, equals, controller = text.rpartition("=")
    if not controller or (equals and not robot):
        raise ArgumentTypeError(f"'{text}' is no ROBOT=CONTROLLER")
    return robot, file_or_name(controller)


def file_or_name(controller: str) -> str:
    """A controller as it was named; a file of the current folder by its whole path (names have no suffix)."""
    path = Path(controller)
    is_file = "/" not in controller and path.suffix != "" and path.is_file()
    return str(path.absolute()) if is_file else controller


def seconds_of(text: str) -> float:
    """0 or more seconds, of an argument."""
    value = _number(text, "seconds")
    if not 0 <= value < math.inf:
        raise ArgumentTypeError(f"{text} is not 0 or more seconds")
    return value


def _factor(text: str) -> float:
    value = _number(text, "times real time")
    if not 0 < value < math.inf:
        raise ArgumentTypeError(f"{text} is not more than 0")
    return value


def _number(text: str, unit: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"'{text}' is not a number of {unit}") from None


def count_of(text: str) -> int:
    """A whole number, 0 or more, of an argument."""
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)
