"""Numbers that a run yields: fields at its end or over its steps, or what a Python file measures.

| text | number |
|---|---|
| `NAME=PLACE` | the field at the end of the run, for example `z=E_PUCK.translation[2]` |
| `NAME=max(PLACE)`, `min`, `mean` | over all steps |
| `NAME=travel(NODE)` | length of the way of a solid's origin (m) |
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from wbridge.wbcore.physics.sync import write_place
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.overrides import FieldPlace, OverrideError, field_place
from wbridge.wbcore.simulation import Simulation

__all__ = ["Measurement", "Metric", "MetricError", "check", "parse"]

_CALL = re.compile(r"(\w+)\((.*)\)")
KINDS = ("final", "min", "max", "mean", "travel")
RESERVED = ("run", "status", "reason", "steps", "time", "hash", "seed")


class MetricError(ValueError):
    """A metric is invalid; the message says what is allowed."""


class Metric(NamedTuple):
    """The name of a metric, and how it follows from the values of a place."""

    name: str
    kind: str
    place: str

    @property
    def watches_steps(self) -> bool:
        """True if it needs the value of every step."""
        return self.kind != "final"


def parse(text: str) -> Metric:
    """Parse a metric.

    Raises:
        MetricError: the text is not a metric.
    """
    name, equals, expression = text.partition("=")
    if not equals or not name.isidentifier() or not expression:
        raise MetricError(f'"{text}" is not NAME=PLACE or NAME=max(PLACE)')
    if name in RESERVED:
        raise MetricError(f'"{name}" is a column of every table; use another name')
    call = _CALL.fullmatch(expression)
    if call is None:
        return Metric(name, "final", expression)
    if call[1] not in KINDS:
        raise MetricError(f'"{call[1]}" in {text} is not one of {", ".join(KINDS)}')
    place = f"{call[2]}.translation" if call[1] == "travel" else call[2]
    return Metric(name, call[1], place)


def check(metrics: Sequence[Metric], world: World) -> None:
    """Check that a world has the fields of metrics, and that they are numbers.

    Raises:
        MetricError: a metric does not fit; all of them are named.
    """
    problems = []
    names = [metric.name for metric in metrics]
    for metric in metrics:
        if names.count(metric.name) > 1:
            problems.append(f"{metric.name} is defined twice")
        try:
            value = field_place(world, metric.place).value
        except OverrideError as problem:
            problems.append(f"{metric.name}: {problem}")
            continue
        if metric.kind != "travel" and not isinstance(value, int | float):
            problems.append(
                f"{metric.name}: {metric.place} is not a number; choose a component: {metric.place}[0]"
            )
    if problems:
        raise MetricError("\n".join(dict.fromkeys(problems)))


class Measurement:
    """Measures the metrics of one run."""

    def __init__(self, simulation: Simulation, metrics: Sequence[Metric]) -> None:
        """
        Args:
            simulation: at its start.
            metrics: whose places the world has.
        """
        self._probes = [_Probe(simulation, metric) for metric in metrics]
        self._watching = [probe for probe in self._probes if probe.metric.watches_steps]

    def step(self) -> None:
        """Take the values of a step."""
        for probe in self._watching:
            probe.take()

    def result(self) -> dict[str, float]:
        """Return the metrics by name."""
        return {probe.metric.name: probe.result() for probe in self._probes}


class _Probe:
    def __init__(self, simulation: Simulation, metric: Metric) -> None:
        self.metric = metric
        self._simulation = simulation
        self._place: FieldPlace = field_place(simulation.world, metric.place)
        self._values: list[float] = []
        self._last: Sequence[float] | None = None

    def _value(self) -> float | Sequence[float]:
        write_place(self._simulation.physics, self._place.node)
        value: float | Sequence[float] = self._place.value
        return value

    def take(self) -> None:
        value = self._value()
        if not isinstance(value, int | float):
            self._values.append(0.0 if self._last is None else math.dist(self._last, value))
            self._last = value
            return
        self._values.append(float(value))

    def result(self) -> float:
        if self.metric.kind == "final":
            value = self._value()
            assert isinstance(value, int | float), "metrics are checked before the first run"
            return float(value)
        return _REDUCED[self.metric.kind](self._values) if self._values else math.nan


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


_REDUCED: dict[str, Callable[[Sequence[float]], float]] = {
    "min": min,
    "max": max,
    "mean": _mean,
    "travel": math.fsum,
}
