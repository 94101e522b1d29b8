"""Runs a world with its controllers."""

from __future__ import annotations

import errno
import logging
import signal
from argparse import Namespace
from time import perf_counter
from typing import TYPE_CHECKING

from robot_windows.addresses import reachable
from wbridge.failures import InputError, Interrupted, RunError
from wbridge.progress import Progress
from wbridge.running.building import build_controllers, build_late
from wbridge.running.companions import join, look, open_companions
from wbridge.running.recorder import open_recorder, problem_of
from wbridge.running.result import Result, absent_among, tell_findings
from wbridge.running.windows import Windows, open_windows
from wbridge.words import counted, rounded

if TYPE_CHECKING:
    from wbcore.controllers.output import Output
    from wbcore.controllers.runner import Outcome, Runner, RunOptions
    from wbcore.remote.companion import Companion
    from wbcore.scene.load import World

__all__ = ["run_with_controllers"]

_LOG = logging.getLogger("wbridge")
MOST_NAMED = 5
"""Robots in a message."""
LOCAL = ("127.0.0.1", "localhost")


def run_with_controllers(world: World, args: Namespace, default_s: float) -> Result:
    """Run a world until it is over.

    Raises:
        InputError: an option does not fit the world or this machine.
        RunError: the physics broke down.
    """
    from wbcore.controllers.interruption import Interruption

    _LOG.info("%s", _choices(world, args, default_s))
    with (
        Interruption() as interruption,
        open_windows(args) as windows,
        open_companions(world, args) as others,
    ):
        try:
            with _runner(world, args, windows, others) as runner:
                interruption.watch(runner)
                join(runner, others)
                runner.limit = _limit(runner, args, default_s)
                _tell_waiting(runner, args.host)
                _tell_free(runner)
                tell_findings(runner.simulation)
                result = _run(runner, args, windows, others)
                if windows is not None:
                    windows.finish(f"{result.reason} (exit code {result.status})")
                return result
        except KeyboardInterrupt:
            raise Interrupted(interruption.number or signal.SIGINT) from None


def _choices(world: World, args: Namespace, default_s: float) -> str:
    from wbcore.device_tables import robots

    info = world.first("WorldInfo")
    step = float(info.get("basicTimeStep")) if info is not None else 32
    seed = args.seed if args.seed is not None else int(info.get("randomSeed")) if info is not None else 0
    speed = "as fast as possible" if args.speed is None else f"at {args.speed:g} times real time"
    if args.steps is not None or args.duration is not None:
        length = f"{args.steps} steps" if args.duration is None else f"{args.duration:g} s"
        length = f"at most {length}"
    elif args.windows:
        length = "until Ctrl-C"
    else:
        length = f"until all controllers have ended ({default_s:g} s if there are none)"
    count = counted(sum(1 for _ in robots(world.nodes)), "robot")
    return f"{world.path}: steps of {step:g} ms, {length}, seed {seed}, {speed}; {count}"


def _runner(world: World, args: Namespace, windows: Windows | None, others: list[Companion]) -> Runner:
    from wbcore.controllers.crew import UnknownRobot
    from wbcore.controllers.runner import Runner

    options = _options(world, args, windows, others)
    try:
        return Runner(world, options)
    except UnknownRobot as problem:
        raise InputError(f"--controller: {problem}") from None
    except OSError as problem:
        if problem.filename is not None:
            raise InputError(
                f"cannot make the files by which controllers find the simulation: {problem.filename}: "
                f"{problem.strerror}"
            ) from None
        where = f"port {args.port} at {args.host}" if args.port is not None else args.host
        raise InputError(
            f"cannot listen for controllers ({where}): {problem.strerror or problem}{_advice(problem, args)}"
        ) from None


def _advice(problem: OSError, args: Namespace) -> str:
    """What helps when nobody can be listened to."""
    from wbcore.controllers.instance import InstanceTaken

    if problem.errno == errno.EADDRINUSE or isinstance(problem, InstanceTaken):
        return "; without --port the first free one from 1234 is taken"
    if args.host not in LOCAL:
        return "; --host is an address of this machine: 127.0.0.1 for this machine alone, 0.0.0.0 for all"
    return ""


def _options(world: World, args: Namespace, windows: Windows | None, others: list[Companion]) -> RunOptions:
    from wbcore.controllers.dialects import DIALECTS
    from wbcore.controllers.runner import RunOptions
    from wbcore.device_tables import robots
    from wbcore.scene.absent import absent_robots
    from wbcore.scene.load import LoadOptions

    controllers = dict(args.controller)
    if args.no_controllers:
        controllers = {str(one.get("name")): "<none>" for one in robots(world.nodes)}
        controllers |= {one.name: "<none>" for one in absent_robots(world)}
    build_controllers(world, controllers)
    return RunOptions(
        speed=args.speed,
        seed=args.seed,
        port=args.port,
        host=args.host,
        dialect=DIALECTS[args.dialect],
        inline=args.inline,
        synchronous=args.synchronous,
        timeout_s=args.timeout,
        fail_on_error=args.fail_on_controller_error,
        controllers=controllers,
        build=build_late,
        variables={one.name: one.variables for one in others},
        output=_output(args, windows),
        load=LoadOptions(args.allow_missing, args.fetch),
    )


def _output(args: Namespace, windows: Windows | None) -> Output:
    """With --json, stdout is for the result alone."""
    from wbcore.controllers.output import STDERR, STDOUT, Output

    tap = windows.print if windows is not None else None
    return Output(STDERR if args.json else STDOUT, STDERR, args.prefix, tap)


def _limit(runner: Runner, args: Namespace, default_s: float) -> int | None:
    """Most steps; None: until the controllers have ended."""
    if args.steps is not None:
        return int(args.steps)
    if args.duration is None and (runner.crew.had_any or args.windows):
        return None
    duration = default_s if args.duration is None else args.duration
    return round(duration / runner.simulation.step_s)


def _tell_waiting(runner: Runner, given: str) -> None:
    host = "127.0.0.1" if given in LOCAL else reachable(given)  # nobody can open 0.0.0.0
    for station in runner.crew.stations:
        if station.is_extern:
            _LOG.info("%s", station.waiting_line(host, runner.server.port))


def _tell_free(runner: Runner) -> None:
    """Say that a run will not be the same next time."""
    free = [one.robot for one in runner.crew.stations if one.is_working and one.seat and one.seat.is_free]
    if not free:
        return
    names = ", ".join(f'"{one}"' for one in free[:MOST_NAMED]) + (", ..." if len(free) > MOST_NAMED else "")
    _LOG.info(
        "not waited for, as synchronization is FALSE: %s; runs differ, unless --synchronous waits for all",
        names,
    )


def _tell_clocks(runner: Runner) -> None:
    """Say once, after a fast run, that a controller asked for time that passes differently in it."""
    from wbcore.controllers.clock_calls import clock_call

    for robot, file in runner.crew.files.items():
        if file.suffix == ".py" and (call := clock_call(file)):
            _LOG.info(
                'robot "%s": its controller uses wall-clock time (%s), and the run was as fast as possible; '
                "--mode realtime runs at the pace of the clock",
                robot,
                call,
            )
            return


def _run(runner: Runner, args: Namespace, windows: Windows | None, others: list[Companion]) -> Result:
    from wbcore.physics.errors import UnstableError

    start = perf_counter()

    def tell() -> str:
        if not runner.steps:
            return ""  # who is waited for has been said
        seconds, elapsed = runner.steps * runner.simulation.step_s, perf_counter() - start
        return f"{rounded(seconds)} s simulated, {rounded(seconds / elapsed)} times real time"

    with open_recorder(runner.simulation, args.record, True, others) as recorder:
        if recorder is not None:
            runner.on_step = recorder.take_of
        look(runner, others)
        if windows is not None:
            windows.attach(runner)
        try:
            with Progress(enabled=not (args.json or args.quiet), tell=tell):
                outcome: Outcome = runner.run()
        except UnstableError as problem:
            raise RunError(str(problem)) from None
    if args.speed is None:
        _tell_clocks(runner)
    ended = tuple(outcome.controllers)
    absent = absent_among(runner.simulation.world, ended)
    return Result(
        runner.simulation,
        outcome.steps,
        runner.elapsed_s,
        outcome.status or (1 if absent else 0),
        outcome.reason,
        ended,
        absent,
        problem_of(recorder),
    )
