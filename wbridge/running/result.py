"""Report the result of a run, as text and as JSON."""

from __future__ import annotations

import json
import logging
import math
import re
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbridge.failures import DONE, FAILED
from wbridge.options import RunChoices
from wbridge.running.profiling import ProfileResult, profile_data, profile_lines
from wbridge.wbcore.controllers.manager import Ended
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.missing import missing_robots
from wbridge.words import amount, counted, rounded

if TYPE_CHECKING:
    from wbridge.wbcore.simulation import Simulation

_LOG = logging.getLogger("wbridge")


class Result(NamedTuple):
    """The result of a finished run."""

    simulation: Simulation
    steps: int
    """Steps made, including those before resets and in previous worlds."""
    elapsed_s: float
    status: int = 0
    reason: str = ""
    controllers: tuple[Ended, ...] = ()
    absent: tuple[str, ...] = ()
    """Robots without controller because their models are missing."""
    record_problem: str = ""
    """Why the recording is incomplete; "" if it is complete."""
    profile: ProfileResult | None = None

    @property
    def exit_code(self) -> int:
        """Exit code: that of the run, or 1 if only the recording or the trace is incomplete."""
        is_incomplete = self.record_problem or (self.profile is not None and self.profile.problem)
        return self.status or (FAILED if is_incomplete else DONE)

    @property
    def seconds(self) -> float:
        """Simulated time (s)."""
        return self.steps * self.simulation.step_s

    @property
    def speed(self) -> float:
        """Simulated seconds per second."""
        if self.steps == 0:
            return 0.0
        return self.seconds / self.elapsed_s if self.elapsed_s > 0 else math.inf


MOST_NAMED = 5
"""Robots, or pairs of overlapping objects, in a message."""
_PARTICULAR = re.compile(
    r"^\S.*?:\d+:\d+: |/\S+|EXTERNPROTO declares \S+|EXTERNPROTO \"[^\"]*\"|[-+]?\(?\d[\d.e+-]*\)?"
)
"""What differs between findings of one kind: place, paths, numbers, and the names of undeclared models."""
MOST_FINDINGS = 10
"""Maximum findings of a world, or lines printed by its templates, in a message."""


def tell_findings(simulation: Simulation) -> None:
    """Report doubtful properties of the world before it is simulated."""
    world = simulation.world
    # Which robots have no controller is told when controllers start: this run may use other ones, or none.
    warnings = [warning for warning in world.report.warnings if warning.code != "no-controller"]
    read = one_per_kind([*warnings, *world.report.notes])
    for line in read[:MOST_FINDINGS]:
        _LOG.warning("%s", line)
    if len(read) > MOST_FINDINGS:
        more, name = len(read) - MOST_FINDINGS, shlex.quote(world.path)
        _LOG.warning("and %d more; all findings: wbridge check %s", more, name)
    for line in one_per_kind(simulation.physics.plan.report):
        _LOG.warning("%s", line)
    _tell_overlaps(simulation)


def _tell_overlaps(simulation: Simulation) -> None:
    from wbridge.wbcore.physics.monitor import overlaps_of_objects

    lines = overlaps_of_objects(simulation.overlaps)
    for line in lines[:MOST_NAMED]:
        _LOG.warning("warning: %s", line)
    if len(lines) > MOST_NAMED:
        more, name = len(lines) - MOST_NAMED, shlex.quote(simulation.world.path)
        _LOG.warning(
            "and %d more pairs of objects overlap less; all: wbridge run %s --steps 1 --json", more, name
        )


def one_per_kind(findings: Iterable[object]) -> list[str]:
    """Return the first text of each kind, with the number of others that differ only in place, path, numbers
    or an undeclared model's name."""
    kinds: dict[str, list[str]] = {}
    for finding in findings:
        text = str(finding)
        kinds.setdefault(_PARTICULAR.sub("", text), []).append(text)
    return [
        texts[0] if len(texts) == 1 else f"{texts[0]} (and {len(texts) - 1} more of this kind)"
        for texts in kinds.values()
    ]


def report(result: Result, chosen: RunChoices) -> None:
    """Print the result."""
    simulation = result.simulation
    for message in simulation.solver_messages()[:1]:
        _LOG.warning("warning: physics engine: %s", message)
    if simulation.solver_fallbacks:
        _LOG.info(
            "%s: the exact solver failed, the iterative one was used",
            counted(simulation.solver_fallbacks, "step"),
        )
    if simulation.yielded_steps:
        steps = counted(simulation.yielded_steps, "step")
        _LOG.info("%s: contacts that contradicted each other yielded", steps)
    for doubt in [*simulation.gaps(), *simulation.contact_limits(), *simulation.falls()]:
        _LOG.warning("warning: %s", doubt)
    if result.reason:
        _LOG.info("%s%s", result.reason, _advice(result))
    if failed := _failed(result):
        _LOG.warning("%s", failed)
    if result.profile is not None and result.profile.problem:
        _LOG.error("error: %s", result.profile.problem)
    if chosen.json:
        _print_json(result, chosen.record)
    elif not chosen.quiet:
        speed = f"in {rounded(result.elapsed_s)} s, {rounded(result.speed)} times real time"
        lacks = _lacks(result)
        print(
            f"{amount(result.seconds)} s simulated {speed}; state hash {simulation.hash()}{_build()}{lacks}"
        )
        if result.profile is not None:
            print("\n".join(["", *profile_lines(result.profile)]))


def absent_among(world: World, controllers: Iterable[Ended]) -> tuple[str, ...]:
    """Robots whose controllers did not run because placeholders replace their models."""
    names = {robot.name for robot in missing_robots(world)}
    return tuple(
        controller.robot
        for controller in controllers
        if controller.exit_code is None and controller.robot in names
    )


def _build() -> str:
    """Describe an unusual build of the engine, after the hash that it explains."""
    from wbridge.wbcore.engine import BUILD_NOTE

    return f" ({BUILD_NOTE})" if BUILD_NOTE else ""


def _lacks(result: Result) -> str:
    """Describe what was missing in a run, for the end of its last line."""
    missing = result.simulation.world.library.missing
    if not missing:
        return ""
    names = ", ".join(f'"{name}"' for name in result.absent[:MOST_NAMED])
    more = ", ..." if len(result.absent) > MOST_NAMED else ""
    robots = f", {counted(len(result.absent), 'robot')} without controller: {names}{more}" if names else ""
    return f"; {counted(len(missing), 'model')} missing{robots}"


def _advice(result: Result) -> str:
    """Return advice after failed controllers, as the end of the reason."""
    wrong = [
        controller
        for controller in result.controllers
        if controller.is_error and controller.robot not in result.absent
    ]
    if wrong and not result.steps and all(controller.exit_code is None for controller in result.controllers):
        return "; use --no-controllers to simulate without them"
    return ""


def _failed(result: Result) -> str:
    """Report failed controllers and their effect on the exit code; "" if none has failed."""
    wrong = [
        controller
        for controller in result.controllers
        if controller.is_error and controller.robot not in result.absent
    ]
    if not wrong or result.exit_code:
        return ""
    failed = f"{counted(len(wrong), 'controller')} failed"
    return f"{failed}. Exit code is 0; use --fail-on-controller-error to return 1."


def _print_json(result: Result, record: Path | None) -> None:
    json.dump(_data(result, record), sys.stdout, indent=2, ensure_ascii=False)
    print()


def _data(result: Result, record: Path | None) -> dict[str, object]:
    simulation = result.simulation
    from wbridge.wbcore.engine import BUILD_NOTE

    problems = [*simulation.overlaps, *simulation.gaps(), *simulation.contact_limits(), *simulation.falls()]
    findings = [*simulation.world.report.warnings, *simulation.physics.plan.report]
    return {
        "world": simulation.world.path,
        "time": result.seconds,
        "steps": result.steps,
        "step_ms": simulation.step_s * 1000,
        "seed": simulation.physics.plan.settings.random_seed,
        "contacts": simulation.physics.plan.settings.contact_law,
        "solver": simulation.physics.solver,
        "fallbacks": simulation.solver_fallbacks,
        "yielded": simulation.yielded_steps,
        "speed_factor": result.speed,
        "hash": simulation.hash(),
        "engine": BUILD_NOTE or None,
        "record": str(record) if record else None,
        "record_problem": result.record_problem or None,
        "profile": profile_data(result.profile) if result.profile is not None else None,
        "status": result.status,
        "reason": result.reason,
        "missing_models": sorted(simulation.world.library.missing),
        "missing_robots": list(result.absent),
        "controllers": [controller._asdict() for controller in result.controllers],
        "findings": [finding.as_dict() for finding in findings],
        "physics_warnings": [
            {"code": problem.code, "value": problem.value, "message": problem.message} for problem in problems
        ],
    }
