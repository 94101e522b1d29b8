"""`wbridge remote`: run a robot's controller on the real robot, without a simulation."""

from __future__ import annotations

import logging
import tempfile
from argparse import ArgumentParser, Namespace
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import parse_qsl, urlencode, urlsplit

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import file_or_name, seconds_of
from wbridge.failures import FAILED, InputError
from wbridge.hal.link.errors import LinkError
from wbridge.hal.remote_plugins import PluginError, check_argument, check_plugin, is_built_in, plugin_name
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, WindowOptions, options
from wbridge.running.building import SUFFIXES, build_controllers, build_late
from wbridge.running.passwords import warn_of_passwords
from wbridge.running.printed import Printed
from wbridge.running.recorder import check_step_record, open_step_record
from wbridge.running.remote_windows import attach_remote
from wbridge.running.robot_plugins import build_robot_plugins
from wbridge.running.windows import add_window_arguments, open_windows
from wbridge.running.world import choose_robot, load
from wbridge.wbcore.controllers.interruption import Interruption
from wbridge.wbcore.controllers.output import STDERR, STDOUT, Output
from wbridge.wbcore.controllers.program_types import CannotStart
from wbridge.wbcore.controllers.runner import RunOptions
from wbridge.wbcore.controllers.search import EXTERN, GENERIC, NONE, controller_folders, find_program
from wbridge.wbcore.physics.errors import WorldError
from wbridge.wbcore.remote.model import Model
from wbridge.wbcore.remote.runner import RemoteRun, RemoteRunner
from wbridge.wbcore.remote.trace_receiver import TraceReceiver
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.node import Node

HELP = "run a controller on the real robot, without a simulation"

_LOG = logging.getLogger("wbridge")
_PLUGIN = "wblink"
_FILES = ("log", "table", "ca", "password_file")
"""URL options that name files."""
_FILES_NEAR_WORLD = ("pins",)
"""URL options whose files are also searched beside the world."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument(
        "world", type=Path, metavar="WORLD", help="a .wbt file that describes the robot's devices"
    )
    parser.add_argument("--robot", metavar="NAME", help="name of the robot (default: the only one)")
    parser.add_argument(
        "--url",
        metavar="URL",
        help="address of the robot, for example serial:///dev/ttyACM0?baud=115200, tcp://192.168.1.7:8080, "
        "mqtts://user@broker/robots/ann?password_file=FILE or usb://1209:0001; `wbridge ports` lists "
        "candidates",
    )
    parser.add_argument(
        "--plugin",
        metavar="NAME",
        help=f"remote-control plugin (default: the robot's field remoteControl, or {_PLUGIN} for the "
        "robot link)",
    )
    parser.add_argument(
        "--controller", metavar="NAME", help="use another controller, by its name or the path of its file"
    )
    parser.add_argument("--duration", type=seconds_of, metavar="S", help="maximum time to run, in seconds")
    parser.add_argument(
        "--shadow",
        choices=("mirror", "beside"),
        help="also simulate a model that follows the robot's encoders (mirror) or gets the same "
        "commands (beside)",
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="record commands and readings, with --shadow also the model's: FILE.mcap (for "
        "`wbridge compare`, `wbridge calibrate` and Foxglove), FILE.csv or FILE.npz",
    )
    add_window_arguments(parser, "the robot in the browser, where you can also drive it by hand")
    add_loading_arguments(parser)
    add_json(parser)


def run(args: Namespace) -> int:
    """Drive until the controller has ended or a signal arrives; the exit code is 1 if it fails."""
    check_step_record(args.record)
    world = load(args.world, options(Loading, args))
    node = choose_robot(world, args.robot)
    if args.controller:
        node.set("controller", _folder_of(args.controller))
    build_controllers(world, {}, node)
    build_robot_plugins(world, node, args.plugin or "")
    _check_controller(world, node)
    warn_of_passwords([args.url or ""])
    plugin, url = _choose(world, node, args)
    with Interruption() as interruption, ExitStack() as stack:
        receiver = _receiver(world, node, args, stack)
        trace = None if receiver is None else receiver.path
        run = RemoteRun(node, plugin, url, trace, mirrors=args.shadow == "mirror")
        windows = stack.enter_context(open_windows(options(WindowOptions, args, view=False)))
        tap = Printed(windows.hub) if windows is not None else None
        how = RunOptions(
            output=Output(STDERR if args.json else STDOUT, tap=tap),
            build=build_late,
            has_windows=windows is not None,
        )
        runner = stack.enter_context(RemoteRunner(world, run, how))
        interruption.watch(runner)
        if receiver is not None:
            receiver.watch(runner.server)
        if receiver is not None and windows is not None:
            attach_remote(windows, runner, receiver, world, node)
        if args.duration is not None:
            runner.limit = round(args.duration / runner.simulation.step_s)
        outcome = runner.run()
        if windows is not None:
            windows.finish(outcome.reason)
    if args.json:
        print_json({"status": outcome.status, "reason": outcome.reason, "steps": outcome.steps})
    else:
        _LOG.info("%s", outcome.reason)
    if receiver is not None and receiver.record is not None and receiver.record.problem:
        return outcome.status or FAILED
    return outcome.status


def _choose(world: World, node: Node, args: Namespace) -> tuple[str, str]:
    """Return the plugin, and the address of the robot.

    Raises:
        InputError: the plugin does not exist, or the robot's address is missing or invalid.
    """
    plugin = plugin_name(args.plugin or str(node.get("remoteControl"))) or _PLUGIN
    project, url = str(world.project), " ".join(map(_with_whole_paths, (args.url or "").split()))
    try:
        check_plugin(plugin, project)
        if is_built_in(plugin, project):
            if args.url is None:
                raise InputError(
                    "no robot address: pass --url, for example --url serial:///dev/ttyACM0; `wbridge "
                    f"ports` lists connected devices, and {_stand_in(plugin)} to try with"
                )
            check_argument(plugin, url)
    except (PluginError, LinkError) as problem:
        raise InputError(str(problem)) from None
    return plugin, url


def _stand_in(plugin: str) -> str:
    """Return which command provides a robot for a plugin if no real one is available."""
    plugin = plugin.partition("+")[0]
    if plugin == _PLUGIN:
        return "`wbridge bridge` provides a simulated robot"
    return f"`wbridge emulate {plugin}` provides an emulated robot"


def _with_whole_paths(url: str) -> str:
    """Return a URL with absolute file paths, which are valid in the controller's folder, too."""
    parts = urlsplit(url)
    try:
        options = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        return url  # reported when the URL is opened
    files = [name for name in _FILES if options.get(name)]
    files += [name for name in _FILES_NEAR_WORLD if options.get(name) and Path(options[name]).is_file()]
    changed = {name: str(Path(options[name]).absolute()) for name in files}
    if not changed:
        return url
    # Not by geturl(), which removes the two slashes from unknown schemes.
    return f"{url.partition('?')[0]}?{urlencode({**options, **changed}, safe='/:')}"


def _folder_of(controller: str) -> str:
    """Return a controller as it was named; for a source in C or C++ its folder.

    Raises:
        InputError: the source does not belong to a controller.
    """
    path = Path(controller)
    if path.suffix not in SUFFIXES:
        return file_or_name(controller)
    if not path.is_file() or path.absolute().parent.name != path.stem:
        raise InputError(
            f"{controller}: a C or C++ controller is a folder with a source file of the same name, "
            "for example "
            f"{path.with_suffix('') / path.name}"
        )
    return str(path.absolute().parent)


def _check_controller(world: World, node: Node) -> None:
    """Check that the robot has a controller.

    Raises:
        InputError: it has none.
    """
    name = str(node.get("controller"))
    if name in (EXTERN, *GENERIC, *NONE):
        raise InputError(f'the robot\'s controller is "{name}"; choose one that drives it: --controller FILE')
    try:
        find_program(name, controller_folders(world, node))
    except CannotStart as problem:
        raise InputError(str(problem)) from None


def _receiver(world: World, node: Node, args: Namespace, stack: ExitStack) -> TraceReceiver | None:
    """Return the receiver of the controller's step trace, if one is needed.

    Raises:
        InputError: the recording cannot be written, or the world cannot be simulated.
    """
    if (
        args.shadow is None
        and args.record is None
        and not options(WindowOptions, args, view=False).wants_windows
    ):
        return None

    model = _model(world, node, args.shadow) if args.shadow else None
    record = open_step_record(args.record, world, node, model is not None) if args.record else None
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="wbridge-")))
    receiver = TraceReceiver(folder / "trace", model, record)
    stack.callback(receiver.close)
    return receiver


def _model(world: World, node: Node, shadow: str) -> Model:
    try:
        return Model(world, node, follows=shadow == "mirror")
    except WorldError as problem:
        raise InputError(str(problem)) from None
