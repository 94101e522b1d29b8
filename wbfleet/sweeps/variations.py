"""What a sweep varies, and the values of each run.

| text | values |
|---|---|
| `PLACE=a,b,c` | one of these |
| `PLACE=low..high` | any number between them; whole numbers if the field is an integer, or for `seed` |
| `PLACE=low..high/n` | n equally spaced numbers from low to high |

A place is a field (see wbridge.wbcore.scene.overrides), `seed`, or one of the link between controllers and
robots (see wbridge.wbcore.controllers.link_quality), whose times become seconds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy
from numpy.typing import NDArray

from wbridge.wbcore.controllers.link_quality import UNITS, is_link_place, link_number
from wbridge.wbcore.scene import contact_law
from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.overrides import OverrideError, field_place

SEED = "seed"
"""The place that stands for the random seed of a run."""
METHODS = ("grid", "random", "latin-hypercube", "sobol")
"""Every combination; independent random values; two that cover each range evenly (scipy.stats.qmc)."""
MOST_RUNS = 10_000_000


class VariationError(ValueError):
    """A variation is invalid; the message says what is allowed."""


class Variation(NamedTuple):
    """The values of one place: a choice of texts, or a range of numbers."""

    place: str
    choices: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 0.0
    is_whole: bool = False

    @property
    def is_discrete(self) -> bool:
        """True if it has a finite number of values."""
        return bool(self.choices) or self.is_whole

    @property
    def size(self) -> int:
        """Number of values of a discrete variation."""
        return len(self.choices) or int(self.high) - int(self.low) + 1

    def nth(self, index: int) -> str:
        """Return a value of a discrete variation."""
        return self.choices[index] if self.choices else str(int(self.low) + index)

    def at(self, share: float) -> str:
        """Return the value at this share (0 to 1, exclusive) of the range or the choices."""
        if self.is_discrete:
            return self.nth(min(int(share * self.size), self.size - 1))
        return repr(self.low + share * (self.high - self.low))


def parse(text: str, world: World) -> Variation:
    """Parse a variation and check its place.

    Raises:
        VariationError: the text is not a variation, or the world has no such field.
    """
    place, equals, values = text.partition("=")
    if not equals or not place or not values:
        raise VariationError(f'"{text}" is not PLACE=VALUES, for example WorldInfo.gravity=3.7,9.81')
    try:
        if is_link_place(place):
            values = _link_values(place, values)
        elif place == contact_law.PLACE:
            for law in values.split(","):
                contact_law.checked(law.strip())
    except ValueError as problem:
        raise VariationError(str(problem)) from None
    is_integer = _is_integer(world, place)
    if ".." not in values or '"' in values:
        return Variation(place, tuple(word.strip() for word in values.split(",")))
    bounds, slash, count = values.partition("/")
    low, high = bounds_of(place, bounds)
    if slash:
        return Variation(place, _spaced(place, low, high, count, is_integer))
    if is_integer and not (low.is_integer() and high.is_integer()):
        raise VariationError(f"{place}={values}: the field has whole numbers")
    return Variation(place, low=low, high=high, is_whole=is_integer)


def _link_values(place: str, values: str) -> str:
    """Return values of the link as plain numbers; `0..50ms` gives the unit of both.

    Raises:
        OverrideError: a value is invalid.
    """
    if ".." not in values:
        return ",".join(repr(link_number(place, word)) for word in values.split(","))
    bounds, slash, count = values.partition("/")
    low, _, high = bounds.partition("..")
    unit = high.strip().lstrip("0123456789.+-e")
    low = low if low.strip().endswith(tuple(UNITS)) else low.strip() + unit
    return f"{link_number(place, low)!r}..{link_number(place, high)!r}{slash}{count}"


def _is_integer(world: World, place: str) -> bool:
    if place == SEED:
        return True
    if is_link_place(place) or place == contact_law.PLACE:
        return False
    try:
        found = field_place(world, place)
    except OverrideError as problem:
        raise VariationError(str(problem)) from None
    return found.node.spec.fields[found.field].type in ("SFInt32", "MFInt32")


def bounds_of(place: str, text: str) -> tuple[float, float]:
    """Parse a range such as "0.1..2" of the values of a place.

    Raises:
        VariationError: it is not a range of finite numbers.
    """
    first, _, last = text.partition("..")
    try:
        low, high = float(first), float(last)
    except ValueError:
        raise VariationError(f'{place}={text}: "{first}" and "{last}" must be numbers') from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise VariationError(f"{place}={text}: the first number must be less than the second")
    return low, high


def _spaced(place: str, low: float, high: float, text: str, is_integer: bool) -> tuple[str, ...]:
    if not text.isdigit() or not 2 <= int(text) <= MOST_RUNS:
        raise VariationError(f'{place}: "{text}" is not a number of values, 2 or more')
    steps = int(text) - 1
    numbers = [low + (high - low) * i / steps for i in range(steps + 1)]
    if is_integer:
        return tuple(dict.fromkeys(str(round(number)) for number in numbers))
    return tuple(repr(number) for number in numbers)


def choose(variations: Sequence[Variation]) -> str:
    """Return the method that fits: a grid if all values can be listed, else a Latin hypercube."""
    return "grid" if all(variation.is_discrete for variation in variations) else "latin-hypercube"


def values_of_runs(
    variations: Sequence[Variation], method: str, runs: int | None, seed: int
) -> list[dict[str, str]]:
    """Return the values of each run by place; the same arguments give the same values.

    Args:
        variations: of different places.
        method: one of METHODS.
        runs: number of runs; None for a grid, whose size follows from its values.
        seed: of the sampling.

    Raises:
        VariationError: the method does not fit, or there are too many runs.
        ImportError: SciPy is missing, which samples hypercubes and Sobol sequences.
    """
    places = [variation.place for variation in variations]
    repeated = next((place for place in places if places.count(place) > 1), None)
    if repeated is not None:
        raise VariationError(f"{repeated} is varied twice; give all its values in one --vary")
    if method == "grid":
        return _grid(variations, runs)
    if runs is None:
        raise VariationError(f"give the number of runs for {method} sampling with --runs N")
    shares = _shares(method, len(variations), runs, seed)
    return [
        {
            variation.place: variation.at(float(share))
            for variation, share in zip(variations, row, strict=True)
        }
        for row in shares
    ]


def _grid(variations: Sequence[Variation], runs: int | None) -> list[dict[str, str]]:
    endless = next((variation for variation in variations if not variation.is_discrete), None)
    if endless is not None:
        text = f"{endless.place}={endless.low:g}..{endless.high:g}"
        raise VariationError(
            f"{text} has any number of values; for a grid write {text}/5, or use --sampling random"
        )
    size = math.prod(variation.size for variation in variations)
    if runs is not None and runs != size:
        raise VariationError(f"the grid has {size} runs; leave out --runs, or use --sampling random")
    if size > MOST_RUNS:
        raise VariationError(f"the grid has {size} runs; allowed: up to {MOST_RUNS}")
    numbers = product(*(range(variation.size) for variation in variations))
    return [
        {variation.place: variation.nth(i) for variation, i in zip(variations, row, strict=True)}
        for row in numbers
    ]


def _shares(method: str, dimensions: int, runs: int, seed: int) -> NDArray[Any]:
    """Return (runs, dimensions) numbers from 0 to 1."""
    random = numpy.random.default_rng(seed)
    if method == "random" or dimensions == 0:
        return random.random((runs, dimensions))
    from scipy.stats import qmc  # start-up: 0.5 s, only for even coverage

    points: NDArray[Any]
    if method == "sobol":
        points = qmc.Sobol(dimensions, rng=random).random_base2(math.ceil(math.log2(max(runs, 1))))
        return points[:runs]
    points = qmc.LatinHypercube(dimensions, rng=random).random(runs)
    return points
