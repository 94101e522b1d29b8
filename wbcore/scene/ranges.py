"""Ranges of field values: allowed values and their description in messages."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeAlias

Lookup = Callable[[str], object]
"""Returns the value of another field of the same node."""

PI_SLACK = 1e-4
"""Tolerance of interval ends at multiples of pi/2, which users round: a value beyond by less is the end."""
AXIS_SLACK = 0.05
"""Tolerance of a unit axis' length: users round its components, and readers normalize it."""


class Interval(NamedTuple):
    """Numbers between two ends, each a number (possibly infinite) or the name of another field."""

    low: float | str
    high: float | str
    low_open: bool = False
    high_open: bool = False

    def contains(self, value: float, lookup: Lookup | None = None) -> bool:
        """True if the value is inside. Without a lookup, an end that names a field is unlimited."""
        low, high = _end(self.low, lookup, -math.inf), _end(self.high, lookup, math.inf)
        value = snapped(value, low, high)
        above = value > low if self.low_open and not _slack(low) else value >= low
        below = value < high if self.high_open and not _slack(high) else value <= high
        return (above or value == low == -math.inf) and (below or value == high == math.inf)

    def snapped(self, value: float, lookup: Lookup | None = None) -> float:
        """Return the end of the interval for a value just beyond it, else the value (see `snapped`)."""
        return snapped(value, _end(self.low, lookup, -math.inf), _end(self.high, lookup, math.inf))

    def __str__(self) -> str:
        opening, closing = "(" if self.low_open else "[", ")" if self.high_open else "]"
        return f"{opening}{_end_text(self.low)}, {_end_text(self.high)}{closing}"


class UnitAxis:
    """A vector of length 1 in the first three components."""

    __slots__ = ()

    def contains(self, value: Any, lookup: Lookup | None = None) -> bool:
        """True for a vector of length 1 (a rotation's fourth number is any angle)."""
        return abs(math.sqrt(sum(part * part for part in value[:3])) - 1.0) <= AXIS_SLACK

    def __str__(self) -> str:
        return "an axis of length 1"


class Lengths(NamedTuple):
    """The number of elements of a list."""

    allowed: tuple[int, ...]

    def contains(self, value: Any, lookup: Lookup | None = None) -> bool:
        """True if the list has one of these lengths."""
        return len(value) in self.allowed

    def __str__(self) -> str:
        return " or ".join(str(n) for n in self.allowed) + " values"


class Each(NamedTuple):
    """One range per component of a vector."""

    parts: tuple[Range, ...]

    def contains(self, value: Any, lookup: Lookup | None = None) -> bool:
        """True if every component is in its own range."""
        return all(part.contains(x, lookup) for part, x in zip(self.parts, value, strict=False))

    def __str__(self) -> str:
        return ", ".join(str(part) for part in self.parts) + " for its components"


Choice: TypeAlias = "Interval | UnitAxis | Lengths | Each | bool | int | float | str | tuple[float, ...]"


class Range(NamedTuple):
    """A choice of values, intervals or rules, one of which must match."""

    choices: tuple[Choice, ...]

    def contains(self, value: Any, lookup: Lookup | None = None) -> bool:
        """True if the value is allowed; in vectors and lists, every number must be.

        `lookup` returns the values of fields that an interval names as its ends.
        """
        if isinstance(value, (bool, int, float, str)):
            return any(_fits(choice, value, lookup) for choice in self.choices)
        whole = [c for c in self.choices if isinstance(c, (UnitAxis, Lengths, Each))]
        if whole:
            return any(choice.contains(value, lookup) for choice in whole)
        vectors = [c for c in self.choices if type(c) is tuple]
        if vectors:
            return (
                value in vectors if isinstance(value, tuple) else all(number in vectors for number in value)
            )
        return all(self.contains(part, lookup) for part in value)

    def snapped(self, value: Any, lookup: Lookup | None = None) -> Any:
        """Return the end of an interval for a number just beyond it, else the value itself."""
        if not isinstance(value, float) or value in self.choices:
            return value
        intervals = (choice for choice in self.choices if isinstance(choice, Interval))
        ends = (interval.snapped(value, lookup) for interval in intervals if interval.contains(value, lookup))
        return next((end for end in ends if end != value), value)

    @property
    def values(self) -> tuple[bool | int | float | str, ...]:
        """The single values among the choices, for suggestions."""
        return tuple(c for c in self.choices if isinstance(c, (bool, int, float, str)))

    def __str__(self) -> str:
        return " or ".join(_text(choice) for choice in self.choices)


def _fits(choice: Choice, value: bool | int | float | str, lookup: Lookup | None) -> bool:
    if isinstance(choice, Interval):
        return not isinstance(value, str) and choice.contains(value, lookup)
    return choice == value


def _text(choice: Choice) -> str:
    if isinstance(choice, str):
        return f'"{choice}"'
    if type(choice) is tuple:
        return " ".join(f"{number:g}" for number in choice)
    return _end_text(choice) if isinstance(choice, float) else str(choice)


def _end(end: float | str, lookup: Lookup | None, otherwise: float) -> float:
    if not isinstance(end, str):
        return end
    value = lookup(end) if lookup else None
    return float(value) if isinstance(value, (int, float)) else otherwise


def snapped(value: float, low: float, high: float) -> float:
    """Return an end of a range of angles for a value beyond it by less than `PI_SLACK`, else the value.

    Only ends at multiples of pi/2 have this tolerance: they have no exact decimal form.
    """
    if low - _slack(low) < value < low:
        return low
    return high if high < value < high + _slack(high) else value


def _slack(end: float) -> float:
    """Return the tolerance: non-zero for multiples of pi/2, which have no exact decimal form."""
    return PI_SLACK if end and math.isfinite(end) and _halves_of_pi(end) is not None else 0.0


def _halves_of_pi(number: float) -> int | None:
    halves = round(number / (math.pi / 2))
    return halves if halves and abs(number - halves * math.pi / 2) < 1e-9 else None


def _end_text(end: float | str) -> str:
    if isinstance(end, str):
        return end
    if math.isinf(end):
        return "inf" if end > 0 else "-inf"
    halves = _halves_of_pi(end)
    if halves is None:
        return f"{end:g}"
    sign, count = "-" if halves < 0 else "", abs(halves)
    factor = count // 2 if count % 2 == 0 else count
    return f"{sign}{'' if factor == 1 else factor}pi" + ("" if count % 2 == 0 else "/2")


def from_data(alternatives: Iterable[object]) -> Range:
    """Create a range from its form in nodes.json (see scripts/schema_ranges.py)."""
    return Range(tuple(_choice(a) for a in alternatives))


def _choice(data: Any) -> Choice:
    if isinstance(data, list):
        brackets, low, high = data
        return Interval(
            -math.inf if low is None else low,
            math.inf if high is None else high,
            brackets[0] == "(",
            brackets[1] == ")",
        )
    if not isinstance(data, dict):
        return data  # type: ignore[no-any-return]
    if "axis" in data:
        return UnitAxis()
    if "lengths" in data:
        return Lengths(tuple(data["lengths"]))
    return Each(tuple(from_data(part) for part in data["each"]))
