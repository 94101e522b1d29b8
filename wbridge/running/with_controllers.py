"""Run a world with its controllers."""

from __future__ import annotations

import errno
import logging
import signal
from contextlib import nullcontext
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from wbridge.failures import InputError, Interrupted, RunError
from wbridge.options import RunChoices
from wbridge.progress import Progress
from wbridge.robot_windows.addresses import reachable
from wbridge.running.admitting import admission_of
from wbridge.running.building import build_controllers, build_late
from wbridge.running.filming import FINE, PLAIN, open_filming
from wbridge.running.intervening import noted_interventions, replayed_interventions
from wbridge.running.key_presses import scripted_keys
from wbridge.running.numerics import defer_numpy
from wbridge.running.plugins import plugin_options
from wbridge.running.printed import Printed
from wbridge.running.profiling import open_profile
from wbridge.running.recorder import end_page, is_page, open_run_recorder, problem_of, record_output
from wbridge.running.result import Result, absent_among, tell_findings
from wbridge.running.robot_plugins import build_robot_plugins
from wbridge.running.twins import join, look, open_twins
from wbridge.running.windows import Windows, open_windows
from wbridge.wbcore.controllers.clock_calls import clock_call
from wbridge.wbcore.controllers.dialects import DIALECTS
from wbridge.wbcore.controllers.instance import InstanceTaken
from wbridge.wbcore.controllers.interruption import Interruption
from wbridge.wbcore.controllers.link_quality import split_link
from wbridge.wbcore.controllers.manager import UnknownRobot
from wbridge.wbcore.controllers.output import STDERR, STDOUT, Output
from wbridge.wbcore.controllers.output_reader import OutputReader
from wbridge.wbcore.controllers.runner import Outcome, Runner, RunOptions
from wbridge.wbcore.garbage import resume
from wbridge.wbcore.physics.solvers import solver_note
from wbridge.wbcore.scene.contact_law import law_note, law_of
from wbridge.wbcore.scene.load import LoadOptions, World
from wbridge.wbcore.scene.missing import missing_robots
from wbridge.wbcore.scene.tables.device_tables import robots
from wbridge.wbcore.windows.allowed import Allowed
from wbridge.words import counted, duration, rounded

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from wbridge.wbcore.remote.simulated_twin import SimulatedTwin
    from wbridge.wbcore.simulation import Simulation

_LOG = logging.getLogger("wbridge")
MOST_NAMED = 5
"""Robots in a message."""
LOCAL = ("127.0.0.1", "localhost")


def run_with_controllers(world: World, chosen: RunChoices, default_s: float) -> Result:
    """Run a world until it ends.

    Raises:
        InputError: an option is invalid for the world or this machine.
        RunError: a body is in an invalid state.
    """
    defer_numpy(one_thread=not chosen.inline)  # inline controllers may use its threads
    _LOG.info("%s", _choices(world, chosen, default_s))
    with (
        Interruption() as interruption,
        open_windows(chosen, Allowed(chosen.save_worlds, chosen.edit_controllers)) as windows,
        open_twins(world, chosen.shadow) as others,
    ):
        try:
            printed = Printed(*(() if windows is None else (windows.hub,)))
            with _runner(world, chosen, printed, others) as runner:
                interruption.watch(runner)
                join(runner, others)
                runner.limit = _limit(runner, chosen, default_s)
                _tell_waiting(runner, chosen.host)
                _tell_free(runner)
                tell_findings(runner.simulation)
                result = _run(runner, chosen, windows, printed, others)
                if windows is not None:
                    windows.finish(f"{result.reason} (exit code {result.status})")
                return result
        except KeyboardInterrupt:
            raise Interrupted(interruption.number or signal.SIGINT) from None


def _choices(world: World, chosen: RunChoices, default_s: float) -> str:
    info = world.first("WorldInfo")
    step = float(info.get("basicTimeStep")) if info is not None else 32
    seed = chosen.seed if chosen.seed is not None else int(info.get("randomSeed")) if info is not None else 0
    speed = "as fast as possible" if chosen.speed is None else f"at {chosen.speed:g} times real time"
    if chosen.steps is not None or chosen.duration is not None:
        length = counted(chosen.steps or 0, "step") if chosen.duration is None else f"{chosen.duration:g} s"
        length = f"at most {length}"
    elif chosen.windows:
        length = "until Ctrl-C"
    else:
        length = f"until all controllers have ended ({default_s:g} s if there are none)"
    count = counted(sum(1 for _ in robots(world.nodes)), "robot")
    law, solver = law_note(law_of(world)), solver_note(chosen.solver)
    return f"{world.path}: steps of {step:g} ms, {length}, seed {seed}{law}, {solver}{speed}; {count}"


def _runner(world: World, chosen: RunChoices, printed: Printed, others: list[SimulatedTwin]) -> Runner:
    options = _options(world, chosen, printed, others)
    try:
        return Runner(world, options)
    except UnknownRobot as problem:
        raise InputError(f"--controller: {problem}") from None
    except OSError as problem:
        if problem.filename is not None:
            raise InputError(
                f"cannot create the files that controllers use to find the simulation: {problem.filename}: "
                f"{problem.strerror}"
            ) from None
        where = f"port {chosen.port} at {chosen.host}" if chosen.port is not None else chosen.host
        why = f"{problem.strerror or problem}{_advice(problem, chosen)}"
        raise InputError(f"cannot listen for controllers ({where}): {why}") from None


def _advice(problem: OSError, chosen: RunChoices) -> str:
    """Return advice when controllers cannot be served."""
    if problem.errno == errno.EADDRINUSE or isinstance(problem, InstanceTaken):
        return "; without --port, the first free one from 1234 is used"
    if chosen.host not in LOCAL:
        return (
            "; --host must be an address of this machine: 127.0.0.1 for local access only, "
            "0.0.0.0 for all interfaces"
        )
    return ""


def _options(world: World, chosen: RunChoices, printed: Printed, others: list[SimulatedTwin]) -> RunOptions:
    controllers = dict(chosen.controller)
    if chosen.no_controllers:
        controllers = {str(robot.get("name")): "<none>" for robot in robots(world.nodes)}
        controllers |= {robot.name: "<none>" for robot in missing_robots(world)}
    build_controllers(world, controllers)
    build_robot_plugins(world, simulated=True)
    output = _output(chosen, printed)
    fields, quality = split_link(dict(chosen.set))
    return RunOptions(
        speed=chosen.speed,
        seed=chosen.seed,
        threads=chosen.threads,
        solver=chosen.solver,
        port=chosen.port,
        host=chosen.host,
        admission=admission_of(chosen.host, chosen.token),
        dialect=DIALECTS[chosen.dialect],
        inline=chosen.inline,
        link=quality,
        synchronous=chosen.synchronous,
        timeout_s=chosen.timeout,
        fail_on_error=chosen.fail_on_controller_error,
        controllers=controllers,
        build=build_late,
        variables={other.name: other.variables for other in others},
        output=output,
        plugin=plugin_options(
            chosen.timeout, partial(_print_of_plugin, output, world.plugin_name), chosen.plugin_note
        ),
        load=LoadOptions(chosen.allow_missing, chosen.fetch, fields=fields),
        has_windows=chosen.wants_windows,
        view_size=chosen.view_size,
        has_fine_looks=chosen.looks != PLAIN,
        has_fine_cameras=chosen.looks == FINE,
    )


def _print_of_plugin(output: Output, name: str, text: str) -> None:
    output.write(name, text, False)


def _output(chosen: RunChoices, printed: Printed) -> Output:
    """With --json, stdout contains only the result."""
    tap = printed if printed.targets or is_page(chosen.record) else None
    return Output(STDERR if chosen.json else STDOUT, STDERR, chosen.prefix, tap)


def _limit(runner: Runner, chosen: RunChoices, default_s: float) -> int | None:
    """Return the maximum number of steps; None: until the controllers have ended."""
    if chosen.steps is not None:
        return chosen.steps
    if chosen.duration is None and (runner.controllers.had_any or chosen.windows):
        return None
    duration = default_s if chosen.duration is None else chosen.duration
    return round(duration / runner.simulation.step_s)


def _tell_waiting(runner: Runner, given: str) -> None:
    host = "127.0.0.1" if given in LOCAL else reachable(given)  # 0.0.0.0 is not an address to connect to
    for task in runner.controllers.tasks:
        if task.is_extern:
            line = task.waiting_line(host, runner.server.port, runner.server.admission.token)
            _LOG.info("%s", line, extra={"is_private": True})  # with the token


def _tell_free(runner: Runner) -> None:
    """Warn that results will differ between runs."""
    free = [
        task.robot
        for task in runner.controllers.tasks
        if task.is_working and task.session and task.session.is_free
    ]
    if not free:
        return
    names = ", ".join(f'"{name}"' for name in free[:MOST_NAMED]) + (", ..." if len(free) > MOST_NAMED else "")
    _LOG.info(
        "not synchronized (synchronization FALSE): %s; results differ between runs unless you use "
        "--synchronous",
        names,
    )


def _take_all(takes: Sequence[Callable[[Simulation], object]], simulation: Simulation) -> None:
    for take in takes:
        take(simulation)


def _tell_clocks(runner: Runner) -> None:
    """Warn once, after a fast run, that a controller used wall-clock time."""
    for robot, file in runner.controllers.files.items():
        if file.suffix == ".py" and (call := clock_call(file)):
            _LOG.info(
                'robot "%s": its controller uses wall-clock time (%s), and the run was as fast as possible; '
                "--mode realtime runs at the pace of the clock",
                robot,
                call,
            )
            return


def _run(
    runner: Runner,
    chosen: RunChoices,
    windows: Windows | None,
    printed: Printed,
    others: list[SimulatedTwin],
) -> Result:
    from wbridge.wbcore.physics.errors import UnstableError

    resume()
    start = perf_counter()

    def tell() -> str:
        if not runner.steps:
            return ""  # the wait was already reported
        seconds, elapsed = runner.steps * runner.simulation.step_s, perf_counter() - start
        speed = f"{rounded(seconds)} s simulated, {rounded(seconds / elapsed)} times real time"
        left = elapsed / runner.steps * (runner.limit - runner.steps) if runner.limit else 0.0
        return f"{speed}, about {duration(left)} left" if left > 0 else speed

    profiling = open_profile(chosen)
    with (
        open_run_recorder(runner.simulation, chosen, True, others) as recorder,
        record_output(recorder, chosen.record, printed),
        open_filming(runner.simulation, chosen) as filming,
    ):
        takes = [task.take_of for task in (recorder, filming) if task is not None]
        if is_page(chosen.record):  # which has the lines, and the values in them, at their time
            runner.actors.append(OutputReader(runner.controllers))
        if takes:
            take = takes[0] if len(takes) == 1 else partial(_take_all, takes)
            runner.on_step = take if profiling is None else profiling.profile.timed("recording", take)
        look(runner, others)
        handler = windows.attach(runner) if windows is not None else None
        if profiling is not None:
            profiling.profile.watch(runner)
        try:
            with (
                replayed_interventions(runner, chosen),
                scripted_keys(runner, chosen),
                noted_interventions(handler, chosen) if handler is not None else nullcontext(),
                Progress(enabled=not (chosen.json or chosen.quiet), tell=tell),
            ):
                outcome: Outcome = runner.run()
        except UnstableError as problem:
            raise RunError(str(problem)) from None
        end_page(recorder, chosen.record, runner.simulation, outcome.steps, outcome.status, outcome.reason)
    if chosen.speed is None:
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
        problem_of(recorder) or (filming.problem if filming is not None else ""),
        profiling.finish() if profiling is not None else None,
    )
