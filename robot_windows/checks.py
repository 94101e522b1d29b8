"""Checks of the values in requests of pages: each returns the value, or raises a ValueError that says what is
allowed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

LONGEST_TEXT = 10_000
"""Characters of a text."""
MOST_NUMBER = 65535
"""Largest number of a robot or device."""
MOST_NODES = 2**31 - 1
MOST_COMPONENTS = 4
LARGEST = 1e12
SLOWEST, FASTEST = 0.01, 1000.0
"""Range of the simulated seconds per second."""

Check = Callable[[object], Any]


def flag(value: object) -> bool:
    """Check a truth value."""
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def whole(most: int) -> Check:
    """Return a check of whole numbers from 0."""

    def check(value: object) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise ValueError(f"expected a whole number from 0 to {most}")
        return value

    return check


def wholes(count: int, most: int) -> Check:
    """Return a check of lists of at most `count` whole numbers from 0."""

    def check(value: object) -> list[int]:
        if not isinstance(value, list) or len(value) > count:
            raise ValueError(f"expected a list of at most {count} whole numbers")
        return [whole(most)(entry) for entry in value]

    return check


def driven(value: object) -> int:
    """Check the number of a robot, or -1 for the keyboard."""
    if type(value) is not int or not -1 <= value <= MOST_NUMBER:
        raise ValueError("expected the number of a robot, or -1 for the keyboard")
    return value


@dataclass(frozen=True)
class Text:
    """A check of texts."""

    most: int
    """Characters."""

    def __call__(self, value: object) -> str:
        """Check a text."""
        if not isinstance(value, str) or len(value) > self.most or "\0" in value:
            raise ValueError(f"expected a text of at most {self.most} characters")
        return value


def value(value: object) -> bool | float | None:
    """Check a number; None is infinite, such as the target of a motor in velocity control."""
    if value is None or isinstance(value, bool):
        return value
    if not isinstance(value, (int, float)) or not -LARGEST <= value <= LARGEST:
        raise ValueError("expected a number, true or false")
    return value


def speed(value: object) -> float | None:
    """Check simulated seconds per second; None: as fast as possible."""
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("expected a number")
    if not SLOWEST <= value <= FASTEST:
        raise ValueError(f"expected {SLOWEST:g} to {FASTEST:g} times real time")
    return float(value)


def numbers(count: int) -> Check:
    """Return a check of lists of so many numbers."""

    def check(value: object) -> list[float]:
        if not isinstance(value, list) or len(value) != count:
            raise ValueError(f"expected {count} numbers")
        for element in value:
            if (
                isinstance(element, bool)
                or not isinstance(element, (int, float))
                or not -LARGEST <= element <= LARGEST
            ):
                raise ValueError(f"expected {count} numbers")
        return [float(element) for element in value]

    return check


def number(value: object) -> float:
    """Check a number."""
    return float(numbers(1)([value])[0])


def moment(value: object) -> float | None:
    """Check a simulated time (s); None: the present."""
    if value is None:
        return None
    seconds = number(value)
    if seconds < 0:
        raise ValueError("expected a time from 0 s")
    return seconds


def choice(*allowed: str) -> Check:
    """Return a check of a few texts."""

    def check(value: object) -> str:
        if value not in allowed:
            raise ValueError(f"expected {' or '.join(allowed)}")
        return str(value)

    return check


def item(value: object) -> int:
    """Check the place of an element in a list; -1: the field is no list."""
    if type(value) is not int or not -1 <= value <= MOST_NODES:
        raise ValueError("expected the place of an element, or -1")
    return value


def field_value(value: object) -> Any:
    """Check the value of a field; the run checks whether it fits."""
    if isinstance(value, list) and len(value) <= MOST_COMPONENTS:
        return numbers(len(value))(value)
    if isinstance(value, (bool, str)):
        return value if isinstance(value, bool) else Text(LONGEST_TEXT)(value)
    if isinstance(value, (int, float)) and -LARGEST <= value <= LARGEST:
        return value
    raise ValueError("expected a number, a text, true or false, or up to 4 numbers")
