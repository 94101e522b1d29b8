"""`wbridge emulate`: emulate a real robot's electronics in software, for tests without the robot."""

from __future__ import annotations

import logging
import sys
import time
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from pathlib import Path
from threading import Event

from wbridge.commands.run import seconds_of
from wbridge.failures import DONE, InputError
from wbridge.hal.link.errors import LinkError
from wbridge.json_output import add_json, print_json
from wbridge.remote_controls.emulators import EmulatedRobot, emulator, emulators
from wbridge.remote_controls.emulators.base import SettingError
from wbridge.remote_controls.emulators.emulator_server import EmulatorServer
from wbridge.running.passwords import warn_of_passwords
from wbridge.running.signals import ending
from wbridge.running.typed import Typed
from wbridge.wbcore.scene.diagnostics import did_you_mean

HELP = "emulate a robot's electronics over serial or TCP"

_LOG = logging.getLogger(__name__)
_DEFAULT_URL = "tcp://127.0.0.1:0" if sys.platform == "win32" else "pty://"
_TELL_EVERY = 0.5
"""Interval (s) at which changes are printed."""
_TELL_FROM = 0.005
"""Minimum change that is printed."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.description = (
        f"{HELP}\n\nPrints the address for controllers, then every change of the robot's actuators. Type "
        "lines\nsuch as `ps0=300` to set its sensors."
    )
    parser.add_argument("robot", metavar="ROBOT", help=f"one of: {', '.join(emulators())}")
    parser.add_argument(
        "--url",
        default=_DEFAULT_URL,
        metavar="URL",
        help="address to serve at: pty:// (default; on Windows tcp://127.0.0.1:0), pty:///PATH/OF/A/LINK, "
        "tcp://HOST:PORT or serial://PORT",
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="set the value of a sensor; repeatable",
    )
    parser.add_argument(
        "--pictures",
        type=Path,
        metavar="PATH",
        help="what the robot's camera sees: a picture, or a folder of pictures (default: colored bars)",
    )
    parser.add_argument("--list", action="store_true", help="print the sensors that can be set, and exit")
    parser.add_argument(
        "--duration", type=seconds_of, metavar="SECONDS", help="end after this time, in seconds"
    )
    add_json(parser, "address, or the list,")


def run(args: Namespace) -> int:
    """Serve the robot until the duration is over or a signal arrives; neither is a failure."""
    warn_of_passwords([args.url])
    robot = _robot(args.robot)
    if args.list:
        if args.json:
            print_json({"robot": args.robot, "values": dict(robot.values)})
        else:
            print("\n".join(f"{name}={value:g}" for name, value in robot.values.items()))
        return DONE
    for setting in args.set:
        _set(robot, setting)
    if args.pictures is not None:
        _show(robot, args.pictures)
    server, enough = _server(args.url, robot), Event()
    server.tell = _LOG.warning
    try:
        with ending(enough.set):
            if args.json:
                print_json({"robot": args.robot, "url": server.url})
            else:
                print(f"{args.robot}: {server.url}", flush=True)
            _serve(server, args.duration, enough)
    finally:
        server.close()
    return DONE


def _robot(name: str) -> EmulatedRobot:
    known = emulators()
    if name not in known:
        raise InputError(f"no emulator '{name}'; available: {', '.join(known)}{did_you_mean(name, known)}")
    return emulator(name)


def _server(url: str, robot: EmulatedRobot) -> EmulatorServer:
    try:
        return EmulatorServer(url, robot)
    except LinkError as error:
        raise InputError(str(error)) from None


def _set(robot: EmulatedRobot, text: str) -> None:
    """Set a sensor as in `NAME=VALUE`.

    Raises:
        InputError: the format is wrong, or the sensor does not exist.
    """
    name, sign, value = text.strip().partition("=")
    try:
        number = float(value)
    except ValueError:
        number = None
    if not sign or number is None:
        raise InputError(
            f"'{text.strip()}' is not NAME=VALUE, for example {next(iter(robot.values))}=100; available: "
            f"{', '.join(robot.values)}"
        )
    try:
        robot.set(name.strip(), number)
    except SettingError as error:
        raise InputError(str(error)) from None


def _show(robot: EmulatedRobot, pictures: Path) -> None:
    """Let the robot's camera see pictures.

    Raises:
        InputError: it has no camera, or the pictures cannot be read.
    """
    try:
        robot.show(pictures)
    except SettingError as error:
        raise InputError(str(error)) from None


def _serve(server: EmulatorServer, duration: float | None, enough: Event) -> None:
    end = None if duration is None else time.monotonic() + duration
    told: dict[str, float] = {}
    next_time, user = 0.0, _User()
    while not enough.is_set() and (end is None or time.monotonic() < end):
        server.poll(0.05)
        for line in user.lines():
            try:
                _set(server.robot, line)
            except InputError as error:
                _LOG.error("wbridge: %s", error)
        if time.monotonic() >= next_time:
            next_time = time.monotonic() + _TELL_EVERY
            told = _tell(server.robot.state(), told)


class _User:
    """Reads lines of standard input without blocking."""

    def __init__(self) -> None:
        self._typed = Typed()
        self._rest = b""

    def lines(self) -> list[str]:
        """Return the lines since the last call."""
        data = self._typed.now() if self._typed.is_ours else None
        *lines, self._rest = (self._rest + (data or b"")).split(b"\n")
        return [line.decode(errors="replace") for line in lines if line.strip()]


def _tell(state: dict[str, float], told: dict[str, float]) -> dict[str, float]:
    """Print what has changed; return the printed state."""
    changed = {name: value for name, value in state.items() if abs(value - told.get(name, 0.0)) > _TELL_FROM}
    if changed:
        print("  ".join(f"{name}={value:.3g}" for name, value in changed.items()), flush=True)
    return {**told, **changed}
