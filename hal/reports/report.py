"""Errors and warnings about a controller's API calls, printed on stderr as by Webots."""

from __future__ import annotations

import sys

from wbridge.hal.reports import messages
from wbridge.hal.reports.faults import place

_said: set[tuple[str, str]] = set()
_times: dict[str, int] = {}
"""Number of times that an error was reported."""
MOST = 10
"""Maximum number of times that the same error is printed."""
MOST_KEPT = 1000


def begin() -> None:
    """Reset the messages for a new controller."""
    _said.clear()
    _times.clear()


def error(function: str, text: str) -> None:
    """Print an error about an API call with the line of the call; the controller continues.

    The same message is printed at most ten times.
    """
    line = f"Error: {function}() {text}{_where()}"
    times = _times.get(line, 0) + 1
    if times > 1 or len(_times) < MOST_KEPT:
        _times[line] = times
    if times <= MOST:
        _print(f"{line}{messages.not_repeated() if times == MOST else ''}")


def warning(function: str, text: str, once: bool = True) -> None:
    """Print a warning about an API call, by default once per function and text."""
    if once and (function, text) in _said:
        return
    _said.add((function, text))
    _print(f"Warning: {function}() {text}{_where()}")


def _print(line: str) -> None:
    """Print a line, which may contain names from a world or a robot, without control characters."""
    from wbridge.hal.printable import printable_lines  # start-up: 1 ms, only for messages

    sys.stderr.write(f"{printable_lines(line)}\n")


def _where() -> str:
    found = place()
    return f" ({found})" if found else ""


def closest(name: str, names: list[str]) -> str:
    """A hint with the most similar name, or "" if none is similar."""
    import difflib  # start-up: 5 ms, only for messages

    found = difflib.get_close_matches(name, names, 1)
    return messages.similar_name(found[0]) if found else ""
