"""Read the requests of pages; robot_windows/messages.py declares them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import NoReturn

from wbridge.robot_windows.checks import Check, Text
from wbridge.robot_windows.messages import REQUESTS, checks_of, request_name
from wbridge.robot_windows.subscribers import Command

LONGEST = 2**16
"""Maximum characters of a request, unless its texts may be longer."""
REST = 2**12
"""Characters of the parts of a request that are no texts."""
_CHECKS = {request_name(kind): checks_of(kind) for kind in REQUESTS}


def _longest(texts: Iterable[Check]) -> int:
    """Return the maximum characters of a request: JSON escapes a character by another one in front of it."""
    return max(LONGEST, 2 * sum(check.most for check in texts if isinstance(check, Text)) + REST)


_LONGEST = {name: _longest(checks.values()) for name, checks in _CHECKS.items()}


class BadRequest(ValueError):
    """Raised for an invalid request; the text says why."""


def read_object(text: str | bytes) -> dict[str, object]:
    """Return the JSON object of a message.

    Raises:
        BadRequest: the message is invalid or too long.
    """
    if isinstance(text, bytes):
        raise BadRequest("expected text, not bytes")
    _limit(text, max(_LONGEST.values()))
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadRequest("not valid JSON") from None
    if not isinstance(data, dict):
        raise BadRequest("expected an object")
    _limit(text, _LONGEST.get(str(data.get("do")), LONGEST))
    return data


def _limit(text: str, longest: int) -> None:
    if len(text) > longest:
        raise BadRequest(f"{len(text)} characters; allowed: {longest}")


def read_command(data: Mapping[str, object]) -> Command:
    """Return the command of a request.

    Raises:
        BadRequest: the request is unknown, or a value is missing, unknown or not allowed.
    """
    name = data.get("do")
    wanted = _CHECKS.get(name) if isinstance(name, str) else None
    if wanted is None or not isinstance(name, str):
        raise BadRequest(f"unknown request {_shown(name)}; allowed: {', '.join(_CHECKS)}")
    unknown = data.keys() - wanted.keys() - {"do"}
    if unknown:
        raise BadRequest(f"{name}: unknown: {', '.join(sorted(unknown))[:100]}")
    values: dict[str, object] = {}
    for key, check in wanted.items():
        if key not in data:
            raise BadRequest(f"{name}: {key} is missing")
        try:
            values[key] = check(data[key])
        except ValueError as problem:
            raise BadRequest(f"{name}: {key}: {problem}, not {_shown(data[key])}") from None
    robot = values.pop("robot", -1)
    assert isinstance(robot, int)  # by its check
    return Command(name, robot, values)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
