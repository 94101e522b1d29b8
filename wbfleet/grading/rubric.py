"""A rubric: the world, the runs, and the points for what the robot does in them."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbfleet.sweeps.metrics import Metric, MetricError, parse

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class RubricError(ValueError):
    """A rubric is invalid; `problems` lists all reasons."""

    def __init__(self, path: Path, problems: Sequence[str]) -> None:
        super().__init__("\n".join(f"{path}: {problem}" for problem in problems))
        self.problems = problems


OUTPUTS = ("none", "errors", "all")
"""How much of the output of a program its author sees."""


class Limits(NamedTuple):
    """The limits of one program, for all its processes together."""

    cpu_s: int = 60
    """Processor time (s)."""
    memory_mb: int = 2048
    """Memory, and address space of each process (MB)."""
    file_mb: int = 16
    """Size of a file that it writes (MB)."""
    disk_mb: int = 64
    """Size of all files that it writes, and of its copy of the submission (MB)."""
    processes: int = 64
    """Processes and threads."""


class Step(NamedTuple):
    """A part of an exercise."""

    name: str
    text: str
    """What to do, for the page of the student."""


class Criterion(NamedTuple):
    """What gives points."""

    name: str
    metric: Metric
    points: float
    at_least: float
    at_most: float
    partial_from: float | None = None
    """The value beyond which points begin, growing linearly up to the nearer limit; None: all or nothing."""
    text: str = ""
    """An explanation for the page of the student."""
    step: str = ""
    """Name of the step that it belongs to; "": the exercise as a whole."""
    hidden: bool = False
    """True if students do not see its name, nor why points are missing."""

    def is_met(self, value: float) -> bool:
        """Return whether a run with this value of the metric meets it."""
        return self.at_least <= value <= self.at_most

    def credit(self, value: float) -> float:
        """Return the share of the points (0 to 1) that a run with this value of the metric gets."""
        if self.is_met(value):
            return 1.0
        if self.partial_from is None or math.isnan(value):
            return 0.0
        limit = self.at_least if value < self.at_least else self.at_most
        if (self.partial_from - limit) * (value - limit) <= 0:
            return 0.0  # points begin on the other side
        return max(0.0, (value - self.partial_from) / (limit - self.partial_from))

    @property
    def limits(self) -> str:
        """What is wanted, for reports."""
        if self.at_least == -math.inf:
            return f"at most {self.at_most:g}"
        if self.at_most == math.inf:
            return f"at least {self.at_least:g}"
        return f"{self.at_least:g} to {self.at_most:g}"


class Rubric(NamedTuple):
    """How to grade."""

    world: Path
    robot: str
    """Name of the robot whose controllers are graded; "" is the only one."""
    duration_s: float
    """Maximum simulated time of a run."""
    timeout_s: float
    """Maximum real time that a controller may compute without a step."""
    seeds: tuple[int, ...]
    """One run for each; the points of a criterion are shared among the runs."""
    limits: Limits
    criteria: tuple[Criterion, ...]
    text: str = ""
    """What to do, for the pages of the students."""
    steps: tuple[Step, ...] = ()
    hidden_seeds: tuple[int, ...] = ()
    """Further runs, which students do not see."""
    output: str = "errors"
    """How much of the output of a program its author sees: a value of `OUTPUTS`."""

    @property
    def all_seeds(self) -> tuple[int, ...]:
        """The seeds of all runs, those that students see first."""
        return self.seeds + self.hidden_seeds

    @property
    def has_secrets(self) -> bool:
        """True if students must not read the rubric."""
        return bool(self.hidden_seeds) or any(criterion.hidden for criterion in self.criteria)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What the criteria measure, each metric once."""
        return tuple({criterion.metric.name: criterion.metric for criterion in self.criteria}.values())

    @property
    def points(self) -> float:
        """The maximum."""
        return math.fsum(criterion.points for criterion in self.criteria)


def read_rubric(path: Path) -> Rubric:
    """Read a rubric from a TOML file (see docs/grading.md).

    Raises:
        RubricError: the file cannot be read or has errors; all of them are listed.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise RubricError(path, [f"cannot be read: {problem}"]) from None
    except tomllib.TOMLDecodeError as problem:
        raise RubricError(path, [str(problem)]) from None
    fields = _Fields(data, "")
    steps = tuple(_steps(fields))
    rubric = Rubric(
        path.parent / fields.text("world"),
        fields.text("robot", ""),
        fields.number("duration", 20.0, above=0),
        fields.number("timeout", 30.0, above=0),
        fields.numbers("seeds", (1,)),
        _limits(fields.table("limits"), fields.problems),
        tuple(_criteria(fields, [step.name for step in steps])),
        fields.text("text", ""),
        steps,
        fields.numbers("hidden_seeds", ()),
        fields.choice("output", OUTPUTS, "errors"),
    )
    if both := sorted(set(rubric.seeds) & set(rubric.hidden_seeds)):
        fields.problems.append(f"hidden_seeds: {both[0]} is also in seeds")
    fields.end()
    if fields.problems:
        raise RubricError(path, fields.problems)
    return rubric


def _limits(data: Mapping[str, object], problems: list[str]) -> Limits:
    fields = _Fields(data, "limits.", problems)
    # Not rounded down: some limits of 0 mean none.
    options = {
        name: math.ceil(fields.number(name, default, above=0)) for name, default in Limits()._asdict().items()
    }
    fields.end()
    return Limits(**options)


def _steps(fields: _Fields) -> list[Step]:
    steps = []
    for number, data in enumerate(fields.tables("step"), 1):
        own = _Fields(data, f"step {number}: ", fields.problems)
        steps.append(Step(own.text("name"), own.text("text", "")))
        own.end()
    names = [step.name for step in steps]
    double = sorted({name for name in names if names.count(name) > 1})
    fields.problems += [f'step "{name}" is defined twice' for name in double]
    return steps


def _criteria(fields: _Fields, steps: Sequence[str]) -> list[Criterion]:
    tables = fields.tables("criterion")
    if not tables:
        fields.problems.append("expected at least one [[criterion]]")
    criteria = [
        _criterion(table, f"criterion {number}: ", fields.problems, steps)
        for number, table in enumerate(tables, 1)
    ]
    names = [criterion.name for criterion in criteria]
    double = sorted({name for name in names if names.count(name) > 1})
    fields.problems += [f'criterion "{name}" is defined twice' for name in double]
    return criteria


def _criterion(
    data: Mapping[str, object], place: str, problems: list[str], steps: Sequence[str]
) -> Criterion:
    fields = _Fields(data, place, problems)
    name, text = fields.text("name"), fields.text("metric")
    metric = Metric("unknown", "final", "")
    try:
        metric = parse(f"m={text}")._replace(name=text)
    except MetricError as problem:
        if text:
            problems.append(f"{place}metric: {problem}")
    points = fields.number("points", 1.0, above=0)
    low, high = fields.number("at_least", -math.inf), fields.number("at_most", math.inf)
    if low == -math.inf and high == math.inf:
        problems.append(f"{place}expected at_least, at_most or both")
    elif low > high:
        problems.append(f"{place}at_least {low:g} is above at_most {high:g}")
    start = fields.number("partial_from", math.nan)
    if low <= start <= high:
        problems.append(f"{place}partial_from: expected a value without full points, not {start:g}")
    step = fields.text("step", "")
    if step and step not in steps:
        allowed = f"; allowed: {', '.join(steps)}" if steps else "; define it with [[step]]"
        problems.append(f'{place}step: no step "{step}"{did_you_mean(step, steps) or allowed}')
    explanation, hidden = fields.text("text", ""), fields.flag("hidden")
    fields.end()
    partial = None if math.isnan(start) else start
    return Criterion(name, metric, points, low, high, partial, explanation, step, hidden)


class _Fields:
    """The fields of a table, which are taken one by one; what remains is unknown."""

    def __init__(self, data: Mapping[str, object], place: str, problems: list[str] | None = None) -> None:
        self._data, self._place = dict(data), place
        self._known: list[str] = []
        self.problems: list[str] = [] if problems is None else problems

    def _take(self, name: str) -> Any:
        self._known.append(name)
        return self._data.pop(name, None)

    def _wrong(self, name: str, expected: str, value: object) -> None:
        self.problems.append(f"{self._place}{name}: expected {expected}, not {value!r}")

    def text(self, name: str, default: str | None = None) -> str:
        value = self._take(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str) or not value:
            self._wrong(name, "a text", value)
            return ""
        return value

    def number(self, name: str, default: float, above: float = -math.inf) -> float:
        value = self._take(name)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float) or not above < value < math.inf:
            self._wrong(name, "a number" if above == -math.inf else f"a number above {above:g}", value)
            return default
        return float(value)

    def flag(self, name: str) -> bool:
        value = self._take(name)
        if value is not None and not isinstance(value, bool):
            self._wrong(name, "true or false", value)
        return value is True

    def choice(self, name: str, allowed: Sequence[str], default: str) -> str:
        value = self._take(name)
        if value is None or value in allowed:
            return default if value is None else str(value)
        self._wrong(name, " or ".join(f'"{text}"' for text in allowed), value)
        return default

    def numbers(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        value = self._take(name)
        if value is None:
            return default
        is_good = isinstance(value, list) and bool(value)
        if not is_good or any(
            isinstance(number, bool) or not isinstance(number, int) or number < 0 for number in value
        ):
            self._wrong(name, "a list of whole numbers from 0", value)
            return default
        return tuple(value)

    def table(self, name: str) -> Mapping[str, Any]:
        value = self._take(name)
        if value is not None and not isinstance(value, dict):
            self._wrong(name, f"a table [{name}]", value)
        return value if isinstance(value, dict) else {}

    def tables(self, name: str) -> list[Mapping[str, object]]:
        value = self._take(name)
        if value is not None and not (
            isinstance(value, list) and all(isinstance(entry, dict) for entry in value)
        ):
            self._wrong(name, f"tables [[{name}]]", value)
            return []
        return value or []

    def end(self) -> None:
        """Report unknown fields."""
        for name in self._data:
            hint = did_you_mean(name, self._known)
            self.problems.append(
                f'{self._place}unknown field "{name}"{hint or "; allowed: " + ", ".join(self._known)}'
            )
