"""`wbridge calibrate`: fit parameters of a world to a recording of the real robot."""

from __future__ import annotations

import json
import logging
import shlex
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, FAILED, InputError, RunError
from wbridge.hal.installation import extra_command
from wbridge.progress import Progress
from wbridge.running.logs import add_log_arguments, law_lines, pairs_of, replay_of
from wbridge.running.writable import Output, check_output
from wbridge.sweeping.workers import add_worker_arguments, workers_of
from wbridge.text_table import columns
from wbridge.wbcore.scene.contact_law import law_of
from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.overrides import field_place, is_saved, set_fields
from wbridge.wbcore.scene.saving import save_world
from wbridge.wbfleet.fitting.fit import Fit, Fitted, fit
from wbridge.wbfleet.fitting.parameters import Parameter, ParameterError, parse
from wbridge.wbfleet.fitting.replay import Pair, Replay
from wbridge.wbfleet.fitting.residuals import FitError
from wbridge.wbfleet.sweeps.variations import VariationError
from wbridge.words import counted

HELP = "fit parameters of a world to a recording of the real robot"

_LOG = logging.getLogger("wbridge")
_WORLD = Output("write", "a world", (".wbt",))
_DEVIATIONS = 1.96
"""Standard deviations of an interval with a probability of 95 %."""
_DIGITS = 5


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    add_log_arguments(parser)
    parser.add_argument(
        "--fit",
        action="append",
        required=True,
        metavar="NODE.FIELD=low..high",
        help="a number to fit and its range, for example ARM.physics.mass=0.1..2; `command-delay` and "
        "`reading-delay` in place of NODE.FIELD are delays in s; may be repeated",
    )
    parser.add_argument(
        "--sensor",
        action="append",
        default=[],
        metavar="NAME",
        help="compare only these sensors, such as 'ps*' or gyro (default: all with numbers)",
    )
    parser.add_argument(
        "--write",
        type=Path,
        metavar="FILE.wbt",
        help="write the world with the fitted values",
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    add_worker_arguments(parser)
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Print each value with its uncertainty; the exit code is 1 if the data cannot tell one of them."""
    check_output(args.write, _WORLD)
    replay, world = replay_of(args)
    parameters = _parameters(args.fit, world)
    pairs = _chosen(pairs_of(replay), args.sensor)
    found = _fit(replay, pairs, parameters, args)
    if args.write is not None:
        _write(world, found, args.write)
    if args.json:
        json.dump({"contacts": law_of(world), **_data(found)}, sys.stdout, indent=2)
        print()
    else:
        print("\n".join([*law_lines(world), *_lines(found, args)]))
    for parameter in found.parameters:
        for text in _doubts(parameter):
            _LOG.warning("warning: %s", text)
    return DONE if all(parameter.is_known for parameter in found.parameters) else FAILED


def _parameters(texts: Sequence[str], world: World) -> list[Parameter]:
    try:
        found = [parse(text, world) for text in texts]
    except (ParameterError, VariationError) as problem:
        raise InputError(f"--fit: {problem}") from None
    places = [parameter.place for parameter in found]
    twice = next((place for place in places if places.count(place) > 1), None)
    if twice is not None:
        raise InputError(f"--fit: {twice} is fitted twice")
    return found


def _chosen(pairs: Sequence[Pair], patterns: Sequence[str]) -> list[Pair]:
    """Return all pairs; those of other sensors have no finite number."""
    names = [pair.name for pair in pairs]
    chosen = set()
    for pattern in patterns:
        found = {name for name in names if fnmatchcase(name, pattern) or fnmatchcase(name, f"{pattern}.*")}
        if not found:
            hint = did_you_mean(pattern, [name.rpartition(".")[0] for name in names])
            raise InputError(
                f'--sensor: no readings of "{pattern}"{hint}; recorded: {", ".join(names) or "none"}'
            )
        chosen |= found
    if not patterns:
        return list(pairs)
    return [pair if pair.name in chosen else pair._replace(real=pair.real * float("nan")) for pair in pairs]


def _fit(replay: Replay, pairs: Sequence[Pair], parameters: Sequence[Parameter], args: Namespace) -> Fit:
    count = 0
    with (
        workers_of(args) as workers,
        Progress(
            enabled=not (args.quiet or args.json), tell=lambda: counted(count, "replay") if count else ""
        ),
    ):

        def add(more: int) -> None:
            nonlocal count
            count += more

        try:
            return fit(replay, pairs, parameters, workers, on_replays=add)
        except FitError as problem:
            raise RunError(str(problem)) from None
        except ImportError:
            raise InputError(
                f"calibrate needs SciPy, which is not installed; install it with: {extra_command('fleet')}"
            ) from None


def _lines(found: Fit, args: Namespace) -> list[str]:
    rows = [["parameter", "value", "+/- (95 %)", "range"]]
    for parameter in found.parameters:
        low, high = parameter.parameter.low, parameter.parameter.high
        error = f"{_DEVIATIONS * parameter.deviation:.2g}" if parameter.is_known else "unknown"
        rows.append(
            [parameter.parameter.place, f"{parameter.value:.{_DIGITS}g}", error, f"{low:g}..{high:g}"]
        )
    before, after = (f"{100 * share:.3g} %" for share in (found.rms_before, found.rms_after))
    again = ["wbridge", "compare", str(args.log), *(["--world", str(args.world)] if args.world else [])]
    for place, value in found.best.fields.items():
        again += ["--set", f"{place}={value}"]
    return [
        *columns(rows, right=frozenset((1, 2))),
        f"differences from the recording: {before} of the readings' spread before, {after} after",
        f"compare: {shlex.join(again)}",
    ]


def _doubts(parameter: Fitted) -> list[str]:
    place, found = parameter.parameter.place, []
    if not parameter.is_known and parameter.mixed_with:
        found.append(
            f"the recording cannot tell {place} and {', '.join(parameter.mixed_with)} apart; fix one of them "
            "with --set, or record a motion in which they act differently"
        )
    elif not parameter.is_known:
        found.append(f"the recording cannot tell {place}: the sensors hardly depend on it")
    if parameter.is_at_bound:
        found.append(f"{place} is at the end of its range; the best value may lie outside")
    return found


def _data(found: Fit) -> dict[str, object]:
    parameters = [
        {
            "place": parameter.parameter.place,
            "value": parameter.value,
            "deviation": parameter.deviation,
            "known": parameter.is_known,
            "mixed_with": list(parameter.mixed_with),
            "at_bound": parameter.is_at_bound,
        }
        for parameter in found.parameters
    ]
    return {
        "parameters": parameters,
        "before": found.rms_before,
        "after": found.rms_after,
        "replays": found.replays,
    }


def _write(world: World, found: Fit, path: Path) -> None:
    """Write the world with the fitted values.

    Raises:
        InputError: a value lies inside of a PROTO, where a world cannot keep it.
        RunError: the file cannot be written.
    """
    values = {
        parameter.parameter.place: found.best.fields[parameter.parameter.place]
        for parameter in found.parameters
        if not parameter.parameter.is_delay
    }
    inside = [place for place in values if not is_saved(field_place(world, place))]
    if inside:
        raise InputError(
            f"{', '.join(inside)}: lies inside of a PROTO, which a world cannot change; make it a parameter "
            "of the PROTO, or use the values with --set"
        )
    set_fields(world, values)
    try:
        save_world(world, path)
    except OSError as problem:
        raise RunError(f"cannot write {path}: {problem.strerror}") from None
