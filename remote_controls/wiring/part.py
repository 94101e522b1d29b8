"""One device at the pins of a board, and its fields in the wiring file."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

INFINITY = math.inf
STANDS = "cannot move to a position; set its position to infinity, then its velocity"


class WiringFieldError(ValueError):
    """Raised for an invalid field."""


class WiringField(NamedTuple):
    """A key of a device in the file."""

    read: Callable[[Any], Any]
    """Check and convert the value.

    Raises:
        WiringFieldError: the value is invalid; the text says what is allowed.
    """
    default: Any = None
    required: bool = False


def pin(value: object) -> str:
    """Read a pin: 7 or "D7" for digital ones, "A0" for analog ones."""
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


def number(value: object) -> float:
    """Read a number."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    raise WiringFieldError("expected a number")


def positive(value: Any) -> float:
    """A number above 0."""
    if number(value) > 0:
        return float(value)
    raise WiringFieldError("expected a number above 0")


def boolean(value: object) -> bool:
    """True or false."""
    if isinstance(value, bool):
        return value
    raise WiringFieldError("expected true or false")


def curve(value: Any) -> list[tuple[float, float]]:
    """Read points (pin value, device value), ordered by the first."""
    try:
        points = [(number(x), number(y)) for x, y in value]
    except (TypeError, ValueError):
        points = []
    if len(points) < 2 or points != sorted(points) or len({x for x, _ in points}) < len(points):
        raise WiringFieldError("expected at least two points [raw, value] with increasing raw")
    return points


class Part:
    """A device at its pins; each module of `parts` is a type of wiring, with a class `Wiring`."""

    TYPES: tuple[str, ...] = ()
    """Supported node types."""
    FIELDS: dict[str, WiringField] = {}
    """The keys; the one with the module's name is the main pin."""

    def __init__(self, fields: dict[str, Any]) -> None:
        """
        Args:
            fields: a value for each of FIELDS.
        """
        self.fields = fields

    def modes(self) -> dict[str, int]:
        """Return the pins, and the mode of each (`wbridge.remote_controls.protocols.firmata.PinMode`)."""
        raise NotImplementedError

    def outputs(self) -> dict[str, int]:
        """Return the current output of each pin; pins without a command are omitted."""
        return {}

    def stopped(self) -> dict[str, int]:
        """Return outputs that stop all motion; pins that may keep their output are omitted."""
        return {}

    def resting(self) -> dict[str, int]:
        """Return the current outputs while motion is not allowed."""
        return self.outputs() | self.stopped()

    def value(self, inputs: dict[str, int]) -> float | None:
        """Return the value of the device; None while unknown.

        Args:
            inputs: the values of the reported pins.
        """
        return None

    def cannot_go_to(self, position: float) -> str:
        """Return why a motor does not support a position (infinite: continuous rotation); "" if it does."""
        return ""

    # Commands; each part implements those that apply.

    def set_position(self, position: float) -> None:
        """Set the position of a motor, in rad or m; infinite: turn with the velocity."""

    def set_velocity(self, velocity: float) -> None:
        """Set the velocity of a motor, in rad/s or m/s."""

    def set_light(self, value: int) -> None:
        """Set an LED."""
