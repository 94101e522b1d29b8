"""One device at the pins of a board, and the fields by which a file describes it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

__all__ = [
    "STANDS",
    "WiringField",
    "WiringFieldError",
    "Part",
    "boolean",
    "curve",
    "number",
    "pin",
    "positive",
]

INFINITY = math.inf
STANDS = "cannot move to a position and stays still; set its position to infinity, then its velocity"


class WiringFieldError(ValueError):
    """A field that does not say what it should."""


class WiringField(NamedTuple):
    """A key of a device in the file."""

    read: Callable[[Any], Any]
    """Checks and converts what stands there.

    Raises:
        FieldError: it is something else; the text says what is allowed.
    """
    default: Any = None
    required: bool = False


def pin(value: Any) -> str:
    """A pin: 7 or "D7" for digital ones, "A0" for analog ones."""
    text = str(value).upper()
    name = f"D{text}" if text.isdigit() else text
    if (
        isinstance(value, (int, str))
        and not isinstance(value, bool)
        and name[0] in "AD"
        and name[1:].isdigit()
    ):
        return f"{name[0]}{int(name[1:])}"
    raise WiringFieldError('expected a pin, for example 7 or "A0"')


def number(value: Any) -> float:
    """Any number."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise WiringFieldError("expected a number")


def positive(value: Any) -> float:
    """A number above 0."""
    if number(value) > 0:
        return float(value)
    raise WiringFieldError("expected a number above 0")


def boolean(value: Any) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise WiringFieldError("expected true or false")


def curve(value: Any) -> list[tuple[float, float]]:
    """Points (what the pin says, what the device says), ordered by the first."""
    try:
        points = [(number(x), number(y)) for x, y in value]
    except (TypeError, ValueError):
        points = []
    if len(points) < 2 or points != sorted(points) or len({x for x, _ in points}) < len(points):
        raise WiringFieldError("expected at least two points [raw, value], raw growing")
    return points


class Part:
    """A device at its pins; one module of `parts` for each way of wiring, with a class `Wiring`."""

    TYPES: tuple[str, ...] = ()
    """Node types that can be wired so."""
    FIELDS: dict[str, WiringField] = {}
    """The keys; the one that is named as the module is the pin that it is about."""

    def __init__(self, fields: dict[str, Any]) -> None:
        """
        Args:
            fields: a value for each of FIELDS.
        """
        self.fields = fields

    def modes(self) -> dict[str, int]:
        """The pins, and the mode of each (`remote_controls.protocols.firmata.Mode`)."""
        raise NotImplementedError

    def outputs(self) -> dict[str, int]:
        """What shall be put out now, by pin; pins that nobody has commanded yet are left out."""
        return {}

    def stopped(self) -> dict[str, int]:
        """What is put out so that nothing moves; pins that may keep what they have are left out."""
        return {}

    def resting(self) -> dict[str, int]:
        """What shall be put out now if nothing may move."""
        return self.outputs() | self.stopped()

    def value(self, inputs: dict[str, int]) -> float | None:
        """What the device says; None while that is not known.

        Args:
            inputs: what the pins say that were heard of.
        """
        return None

    def cannot_go_to(self, position: float) -> str:
        """Why a motor does nothing with a position (infinite: turn on and on); "" when it does something."""
        return ""

    # Commands; a part takes those that mean something to it.

    def set_position(self, position: float) -> None:
        """Of a motor, in rad or m; infinite: turn with the velocity."""

    def set_velocity(self, velocity: float) -> None:
        """Of a motor, in rad/s or m/s."""

    def set_light(self, value: int) -> None:
        """Of an LED."""
