"""Readings of a robot whose names a controller may use for its own values."""

from __future__ import annotations

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Generic, TypeVar

    Value = TypeVar("Value")

    class Reading(Generic[Value]):
        """A reading of a type."""
else:
    Value = None

    class Reading:
        """A reading of any type."""

        def __class_getitem__(cls, value: object) -> type:
            """The same class for all types."""
            return cls


class replaceable(Reading[Value]):  # noqa: N801 - a decorator, like property
    """A reading that an attribute of the object replaces.

    Before R2022b, Robot had no attributes such as `time` and `name`, so classes derived from it use these
    names. A descriptor without `__set__` leaves assignments to the object.
    """

    def __init__(self, reading: Callable[[Any], Value]) -> None:
        """Remember the method that reads the value."""
        self.reading = reading
        self.__doc__ = reading.__doc__

    def __get__(self, owner: object, kind: type | None = None) -> Value:
        """The value; the descriptor itself for the class."""
        return self if owner is None else self.reading(owner)  # type: ignore[return-value]
