"""Arguments of the functions in Python that may not be None."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast

from wbridge.hal.reports import messages, report

__all__ = ["NAN", "needs", "report_missing"]

NAN = float("nan")
P = ParamSpec("P")
R = TypeVar("R")
PRESENT = object()


def needs(*names: str, otherwise: object = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Report None for a parameter instead of calling the function, as the C library reports NULL.

    Args:
        names: parameters that may not be None.
        otherwise: what the function returns instead.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        code = function.__code__
        places = [(code.co_varnames.index(name), name) for name in names]

        @wraps(function)
        def checked(*given: Any, **named: Any) -> R:
            for place, name in places:
                value = given[place] if place < len(given) else named.get(name, PRESENT)
                if value is None:
                    report.error(code.co_name, messages.invalid_argument(name, "None"))
                    return cast("R", otherwise)
            return function(*given, **named)

        return cast("Callable[P, R]", checked)

    return decorate


def report_missing(kind: str, function: str) -> None:
    """Report None instead of a node, field, PROTO or motion."""
    report.error(function, messages.missing_object(kind))
