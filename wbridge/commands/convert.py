"""`wbridge convert`: make a PROTO from a robot description."""

from __future__ import annotations

import logging
import math
import shlex
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wbridge.commands.check import check_file
from wbridge.failures import DONE, InputError, RunError
from wbridge.json_output import add_json, print_json
from wbridge.running.world import must_exist
from wbridge.wbcore.importers import Converted, ConvertOptions, XacroError, convert
from wbridge.words import counted

HELP = "convert a robot description (URDF, xacro, MJCF) to a PROTO"

_LOG = logging.getLogger(__name__)
WEBOTS_FILES = {".wbt": "a world", ".proto": "a model in Webots' format", ".wbo": "an exported node"}
_FLAGS = {
    "--box-collision": "replace collisions by boxes around them",
    "--static-base": "fix the root link to the environment",
    "--link-to-def": "give each link a DEF name",
    "--joint-to-def": "give each joint a DEF name",
    "--copy-meshes": "copy meshes and textures into the folder NAME_files beside the PROTO",
    "--allow-missing": "leave out meshes and textures whose files are missing",
    "--overwrite": "replace files that were not written by this command",
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("robot", type=Path, metavar="ROBOT", help="a .urdf, .xacro or MJCF (.xml) file")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="PROTO", help="file or folder (default: NAME.proto here)"
    )
    parser.add_argument("--world", type=Path, metavar="WORLD", help="also write a .wbt file with the robot")
    parser.add_argument("--tool-slot", metavar="LINK", default="", help="add the field toolSlot to this link")
    parser.add_argument("--body", metavar="BODY", default="", help="body of an MJCF file that is the robot")
    parser.add_argument(
        "--keyframe", metavar="NAME", default="", help="keyframe of an MJCF file at which the joints start"
    )
    parser.add_argument("--translation", metavar='"X Y Z"', default="0 0 0", help="default position in m")
    parser.add_argument(
        "--rotation",
        metavar='"X Y Z ANGLE"',
        default="0 0 1 0",
        help="default rotation: axis and angle in rad",
    )
    parser.add_argument(
        "--init-pos",
        metavar="POSITIONS",
        default="",
        help='initial joint positions: "0.5, -1" for the first joints, or "elbow=0.5, wrist=1"',
    )
    parser.add_argument(
        "--package",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="search package:// files here",
    )
    parser.add_argument(
        "--xacro-arg", action="append", default=[], metavar="NAME=VALUE", help="argument for a xacro file"
    )
    for flag, text in _FLAGS.items():
        parser.add_argument(flag, action="store_true", help=text)
    add_json(parser, "names of the files")


def run(args: Namespace) -> int:
    """Convert the file, print the findings to stderr and the names of the files to stdout."""
    must_exist(args.robot)
    if args.robot.is_dir():
        raise InputError(f"{args.robot} is a folder; name a .urdf, .xacro or .xml file")
    if args.robot.suffix in WEBOTS_FILES:
        kind = f"a {args.robot.suffix} file is {WEBOTS_FILES[args.robot.suffix]}, not a URDF or MJCF file"
        raise InputError(
            f"{args.robot}: {kind}; use it as it is: wbridge check {shlex.quote(str(args.robot))}"
        )
    options = _options(args)
    try:
        result = convert(args.robot, options)
    except XacroError as problem:
        raise InputError(str(problem)) from problem
    except OSError as problem:
        raise RunError(f"{problem.filename or args.robot}: {problem.strerror or problem}") from problem
    _tell(args.robot, result, args.quiet)
    _verify(result.files[0], args.quiet)
    files = result.files[: 1 if options.world is None else 2]
    if args.json:
        print_json({"files": list(files)})
    else:
        print("\n".join(map(str, files)))
    return DONE


def _tell(path: Path, result: Converted, quiet: bool) -> None:
    """Print the findings.

    Raises:
        InputError: some are errors.
    """
    report = result.report
    if report.errors:
        lines = [f"{path} was not converted:", *map(str, report.errors)]
        raise InputError("\n".join([*lines, *(f"... and {n} more" for n in [report.dropped] if n)]))
    if quiet or result.robot is None:
        return
    for warning in report.warnings:
        _LOG.warning("%s", warning)
    robot = result.robot
    joints = sum(joint.moves for joint in robot.joints.values())
    sensors = sum(len(link.sensors) for link in robot.links.values())
    mass = sum(link.mass.mass for link in robot.links.values() if link.mass is not None)
    counts = ", ".join(
        (counted(len(robot.links), "link"), counted(joints, "moving joint"), counted(sensors, "sensor"))
    )
    _LOG.info("%s: %s, %.6g kg", robot.name, counts, mass)


def _verify(proto: Path, quiet: bool) -> None:
    """Load the result as worlds do, and print what `wbridge check` finds in it.

    Raises:
        RunError: the result has errors.
    """
    found = check_file(proto, allow_missing=False, fetch=False)
    if found.errors:
        raise RunError("\n".join(["the result is not usable:", *map(str, found.errors)]))
    for warning in [] if quiet else found.warnings:
        _LOG.warning("%s", warning)


def _options(args: Namespace) -> ConvertOptions:
    """Return the options as typed values.

    Raises:
        InputError: an option has an invalid value.
    """
    if args.world is not None and args.world.suffix != ".wbt":
        raise InputError(f"--world {args.world}: expected a file that ends in .wbt")
    x, y, z = _numbers("--translation", args.translation, 3)
    ax, ay, az, angle = _numbers("--rotation", args.rotation, 4)
    positions, named = _positions(args.init_pos)
    return ConvertOptions(
        output=args.output,
        world=args.world,
        box_collision=args.box_collision,
        tool_slot=args.tool_slot,
        translation=(x, y, z),
        rotation=(ax, ay, az, angle),
        positions=positions,
        named_positions=named,
        body=args.body,
        keyframe=args.keyframe,
        static_base=args.static_base,
        link_to_def=args.link_to_def,
        joint_to_def=args.joint_to_def,
        copy_meshes=args.copy_meshes,
        allow_missing=args.allow_missing,
        packages=tuple(args.package),
        xacro_arguments=dict(_pair("--xacro-arg", word) for word in args.xacro_arg),
        overwrite=args.overwrite,
    )


def _positions(text: str) -> tuple[tuple[float, ...], dict[str, float]]:
    """Return positions in order, and by name."""
    words = text.strip(" []()").replace(",", " ").split()
    named = dict(_pair("--init-pos", word) for word in words if "=" in word)
    ordered = tuple(_number("--init-pos", word) for word in words if "=" not in word)
    return ordered, {name: _number("--init-pos", value) for name, value in named.items()}


def _pair(option: str, text: str) -> tuple[str, str]:
    name, mark, value = text.partition("=")
    if not name or not mark:
        raise InputError(f"{option} {text}: expected NAME=VALUE")
    return name, value


def _numbers(option: str, text: str, count: int) -> list[float]:
    words = text.replace(",", " ").split()
    if len(words) != count:
        raise InputError(f'{option} "{text}": expected {count} numbers')
    return [_number(option, word) for word in words]


def _number(option: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{option}: '{text}' is not a number")
    return value
