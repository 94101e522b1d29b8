"""`wbridge bridge`: serve simulated robots over the robot link."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path
from urllib.parse import quote

from wbridge.commands.check import add_loading_arguments
from wbridge.commands.run import count_of, seconds_of
from wbridge.failures import DONE, FAILED, InputError, RunError
from wbridge.hal.link.errors import AddressError, LinkError
from wbridge.hal.link.slave import SlaveOptions
from wbridge.hal.link.url import parse_url, without_password
from wbridge.json_output import add_json, print_json
from wbridge.options import Loading, options
from wbridge.robot_windows.addresses import reachable
from wbridge.running.hardware import hardware_map
from wbridge.running.passwords import warn_of_passwords
from wbridge.running.plugins import plugin_failures, plugin_options
from wbridge.running.recorder import check_record, open_recorder, problem_of
from wbridge.running.result import tell_findings
from wbridge.running.signals import ending
from wbridge.running.world import load, robots_by_name
from wbridge.wbcore.bridge.bridge import Bridge
from wbridge.wbcore.bridge.sent_pictures import SentPictures
from wbridge.wbcore.physics.errors import UnstableError
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfirmware.building.hil import slave_options
from wbridge.words import amount

HELP = "serve simulated robots over the robot link, as if they were real"

_LOG = logging.getLogger("wbridge")
_DEFAULT_URL = "tcp://127.0.0.1"
_PLACE = "{robot}"
JPEG_QUALITY, MOST_PICTURES = 80, 1000


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    parser.add_argument(
        "--robot",
        action="append",
        metavar="NAME",
        help="serve only this robot; repeatable (default: all robots)",
    )
    parser.add_argument(
        "--url",
        action="append",
        metavar="URL",
        help=f"address to serve at, for example tcp://127.0.0.1:8080, pty://, mqtt://broker/fleet/{_PLACE}; "
        f"repeatable; {_PLACE} is replaced by the robot's name (default: {_DEFAULT_URL} with a free port)",
    )
    parser.add_argument(
        "--mode",
        choices=("realtime", "steps"),
        default="realtime",
        help="advance in real time (default), or only in the controllers' steps, once each robot has "
        "a controller",
    )
    parser.add_argument(
        "--board",
        type=Path,
        metavar="MAP",
        help="hardware map of a board with hil firmware; adapts the messages to the board",
    )
    parser.add_argument(
        "--pictures",
        type=picture_format,
        default=None,
        metavar="FORMAT",
        help="how camera pictures travel: raw (default), jpeg, or jpeg:QUALITY with 1 to 100 (80)",
    )
    parser.add_argument(
        "--picture-rate",
        type=rate_of,
        metavar="HZ",
        help="the most pictures per second of each camera, range finder and lidar (default: as often as the "
        "controller asks)",
    )
    parser.add_argument(
        "--seed", type=count_of, metavar="N", help="random seed (default: WorldInfo.randomSeed)"
    )
    parser.add_argument("--duration", type=seconds_of, metavar="S", help="maximum simulated time, in seconds")
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="record poses, commands and readings of every step to FILE.csv or FILE.npz",
    )
    add_json(parser, "addresses")
    add_loading_arguments(parser)


def picture_format(text: str) -> int | None:
    """Parse a picture format: the JPEG quality, or None for raw pixels."""
    name, _, quality = text.partition(":")
    if text == "raw":
        return None
    if name == "jpeg" and (not quality or (quality.isdecimal() and 1 <= int(quality) <= 100)):
        return int(quality or JPEG_QUALITY)
    raise ArgumentTypeError(f"'{text}' is not raw, jpeg, or jpeg:QUALITY with a quality of 1 to 100")


def rate_of(text: str) -> float:
    """Parse pictures per second, above 0 and up to 1000."""
    try:
        rate = float(text)
    except ValueError:
        rate = 0.0
    if not 0 < rate <= MOST_PICTURES:
        raise ArgumentTypeError(f"'{text}' is not a number of pictures per second, above 0 and up to 1000")
    return rate


def run(args: Namespace) -> int:
    """Serve until the duration is over or a signal arrives; neither is a failure."""
    check_record(args.record)
    world = load(args.world, options(Loading, args))
    urls = _urls(list(robots_by_name(world)), args)
    with plugin_failures():
        simulation = Simulation(world, args.seed, plugin=plugin_options())
    tell_findings(simulation)
    with (
        open_recorder(simulation, args.record, devices=True) as recorder,
        _bridge(simulation, urls, args) as bridge,
    ):
        if recorder is not None:
            recorder.take()
            bridge.on_step = recorder.take_of
        _tell(bridge, args)
        try:
            with ending(bridge.end):
                bridge.run()
        except UnstableError as problem:
            raise RunError(str(problem)) from None
    _LOG.info("%s s simulated", amount(bridge.steps * simulation.step_s))
    return FAILED if problem_of(recorder) else DONE


def _urls(known: list[str], args: Namespace) -> dict[str, list[str]]:
    """Return the URLs of each robot.

    Raises:
        InputError: a robot does not exist, or several robots would have one URL.
    """
    chosen = args.robot or known
    for name in chosen:
        if name not in known:
            listed = ", ".join(f'"{name}"' for name in known)
            raise InputError(f'no robot named "{name}"; available: {listed}{did_you_mean(name, known)}')
    given = args.url or [_DEFAULT_URL]
    warn_of_passwords(args.url or ())
    for url in args.url or ():
        if len(chosen) > 1 and _PLACE not in url and not _chooses_itself(url):
            raise InputError(
                f"{without_password(url)} serves one robot, but {len(chosen)} are selected: choose one with "
                f"--robot NAME, or put {_PLACE} in place of its name"
            )
    return {name: [option.replace(_PLACE, quote(name, safe="")) for option in given] for name in chosen}


def _chooses_itself(url: str) -> bool:
    """Return True for a URL at which the system assigns each robot a place: a free port, a new terminal."""
    try:
        parts = parse_url(url)
    except AddressError as problem:
        raise InputError(str(problem)) from None
    return (parts.scheme in ("tcp", "tcps") and not parts.port) or (
        parts.scheme == "pty" and parts.path in ("", "/")
    )


def _bridge(simulation: Simulation, urls: dict[str, list[str]], args: Namespace) -> Bridge:
    try:
        speed = 1.0 if args.mode == "realtime" else None
        given = None if args.board is None else _options(args)
        sent = SentPictures(args.pictures, args.picture_rate)
        bridge = Bridge(simulation, urls, speed, given, sent)
    except LinkError as problem:
        raise InputError(str(problem)) from None
    if args.duration is not None:
        bridge.limit = round(args.duration / simulation.step_s)
    return bridge


def _options(args: Namespace) -> SlaveOptions:
    """Return the options of the robot's end of the link that a board needs."""
    return slave_options(hardware_map(args.board, options(Loading, args)))


def _tell(bridge: Bridge, args: Namespace) -> None:
    """Tell where controllers find the robots."""
    anywhere = "0.0.0.0"  # an address to which nobody can connect
    for robot in bridge.robots:
        robot.urls = [url.replace(f"//{anywhere}:", f"//{reachable(anywhere)}:") for url in robot.urls]
    if args.json:
        print_json({"robots": [{"name": robot.name, "urls": robot.urls} for robot in bridge.robots]})
    else:
        for name, url in ((robot.name, url) for robot in bridge.robots for url in robot.urls):
            print(f'robot "{name}": {url}', flush=True)
    first = bridge.robots[0]
    _LOG.info(
        'drive one of them: wbridge remote %s --robot "%s" --url %s', args.world, first.name, first.urls[0]
    )
