"""`wbridge run`: simulates a world."""

from __future__ import annotations

import logging
import math
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from wbridge.commands.check import add_loading_arguments
from wbridge.failures import DONE, InputError, RunError
from wbridge.progress import Progress

if TYPE_CHECKING:
    from wbcore.recording import Recorder
    from wbcore.simulation import Simulation

HELP = "simulate a world"

_LOG = logging.getLogger(__name__)
_DEFAULT_S = 10.0
_CHUNKS = 100


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.add_argument("world", type=Path, metavar="WORLD", help="a .wbt file")
    parser.add_argument("--no-controllers", action="store_true", help="start no controllers: physics only")
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--duration", type=_seconds, metavar="S", help=f"seconds to simulate (default {_DEFAULT_S:g})"
    )
    length.add_argument("--steps", type=_count, metavar="N", help="basic time steps to simulate")
    parser.add_argument("--seed", type=_count, metavar="N", help="random seed, in the place of WorldInfo's")
    parser.add_argument(
        "--record", type=Path, metavar="FILE", help="write poses of every step to FILE.csv or FILE.npz"
    )
    parser.add_argument("--json", action="store_true", help="print the result as one JSON object")
    add_loading_arguments(parser)


def run(args: Namespace) -> int:
    """Simulate; exit code 1 when the physics breaks down, 2 when the world has errors."""
    if not args.no_controllers:
        raise InputError("controllers cannot be started yet; to simulate physics only, add --no-controllers")
    simulation = _load(args)
    steps = args.steps if args.steps is not None else _steps(args.duration, simulation.step_s)
    if not args.json:
        _LOG.info("%s", _choices(simulation, steps))
    _tell_findings(simulation)
    start = perf_counter()
    with _recorder(simulation, args.record) as recorder:
        _simulate(simulation, steps, recorder, Progress(_CHUNKS, enabled=not (args.json or args.quiet)))
    _report(simulation, perf_counter() - start, args)
    return DONE


def _load(args: Namespace) -> Simulation:
    from wbcore.scene.load import LoadOptions

    try:
        from wbcore.simulation import Simulation, WorldError
    except ImportError as problem:
        raise RunError(
            f"the physics engine cannot be loaded ({problem}); build it with: make build"
        ) from None
    if args.world.suffix != ".wbt":
        raise InputError(f"{args.world}: a world (.wbt) is expected")
    try:
        return Simulation(args.world, args.seed, LoadOptions(args.allow_missing, args.fetch))
    except WorldError as problem:
        raise InputError(str(problem)) from None


def _recorder(simulation: Simulation, path: Path | None) -> Recorder | nullcontext[None]:
    from wbcore.recording import Recorder

    if path is None:
        return nullcontext()
    try:
        return Recorder(simulation, path)
    except (OSError, ValueError) as problem:
        raise InputError(f"cannot record: {problem}") from None


def _simulate(simulation: Simulation, steps: int, recorder: Recorder | None, progress: Progress) -> None:
    """Step in chunks, so that progress can be told; the first row of a recording is the start."""
    from wbcore.physics.errors import UnstableError

    if recorder is not None:
        recorder.take()
    done = 0
    try:
        with progress:
            for chunk in range(1, _CHUNKS + 1):
                progress.step(f"parts, {simulation.time:.3g} s simulated")
                end = steps * chunk // _CHUNKS
                while done < end:
                    count = 1 if recorder is not None else end - done
                    simulation.step(count)
                    done += count
                    if recorder is not None:
                        recorder.take()
    except UnstableError as problem:
        raise RunError(str(problem)) from None


def _choices(simulation: Simulation, steps: int) -> str:
    plan = simulation.physics.plan
    robots = sum(len(part.robots) for part in plan.parts)
    bodies = sum(body.is_dynamic for part in plan.parts for body in part.bodies)
    return (
        f"{simulation.world.path}: {steps} steps of {simulation.step_s * 1000:g} ms, "
        f"seed {plan.settings.random_seed}, no controllers; {robots} robots, {bodies} moving bodies"
    )


def _tell_findings(simulation: Simulation) -> None:
    for found in simulation.physics.plan.report:
        _LOG.warning("%s", found)
    for overlap in simulation.overlaps:
        _LOG.warning("warning: %s", overlap)


def _report(simulation: Simulation, elapsed: float, args: Namespace) -> None:
    for message in simulation.solver_messages()[:1]:
        _LOG.warning("warning: the physics engine complained: %s", message)
    if simulation.solver_fallbacks:
        _LOG.info(
            "%d steps were solved iteratively because the exact solver gave up in them",
            simulation.solver_fallbacks,
        )
    gaps = simulation.gaps()
    for gap in gaps:
        _LOG.warning("warning: %s", gap)
    speed = simulation.time / elapsed if elapsed > 0 else math.inf
    if args.json:
        _print_json(simulation, speed, args)
    elif not args.quiet:
        print(
            f"{simulation.time:g} s simulated in {elapsed:.3g} s, {speed:.3g} times real time; "
            f"state hash {simulation.hash()}"
        )


def _print_json(simulation: Simulation, speed: float, args: Namespace) -> None:
    import json

    findings = [one.as_dict() for one in simulation.physics.plan.report]
    doubts = [*simulation.overlaps, *simulation.gaps()]
    result = {
        "world": simulation.world.path,
        "time": simulation.time,
        "steps": simulation.steps,
        "step_ms": simulation.step_s * 1000,
        "seed": simulation.physics.plan.settings.random_seed,
        "speed_factor": speed,
        "hash": simulation.hash(),
        "record": str(args.record) if args.record else None,
        "findings": findings,
        "doubts": [{"code": one.code, "value": one.value, "message": one.message} for one in doubts],
    }
    json.dump(result, sys.stdout, indent=2, ensure_ascii=False)
    print()


def _steps(duration: float | None, step_s: float) -> int:
    return round((_DEFAULT_S if duration is None else duration) / step_s)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ArgumentTypeError(f"'{text}' is not a number of seconds") from None
    if not 0 <= value < math.inf:
        raise ArgumentTypeError(f"{text} is not 0 or more seconds")
    return value


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise ArgumentTypeError(f"'{text}' is not a whole number, 0 or more")
    return int(text)
