"""One run of a sweep: from its values to its result."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.wbcore.controllers.launcher import Launcher
from wbridge.wbcore.controllers.link_quality import split_link
from wbridge.wbcore.controllers.output import Output
from wbridge.wbcore.controllers.runner import Outcome, Runner, RunOptions
from wbridge.wbcore.physics.errors import SimulationError
from wbridge.wbcore.scene.checks import load_checked
from wbridge.wbcore.scene.load import LoadOptions
from wbridge.wbcore.simulation import Simulation
from wbridge.wbfleet.sweeps.evidence import Evidence, EvidencePaths
from wbridge.wbfleet.sweeps.metrics import Measurement, Metric

__all__ = ["FAILED", "Job", "failure", "simulate"]

FAILED = 1
"""The status of a run that could not be made or did not end by itself."""
LONGEST_LINE = 200
"""Characters of a message of a controller."""


class Job(NamedTuple):
    """A run, as plain data that any process or machine can carry out."""

    world: str
    """Path of the world file."""
    fields: Mapping[str, str]
    """Values by place (see wbridge.wbcore.scene.overrides and wbridge.wbcore.controllers.link_quality)."""
    seed: int | None
    duration_s: float
    """Maximum simulated time."""
    controllers: Mapping[str, str]
    """Controllers that replace those of the world, by robot name."""
    inline: bool
    timeout_s: float | None
    """Maximum real time to wait for a controller."""
    allow_missing: bool
    metrics: Sequence[Metric]
    launcher: Sequence[str] = ()
    """Command line of a sandbox for the controllers, which nobody trusts; (): they are trusted."""
    evidence: EvidencePaths | None = None
    """Where the run leaves a replay, output and way; None: nowhere."""

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data (see `wbridge.wbfleet.sweeps.work`)."""
        return {"kind": "run", **self._asdict()}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Job:
        """Return the job of which `_asdict` made this data."""
        metrics = tuple(Metric(*metric) for metric in data["metrics"])
        paths = data.get("evidence")
        evidence = EvidencePaths(*paths) if paths is not None else None
        return cls(**{**data, "metrics": metrics, "evidence": evidence})


def simulate(job: Job) -> dict[str, Any]:
    """Carry out a run. What controllers print goes to the output of this process.

    Returns:
        status, reason, exit_code and said (exit code and last line on standard error of the first controller
        that failed, else None and ""), steps, time (s), hash of the final state, and metrics by name. The
        same job gives the same result, if its controllers do.
    """
    fields, quality = split_link(job.fields)
    options = LoadOptions(job.allow_missing, fields=fields)
    world = load_checked(Path(job.world), options)
    if world.report.errors:
        return failure("; ".join(error.message for error in world.report.errors))
    heard = _LastErrors()
    choices = RunOptions(
        seed=job.seed,
        inline=job.inline,
        synchronous=True,
        link=quality,
        timeout_s=job.timeout_s,
        controllers=job.controllers,
        launcher=Launcher(tuple(job.launcher), is_sandbox=bool(job.launcher)),
        serves_on_demand=True,
        output=heard.joined(Output()),
        load=options,
    )
    with Runner(world, choices) as runner:
        simulation = runner.simulation
        runner.limit = max(1, round(job.duration_s / simulation.step_s))
        measured = Measurement(simulation, job.metrics)
        evidence = _begun(job, runner, heard)
        watches = any(metric.watches_steps for metric in job.metrics)
        if watches or evidence is not None:
            runner.on_step = partial(_step, measured if watches else None, evidence)
        try:
            outcome = runner.run()
        except SimulationError as problem:
            _end(evidence, str(problem), FAILED, simulation)
            return failure(str(problem), runner.steps, simulation.time)
        _end(evidence, outcome.reason, outcome.status, simulation)
        return {
            **_judged(outcome, heard),
            "steps": runner.steps,
            "time": runner.steps * simulation.step_s,
            "hash": runner.simulation.hash(),
            "metrics": measured.result(),
        }


def _begun(job: Job, runner: Runner, heard: _LastErrors) -> Evidence | None:
    """Return what collects the evidence of a run, from its initial state on."""
    if job.evidence is None:
        return None
    evidence = Evidence(job.evidence, runner.limit or 1)
    evidence.begin(runner.simulation)
    heard.also = evidence.hear
    return evidence


def _step(measured: Measurement | None, evidence: Evidence | None, simulation: Simulation) -> None:
    if measured is not None:
        measured.step()
    if evidence is not None:
        evidence.step(simulation)


def _end(evidence: Evidence | None, reason: str, status: int, simulation: Simulation) -> None:
    if evidence is not None:
        evidence.end(reason, status, simulation)


class _LastErrors:
    """The last line that each controller wrote to standard error, which tells why it failed."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self.also: Callable[[str, str, bool], object] | None = None
        """Also hears all output."""

    def joined(self, output: Output) -> Output:
        """Return an output that is also heard here."""
        return output._replace(tap=self._take)

    def _take(self, robot: str, text: str, is_error: bool) -> None:
        if self.also is not None:
            self.also(robot, text, is_error)
        lines = text.strip().splitlines() if is_error else []
        if lines:
            self._lines[robot] = lines[-1].strip()[:LONGEST_LINE]

    def of(self, robot: str) -> str:
        """Return the line; "" if there is none."""
        return self._lines.get(robot, "")


def _judged(outcome: Outcome, heard: _LastErrors) -> dict[str, object]:
    """Return status and reason; a run whose controller failed is not a valid result."""
    failed = next((controller for controller in outcome.controllers if controller.is_error), None)
    if failed is None:
        return {"status": outcome.status, "reason": outcome.reason, "exit_code": None, "said": ""}
    said = heard.of(failed.robot)
    found = {"exit_code": failed.exit_code, "said": said}
    if outcome.status:
        return {"status": outcome.status, "reason": outcome.reason, **found}
    ending = "did not start" if failed.exit_code is None else f"ended with exit code {failed.exit_code}"
    who = f'controller "{failed.controller}" of robot "{failed.robot}"'
    return {"status": FAILED, "reason": f"{who} {ending}{said and ': '}{said}", **found}


def failure(reason: str, steps: int = 0, seconds: float = 0.0) -> dict[str, object]:
    """Return the result of a run that could not be made."""
    result = {"status": FAILED, "reason": reason, "exit_code": None, "said": "", "steps": steps}
    return {**result, "time": seconds, "hash": "", "metrics": {}}
