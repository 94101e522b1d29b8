"""Deprecated names, which work and print their replacement once."""

from __future__ import annotations

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_said: set[str] = set()


def deprecated(old: str, new: str) -> None:
    """Warn once per run about a deprecated name, with the line of the controller."""
    if old not in _said:
        import warnings  # start-up: few controllers use old names

        _said.add(old)
        warnings.warn(f"{old} is deprecated; use {new}", DeprecationWarning, stacklevel=3)


def alias(old: str, method: str) -> Callable[..., Any]:
    """A method that prints a deprecation warning and calls another method of the same object.

    Args:
        old: class and old name, for example "Robot.getMotor".
        method: name of the method to call.
    """
    class_, _, name = old.partition(".")

    def call(self: object, *arguments: object, **named: object) -> Any:
        deprecated(old, f"{class_}.{method}")
        return getattr(self, method)(*arguments, **named)

    call.__name__, call.__qualname__ = name, old
    call.__doc__ = f"Old name of `{method}`."
    return call
