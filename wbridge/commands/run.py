"""`wbridge run`: simulate a world with its controllers."""

from __future__ import annotations

import math
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import InputError, RunError
from wbridge.options import RunChoices, WindowOptions, options
from wbridge.running.admitting import OTHERS, TOKENS
from wbridge.running.filming import add_looks, add_view_size, check_film
from wbridge.running.intervening import check_interventions
from wbridge.running.plugins import plugin_failures
from wbridge.running.profiling import check_trace
from wbridge.running.recorder import check_run_record
from wbridge.running.result import Result, report
from wbridge.running.windows import add_window_arguments, port_of
from wbridge.running.world import load_with_link, place_and_value
from wbridge.wbcore.controllers.dialects import DIALECTS, NEWEST
from wbridge.wbcore.garbage import suspended
from wbridge.wbcore.physics.solvers import DEFAULT_SOLVER, SOLVERS, VARIABLE, usual_solver
from wbridge.wbcore.scene.contact_law import LAWS, PLACE

if TYPE_CHECKING:
    from wbridge.wbcore.scene.load import World

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
        help=f"maximum simulated time, in seconds (default: until all controllers have ended; "
        f"{_DEFAULT_S:g} without controllers)",
    )
    length.add_argument("--steps", type=count_of, metavar="N", help="maximum number of basic time steps")
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument(
        "--mode", choices=_MODES, help="as fast as possible (default), or in real time (default with windows)"
    )
    pace.add_argument("--speed", type=_factor, metavar="X", help="simulated seconds per real second")
    parser.add_argument(
        "--seed", type=count_of, metavar="N", help="random seed (default: WorldInfo.randomSeed)"
    )
    parser.add_argument(
        "--set",
        type=place_and_value,
        action="append",
        default=[],
        metavar="NODE.FIELD=VALUE",
        help="replace the value of a field, for example E_PUCK.translation='0 1 0' or WorldInfo.gravity=3.7; "
        "NODE is a DEF name, a field `name`, or a type that occurs once; link.latency=20ms, link.jitter and "
        "link.loss=0.01 delay and drop messages between controllers and robots",
    )
    parser.add_argument(
        "--contacts",
        choices=LAWS,
        help="law of contact: as in Webots, or with round friction cones (default: that of WorldInfo.info, "
        'else "webots")',
    )
    parser.add_argument(
        "--threads",
        type=_threads,
        metavar="N",
        help="maximum number of threads of the physics, 1 to 256; the motion stays the same "
        "(default: WorldInfo.optimalThreadCount, at most one per processor)",
    )
    parser.add_argument(
        "--solver",
        type=_solver,
        default=usual_solver(),
        metavar="NAME",
        help=f"solver of exact steps: sparse goes along the trees of bodies of a robot, dense is ODE's own "
        f"(default: ${VARIABLE}, otherwise {DEFAULT_SOLVER})",
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="record the run: as a page for any browser (FILE.html), poses, commands and readings of "
        "every step (FILE.csv or FILE.npz), or commands and readings for `wbridge compare` (FILE.mcap)",
    )
    parser.add_argument(
        "--plot",
        action="append",
        default=[],
        metavar="ROBOT.DEVICE",
        help="with --record FILE.html: record and plot these values, for example e-puck.ps0 or 'e-puck.ps*'; "
        "may be repeated (default: all values of the devices, if there are at most 200)",
    )
    parser.add_argument(
        "--movie",
        type=Path,
        metavar="FILE.mp4",
        help="record what the Viewpoint sees, 25 pictures per second",
    )
    parser.add_argument(
        "--picture",
        type=Path,
        metavar="FILE",
        help="save what the Viewpoint sees at the end, as .png or .jpg",
    )
    add_view_size(parser, "--view-size")
    add_looks(parser)
    parser.add_argument(
        "--sound",
        type=Path,
        metavar="FILE.wav",
        help="record what is heard of speakers at the Viewpoint",
    )
    parser.add_argument(
        "--animation",
        type=Path,
        metavar="FILE.html",
        help="record the scene for Webots' web viewer: FILE.html, .x3d, .json and .css",
    )
    parser.add_argument(
        "--profile",
        action="store_true",
        help="print where the time of a step goes: engine, kinds of devices, controllers, packets, windows",
    )
    parser.add_argument(
        "--trace",
        type=Path,
        metavar="FILE",
        help="as --profile, and write a timeline to FILE.json for https://ui.perfetto.dev",
    )
    parser.add_argument(
        "--shadow",
        choices=("mirror", "beside"),
        help="while the controller drives the real robot, move the simulated robot too: follow the "
        "encoders (mirror) "
        "or apply the same commands (beside); --record then includes the real readings",
    )
    parser.add_argument(
        "--isolate",
        action="store_true",
        help="simulate in a process of its own: however a physics plugin ends it, the message names the "
        "plugin's function and the step, and the recording stays usable",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    _add_controller_arguments(parser)
    shows = "the robots and the world in the browser, by default in real time and until Ctrl-C"
    add_window_arguments(parser, shows)
    parser.add_argument("--view", action="store_true", help="as --windows; begin with the world in 3D")
    parser.add_argument(
        "--save-worlds",
        type=Path,
        metavar="FOLDER",
        help="let pages with the 3D view save the world as a new file in this folder; implies --view",
    )
    parser.add_argument(
        "--edit-controllers",
        action="store_true",
        help="let pages change the controllers of the world, so that whoever has the address of the page "
        "can run programs on this machine; implies --view",
    )
    parser.add_argument(
        "--interventions",
        type=Path,
        metavar="FILE",
        help="write what you change in the 3D view (fields, forces, moves) to a file for --replay; "
        "implies --view",
    )
    parser.add_argument(
        "--replay", type=Path, metavar="FILE", help="repeat the interventions of an earlier run, bit by bit"
    )
    parser.add_argument(
        "--keys",
        type=Path,
        metavar="FILE",
        help="press keys of the keyboard at simulated times; each line of the file has a time (s), press or "
        "release, and a key, for example: 0.5 press UP",
    )
    add_loading_arguments(parser)


def _add_controller_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--no-controllers", action="store_true", help="simulate the physics only")
    parser.add_argument(
        "--controller",
        type=robot_and_controller,
        action="append",
        default=[],
        metavar="[ROBOT=]NAME",
        help="use another controller: its name, the path of its file, <extern> or <none>; with "
        "ROBOT=, for that robot only",
    )
    parser.add_argument(
        "--inline", action="store_true", help="run Python controllers in the simulator's process"
    )
    parser.add_argument(
        "--synchronous",
        action="store_true",
        help="wait for all controllers, even of robots with synchronization FALSE",
    )
    parser.add_argument(
        "--prefix", action="store_true", help="prefix controllers' output with the robot's name"
    )
    parser.add_argument(
        "--fail-on-controller-error",
        action="store_true",
        help="end the run with exit code 1 when a controller fails or cannot be started (default: "
        "the run continues, and failed controllers do not change the exit code)",
    )
    parser.add_argument(
        "--timeout",
        type=seconds_of,
        metavar="S",
        help="end with exit code 1 after waiting this many seconds for a controller",
    )
    parser.add_argument(
        "--port",
        type=port_of,
        metavar="N",
        help="TCP port and number of the simulation (default: first free one from 1234)",
    )
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
    parser.add_argument(
        "--token",
        choices=TOKENS,
        default=OTHERS,
        help="which controllers that connect over TCP need the printed token: all but your own programs on "
        "this computer, always, or never, which needs a --host of this computer only (default: %(default)s); "
        "the variable WBRIDGE_CONTROLLER_TOKEN replaces the random token",
    )
    parser.add_argument(
        "--dialect",
        choices=DIALECTS,
        default=NEWEST,
        help="release of the controller libraries that connect (default: %(default)s)",
    )


def run(args: Namespace) -> int:
    """Simulate; the exit code is that of `simulationQuit`, 1 if the run fails, 2 if the world has errors."""
    from wbridge.running.key_presses import check_keys

    writes = args.save_worlds is not None or args.interventions is not None or args.edit_controllers
    args.view = args.view or writes
    windows = options(WindowOptions, args).wants_windows
    speed = args.speed or _MODES[args.mode or ("realtime" if windows else "fast")]
    fields = args.set if args.contacts is None else [*args.set, (PLACE, args.contacts)]
    chosen = options(RunChoices, args, windows=windows, speed=speed, plugin_note="", set=fields)
    check_run_record(chosen)
    check_film(chosen)
    check_trace(chosen.trace)
    check_interventions(chosen)
    check_keys(chosen)
    if args.isolate:
        if sys.platform != "linux":
            raise InputError("--isolate copies the process, and watches it as only Linux can; leave it out")
        from wbridge.running.isolation import Isolated, isolate

        side = isolate(chosen.timeout, chosen.record)
        if isinstance(side, Isolated):
            return side.wait()
        chosen = replace(chosen, plugin_note=side)
    with suspended(), plugin_failures():
        world, quality = load_with_link(args.world, chosen, dict(chosen.set))
        if chosen.no_controllers and any(quality):
            raise InputError("--set link.* delays what controllers send and get; leave out --no-controllers")
        result = _simulated(world, chosen)
    report(result, chosen)
    return result.exit_code


def _simulated(world: World, chosen: RunChoices) -> Result:
    try:
        if chosen.no_controllers and not chosen.windows:
            from wbridge.running.physics_only import run_physics as simulate
        else:
            from wbridge.running.with_controllers import run_with_controllers as simulate
        return simulate(world, chosen, _DEFAULT_S)
    except ImportError as problem:
        raise RunError(f"cannot load the physics engine ({problem}); build it with: make build") from None


def robot_and_controller(text: str) -> tuple[str, str]:
    """Parse [ROBOT=]CONTROLLER."""
    robot, equals, controller = text.rpartition("=")
    if not controller or (equals and not robot):
        raise ArgumentTypeError(f"'{text}' is not ROBOT=CONTROLLER")
    return robot, file_or_name(controller)


def file_or_name(controller: str) -> str:
    """Return a controller as named; a file of the current folder as absolute path (names have no suffix)."""
    path = Path(controller)
    is_file = "/" not in controller and path.suffix != "" and path.is_file()
    return str(path.absolute()) if is_file else controller


def seconds_of(text: str) -> float:
    """Parse an argument of 0 or more seconds."""
    value = _number(text, "seconds")
    if not 0 <= value < math.inf:
        raise ArgumentTypeError(f"{text} is not a number of seconds, 0 or more")
    return value


def _threads(text: str) -> int:
    value = count_of(text)
    if not 1 <= value <= 256:
        raise ArgumentTypeError(f"{text} is not a number of threads, 1 to 256")
    return value


def _solver(text: str) -> str:
    if text not in SOLVERS:
        raise ArgumentTypeError(f"{text} is neither {' nor '.join(SOLVERS)}")
    return text


def _factor(text: str) -> float:
    value = _number(text, "times real time")
    if not 0 < value < math.inf:
        raise ArgumentTypeError(f"{text} is not above 0")
    return value


def _number(text: str, unit: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"'{text}' is not a number of {unit}") from None


def count_of(text: str) -> int:
    """Parse an argument that is a whole number, 0 or more."""
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)
