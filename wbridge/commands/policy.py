"""`wbridge policy`: describe or judge a trained policy, or write it as a controller in Python or C."""

from __future__ import annotations

import logging
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Mapping
from pathlib import Path

from wbridge.commands.train import positive
from wbridge.failures import DONE
from wbridge.json_output import add_json, print_json
from wbridge.text_table import columns

HELP = "describe or judge a trained policy, or write it as a controller"

_LOG = logging.getLogger("wbridge")
_LANGUAGES = ("python", "c")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("policy", type=Path, metavar="FILE.onnx", help="a policy of `wbridge train`")
    parser.add_argument(
        "--judge",
        type=positive,
        metavar="N",
        help="print the return of N episodes, also in whole numbers",
    )
    parser.add_argument(
        "--controller", type=Path, metavar="FOLDER", help="write a controller into a folder of its name"
    )
    parser.add_argument(
        "--language",
        choices=_LANGUAGES,
        default="python",
        help="python: with the ONNX file (default); c: in whole numbers, also for boards",
    )
    parser.add_argument(
        "--goal", type=_numbers, default=(), metavar="X,Y,...", help="the goal, for tasks that have goals"
    )
    add_json(parser, "description, or the returns,")


def run(args: Namespace) -> int:
    """Judge the policy or write the controller, if requested; else describe the policy."""
    from wbridge.learning.describing import controller_of, described, judged, known_policy

    policy = known_policy(args.policy)
    if args.controller is not None:
        program = controller_of(policy, args.controller, args.language, args.goal)
        print(program)
        _LOG.info("next: wbridge run worlds/WORLD.wbt --controller %s", program.stem)
    if args.judge is not None:
        _print(judged(policy, args.judge), args.json)
    elif args.controller is None:
        _print(described(policy), args.json)
    return DONE


def _print(values: Mapping[str, object], as_json: bool) -> None:
    if as_json:
        print_json(dict(values))
        return
    print("\n".join(columns([[name.replace("_", " "), _text(value)] for name, value in values.items()])))


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _numbers(text: str) -> tuple[float, ...]:
    try:
        return tuple(float(part) for part in text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"'{text}' is not a list of numbers, such as 0.3,0,0.2") from None
