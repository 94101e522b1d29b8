"""Run a world's physics without controllers."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from functools import partial
from time import perf_counter

from wbridge.failures import RunError
from wbridge.options import RunChoices
from wbridge.progress import Progress
from wbridge.running.filming import PLAIN, open_filming
from wbridge.running.numerics import defer_numpy
from wbridge.running.plugins import plugin_options
from wbridge.running.profiling import Profiling, open_profile
from wbridge.running.recorder import end_page, open_run_recorder, problem_of
from wbridge.running.result import Result, tell_findings
from wbridge.wbcore.garbage import resume
from wbridge.wbcore.physics.errors import UnstableError
from wbridge.wbcore.physics.solvers import solver_note
from wbridge.wbcore.scene.contact_law import law_note
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.simulation import Simulation
from wbridge.words import counted, rounded

_LOG = logging.getLogger("wbridge")
_CHUNKS = 100
INTERRUPTED = 130


def run_physics(world: World, chosen: RunChoices, default_s: float) -> Result:
    """Simulate the requested steps.

    Raises:
        RunError: a body is in an invalid state.
    """
    defer_numpy()

    plugin = plugin_options(chosen.timeout, _write_to(chosen), chosen.plugin_note)
    simulation = Simulation(world, chosen.seed, plugin=plugin, solver=chosen.solver)
    if chosen.threads is not None:
        simulation.physics.use_threads(chosen.threads)
    simulation.has_fine_looks = chosen.looks != PLAIN
    duration = default_s if chosen.duration is None else chosen.duration
    steps = chosen.steps if chosen.steps is not None else round(duration / simulation.step_s)
    if not chosen.json:
        _LOG.info("%s", _choices(simulation, steps))
    tell_findings(simulation)
    resume()
    profiling = open_profile(chosen)
    start = perf_counter()
    with (
        open_run_recorder(simulation, chosen, devices=False) as recorder,
        open_filming(simulation, chosen) as filming,
    ):
        takes = [task.take for task in (recorder, filming) if task is not None]
        each = None if not takes else takes[0] if len(takes) == 1 else partial(_take_all, takes)
        if profiling is None:
            _simulate(simulation, steps, each, _progress(chosen))
            status, reason = 0, ""
        else:
            watched = _watch(simulation, each, profiling)
            status, reason = _until_interrupted(simulation, steps, watched, _progress(chosen))
            profiling.profile.finish()
        end_page(recorder, chosen.record, simulation, simulation.steps, status, reason)
    elapsed = perf_counter() - start
    simulation.close()
    return Result(
        *(simulation, simulation.steps, elapsed, status, reason),
        record_problem=problem_of(recorder) or (filming.problem if filming is not None else ""),
        profile=profiling.finish() if profiling is not None else None,
    )


def _write_to(chosen: RunChoices) -> Callable[[str], None]:
    """With --json, stdout contains only the result."""
    return lambda text: print(text, end="", flush=True, file=sys.stderr if chosen.json else sys.stdout)


def _take_all(takes: list[Callable[[], None]]) -> None:
    for take in takes:
        take()


def _watch(
    simulation: Simulation, each: Callable[[], None] | None, profiling: Profiling
) -> Callable[[], None]:
    """Measure the steps; return what to call after each."""
    profiling.profile.watch_physics(simulation)
    return _nothing if each is None else profiling.profile.timed("recording", each)


def _nothing() -> None:
    """A profile needs single steps, even if nothing observes them."""


def _until_interrupted(
    simulation: Simulation, steps: int, each: Callable[[], None], progress: Progress
) -> tuple[int, str]:
    """Simulate; return status and reason, so that the profile of an interrupted run is printed."""
    try:
        _simulate(simulation, steps, each, progress)
    except KeyboardInterrupt:
        return INTERRUPTED, "interrupted"
    return 0, ""


def _progress(chosen: RunChoices) -> Progress:
    return Progress(_CHUNKS, enabled=not (chosen.json or chosen.quiet), percent=True, remaining=True)


def _choices(simulation: Simulation, steps: int) -> str:
    plan = simulation.physics.plan
    robots = sum(len(part.robots) for part in plan.parts)
    bodies = sum(body.is_dynamic for part in plan.parts for body in part.bodies)
    return (
        f"{simulation.world.path}: {counted(steps, 'step')} of {simulation.step_s * 1000:g} ms, "
        f"seed {plan.settings.random_seed}{law_note(plan.settings.contact_law)}, "
        f"{solver_note(simulation.physics.solver)}no controllers; "
        f"{counted(robots, 'robot')}, {counted(bodies, 'moving body', 'moving bodies')}"
    )


def _simulate(
    simulation: Simulation, steps: int, each: Callable[[], None] | None, progress: Progress
) -> None:
    """Step in chunks to report progress, and call `each` at the start and after each step."""
    if each is not None:
        each()
    done = 0
    try:
        with progress:
            for chunk in range(1, _CHUNKS + 1):
                progress.step(f"{rounded(simulation.time)} s simulated")
                end = steps * chunk // _CHUNKS
                while done < end:
                    count = 1 if each is not None else end - done
                    simulation.step(count)
                    done += count
                    if each is not None:
                        each()
    except UnstableError as problem:
        raise RunError(str(problem)) from None
