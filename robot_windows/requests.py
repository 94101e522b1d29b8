"""Read the requests of pages; robot_windows/messages.py declares them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from wbridge.robot_windows.messages import REQUESTS, checks_of, request_name
from wbridge.robot_windows.subscribers import Command

__all__ = ["BadRequest", "read_command", "read_object"]

LONGEST, LONGEST_WRITE = 2**16, 2**19
"""Maximum characters of a request, and of one that writes a controller's source, which may be escaped."""
_CHECKS = {request_name(kind): checks_of(kind) for kind in REQUESTS}


class BadRequest(ValueError):
    """Raised for an invalid request; the text says why."""


def read_object(text: str | bytes) -> dict[str, object]:
    """Return the JSON object of a message.

    Raises:
        BadRequest: the message is invalid or too long.
    """
    if isinstance(text, bytes):
        raise BadRequest("expected text, not bytes")
    if len(text) > LONGEST_WRITE:
        raise BadRequest(f"{len(text)} characters; allowed: {LONGEST_WRITE}")
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadRequest("not valid JSON") from None
    if not isinstance(data, dict):
        raise BadRequest("expected an object")
    if len(text) > LONGEST and data.get("do") != "write":
        raise BadRequest(f"{len(text)} characters; allowed: {LONGEST}")
    return data


def read_command(data: Mapping[str, Any]) -> Command:
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
    values: dict[str, Any] = {}
    for key, check in wanted.items():
        if key not in data:
            raise BadRequest(f"{name}: {key} is missing")
        try:
            values[key] = check(data[key])
        except ValueError as problem:
            raise BadRequest(f"{name}: {key}: {problem}, not {_shown(data[key])}") from None
    return Command(name, values.pop("robot", -1), values)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(constant)


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
