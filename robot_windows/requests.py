"""The requests of pages: names, values and their allowed ranges."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

from robot_windows.subscribers import Command

__all__ = ["REQUESTS", "BadRequest", "read_command", "read_object"]

LONGEST = 2**16
"""Maximum characters of one request."""
LONGEST_TEXT = 10_000
LONGEST_PERIOD_MS = 100_000
MOST_NUMBER = 65535
MOST_NODES = 2**31 - 1
MOST_COMPONENTS = 4
LONGEST_NAME = 100
LARGEST = 1e12
SLOWEST, FASTEST = 0.01, 1000.0
"""Range of the simulated seconds per second."""

Check = Callable[[Any], Any]


class BadRequest(ValueError):
    """Raised for an invalid request; the text says why."""


def read_object(text: str | bytes) -> dict[str, Any]:
    """Return the JSON object of a message.

    Raises:
        BadRequest: the message is invalid or too long.
    """
    if isinstance(text, bytes):
        raise BadRequest("expected text, not bytes")
    if len(text) > LONGEST:
        raise BadRequest(f"{len(text)} characters; allowed: {LONGEST}")
    try:
        data = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise BadRequest("not valid JSON") from None
    if not isinstance(data, dict):
        raise BadRequest("expected an object")
    return data


def read_command(data: Mapping[str, Any]) -> Command:
    """Return the command of a request.

    Raises:
        BadRequest: the request is unknown, or a value is missing, unknown or not allowed.
    """
    name = data.get("do")
    wanted = REQUESTS.get(name) if isinstance(name, str) else None
    if wanted is None or not isinstance(name, str):
        raise BadRequest(f"unknown request {_shown(name)}; allowed: {', '.join(REQUESTS)}")
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


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("expected true or false")
    return value


def _whole(most: int) -> Check:
    def check(value: Any) -> int:
        if type(value) is not int or not 0 <= value <= most:
            raise ValueError(f"expected a whole number from 0 to {most}")
        return value

    return check


def _driven(value: Any) -> int:
    if type(value) is not int or not -1 <= value <= MOST_NUMBER:
        raise ValueError("expected the number of a robot, or -1 for the keyboard")
    return value


def _text(most: int) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or len(value) > most or "\0" in value:
            raise ValueError(f"expected a text of at most {most} characters")
        return value

    return check


def _value(value: Any) -> bool | float | None:
    """Check a number; None is infinite, such as the target of a motor in velocity control."""
    if value is None or isinstance(value, bool):
        return value
    if not isinstance(value, (int, float)) or not -LARGEST <= value <= LARGEST:
        raise ValueError("expected a number, true or false")
    return value


def _speed(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("expected a number")
    if not SLOWEST <= value <= FASTEST:
        raise ValueError(f"expected {SLOWEST:g} to {FASTEST:g} times real time")
    return float(value)


def _numbers(count: int) -> Check:
    def check(value: Any) -> list[float]:
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


def _number(value: Any) -> float:
    return float(_numbers(1)([value])[0])


def _choice(*allowed: str) -> Check:
    def check(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"expected {' or '.join(allowed)}")
        return str(value)

    return check


def _item(value: Any) -> int:
    if type(value) is not int or not -1 <= value <= MOST_NODES:
        raise ValueError("expected the place of an element, or -1")
    return value


def _field_value(value: Any) -> Any:
    """Check the value of a field; the run checks whether it fits."""
    if isinstance(value, list) and len(value) <= MOST_COMPONENTS:
        return _numbers(len(value))(value)
    if isinstance(value, (bool, str)):
        return value if isinstance(value, bool) else _text(LONGEST_TEXT)(value)
    if isinstance(value, (int, float)) and -LARGEST <= value <= LARGEST:
        return value
    raise ValueError("expected a number, a text, true or false, or up to 4 numbers")


_ROBOT = _whole(MOST_NUMBER)
_DEVICE = _whole(MOST_NUMBER)
_NODE = _ID = _whole(MOST_NODES)

REQUESTS: dict[str, dict[str, Check]] = {
    "pause": {},
    "play": {"speed": _speed},
    "step": {},
    "reset": {},
    "control": {"robot": _ROBOT, "on": _flag},
    "stop": {"robot": _ROBOT},
    "hold": {"robot": _driven},
    "let": {},
    "enable": {"robot": _ROBOT, "device": _DEVICE, "channel": _text(60), "period": _whole(LONGEST_PERIOD_MS)},
    "set": {"robot": _ROBOT, "device": _DEVICE, "channel": _text(60), "value": _value},
    "custom": {"robot": _ROBOT, "text": _text(LONGEST_TEXT)},
    "key": {"key": _text(20), "down": _flag, "shift": _flag, "control": _flag, "alt": _flag},
    "release": {},
    "pick": {"origin": _numbers(3), "toward": _numbers(3), "part": _flag},
    "select": {"node": _NODE},
    "pull": {"kind": _choice("force", "torque"), "node": _NODE, "point": _numbers(3), "end": _numbers(3)},
    "move": {"node": _NODE, "begins": _flag, "way": _numbers(3), "angle": _number},
    "drop": {"node": _NODE},
    "tree": {},
    "edit": {"node": _NODE, "field": _text(LONGEST_NAME), "item": _item, "value": _field_value, "id": _ID},
    "save": {"name": _text(LONGEST_NAME), "replace": _flag, "id": _ID},
}
"""The values of each request, by name, with their checks."""
