"""Parameters to fit: fields of a world with numbers, and delays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wbridge.wbcore.scene.load import World
from wbridge.wbcore.scene.overrides import OverrideError, field_place
from wbridge.wbfleet.fitting.replay import Replay
from wbridge.wbfleet.sweeps.variations import bounds_of

COMMAND_DELAY, READING_DELAY = "command-delay", "reading-delay"
"""Names of parameters that are no fields (s)."""
DELAYS = (COMMAND_DELAY, READING_DELAY)


class ParameterError(ValueError):
    """A parameter is invalid; the message says what is allowed."""


class Parameter(NamedTuple):
    """A number to fit."""

    place: str
    """See `wbridge.wbcore.scene.overrides`, or one of the delays."""
    low: float
    high: float
    start: float
    """The value in the world, or the middle of the range if it is outside."""

    @property
    def width(self) -> float:
        """Of the range."""
        return self.high - self.low

    @property
    def is_delay(self) -> bool:
        """True if it is no field."""
        return self.place in DELAYS


def parse(text: str, world: World) -> Parameter:
    """Parse a parameter such as `ARM.physics.mass=0.1..2`.

    Raises:
        ParameterError: the text is not a parameter, or the world has no such number.
    """
    place, equals, bounds = text.partition("=")
    if not equals or ".." not in bounds:
        raise ParameterError(f'"{text}" is not NODE.FIELD=low..high, for example ARM.physics.mass=0.1..2')
    low, high = bounds_of(place, bounds)
    if place in DELAYS:
        if low < 0:
            raise ParameterError(f"{text}: a delay is 0 s or more")
        return Parameter(place, low, high, low)
    try:
        value = field_place(world, place).value
    except OverrideError as problem:
        hint = f"; {' and '.join(DELAYS)} are allowed, too" if "." not in place else ""
        raise ParameterError(f"{problem}{hint}") from None
    if isinstance(value, bool) or not isinstance(value, float):
        raise ParameterError(f"{place} {_why_not_fitted(place, value)}")
    return Parameter(place, low, high, value if low < value < high else (low + high) / 2)


def _why_not_fitted(place: str, value: object) -> str:
    """Return why a value that is not a floating-point number cannot be fitted."""
    if isinstance(value, tuple):
        return f"is a vector; choose a component, for example {place}[0]"
    kinds = {bool: "TRUE or FALSE", int: "an integer", str: "text"}
    return f"is {kinds.get(type(value), 'not a floating-point number')} and cannot be fitted"


def with_values(replay: Replay, parameters: Sequence[Parameter], shares: NDArray[np.float64]) -> Replay:
    """Return a replay with values of parameters.

    Args:
        replay: to change.
        parameters: all that are fitted.
        shares: their values, as shares of their ranges (0 to 1).
    """
    values = {
        parameter.place: parameter.low + float(share) * parameter.width
        for parameter, share in zip(parameters, shares, strict=True)
    }
    fields = {place: repr(value) for place, value in values.items() if place not in DELAYS}
    return replay._replace(
        fields={**replay.fields, **fields},
        command_delay_s=values.get(COMMAND_DELAY, replay.command_delay_s),
        reading_delay_s=values.get(READING_DELAY, replay.reading_delay_s),
    )
