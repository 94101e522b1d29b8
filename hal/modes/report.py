"""Messages to people whose controller asks for something that cannot be: on stderr, as Webots writes them."""

from __future__ import annotations

import sys

from hal.modes.faults import place

__all__ = ["begin", "closest", "error", "warning"]

LAST = " This is not said again."

_said: set[tuple[str, str]] = set()
_times: dict[str, int] = {}
"""How often an error was said."""
MOST = 10
"""A call in a loop says its error so often."""
MOST_KEPT = 1000


def begin() -> None:
    """Forget what was said to a former controller."""
    _said.clear()
    _times.clear()


def error(function: str, text: str) -> None:
    """Say that a call was wrong, and where it is; the controller goes on with a neutral value.

    The same words are said ten times at most.
    """
    line = f"Error: {function}() {text}{_where()}"
    times = _times.get(line, 0) + 1
    if times > 1 or len(_times) < MOST_KEPT:
        _times[line] = times
    if times <= MOST:
        sys.stderr.write(f"{line}{LAST if times == MOST else ''}\n")


def warning(function: str, text: str, once: bool = True) -> None:
    """Say that a call does not do what one may expect; once per function and text."""
    if once and (function, text) in _said:
        return
    _said.add((function, text))
    sys.stderr.write(f"Warning: {function}() {text}{_where()}\n")


def _where() -> str:
    found = place()
    return f" ({found})" if found else ""


def closest(name: str, names: list[str]) -> str:
    """A hint at the most similar of the names; "" when none is similar."""
    import difflib  # start-up: 5 ms, only for messages

    found = difflib.get_close_matches(name, names, 1)
    return f'; did you mean "{found[0]}"?' if found else ""
