"""Convert the range notations of the specification to one structured form.

The specification keeps each range as printed in its source ("-1 or > 0", "{-1, [0, inf)}", "[near, inf)",
"unit axis"). The product reads only the structured form generated here, a list of alternatives of which one
must hold:

    3, "color"                   this value
    ["[)", low, high]            an interval; the brackets say which ends belong to it; an end is a
                                 number, null for infinity or the name of a field of the same node
    {"each": [...]}              one list of alternatives per component
    {"axis": true}               the first three components are a vector of length 1
    {"lengths": [0, 2]}          the number of elements
"""

from __future__ import annotations

import math
import re
from typing import Any

Alternatives = list[Any]

_NUMBER = r"[-+]?\d+(?:\.\d+)?(?:\*?pi)?(?:/\d+)?|[-+]?pi(?:/\d+)?|[-+]?inf|[a-z][A-Za-z]+"
_INTERVAL = re.compile(rf"([\[(])\s*({_NUMBER})\s*,\s*({_NUMBER})\s*([\])])")
_FACTOR = re.compile(r"([-+]?)(\d+(?:\.\d+)?)?\*?(pi)?(?:/(\d+))?")

NOT_NEGATIVE: Alternatives = [["[)", 0, None]]
POSITIVE: Alternatives = [["()", 0, None]]

# Texts that add nothing to the type, and documentation in place of a range.
SAYS_NOTHING = {
    "any string": "each string",
    "any vector": "each vector",
    "{TRUE, FALSE}": "the type says it",
    "[]": "the default was printed again",
    "{node, PROTO}": "each node",
}
SAYS_NOTHING_PREFIXES = {
    "Texture URL for": "a description, not a range",
    "Irradiance texture URL for": "a description, not a range",
}

_FIXED: dict[str, Alternatives] = {
    "any color": [["[]", 0, 1]],
    "-1 or > 0": [-1, *POSITIVE],
    "-1 or positive": [-1, *POSITIVE],
    "positive or -1 (infinity)": [-1, *NOT_NEGATIVE],
    "-1 or between 0 and 2*pi": [-1, ["[]", 0, 2 * math.pi]],
    "8 or more": [["[)", 8, None]],
    ">= 0.0": NOT_NEGATIVE,
    "unit axis": [{"axis": True}],
    "unit axis, (-inf, inf) angle": [{"axis": True}],
    "empty or 2 values": [{"lengths": [0, 2]}],
    "(inf, 0[ or ]0, inf)": [["()", None, 0], ["()", 0, None]],
    "(-inf, inf) for linear, [-pi, pi] for rotational": [["()", None, None]],
    "(-inf, inf) or [-pi, pi]": [["()", None, None]],
    "(0,inf), [0, inf), [0, inf)": [{"each": [POSITIVE, NOT_NEGATIVE, NOT_NEGATIVE]}],
}


class UnknownRangeError(ValueError):
    """Raised for a range text that no rule matches."""


def number(text: str) -> float | int | str | None:
    """Parse a bound: a number ("2pi", "-pi/2"), None for an infinity, or a field name."""
    if text.lstrip("+-") == "inf":
        return None
    match = _FACTOR.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        return text
    sign, factor, pi, divisor = match.groups()
    value = float(factor or 1) * (math.pi if pi else 1.0) / float(divisor or 1)
    value = -value if sign == "-" else value
    return int(value) if value.is_integer() else value


def _interval(match: re.Match[str]) -> list[Any]:
    opening, low, high, closing = match.groups()
    return [opening + closing, number(low), number(high)]


def _members(text: str) -> list[str]:
    """Return the parts of a list at its top level: "-1 ,[0, 2*pi]" has two."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in [*parts, text[start:]]]


def _alternative(text: str) -> Any:
    match = _INTERVAL.fullmatch(text)
    if match:
        return _interval(match)
    if text.startswith('"') and text.endswith('"'):
        return text[1:-1]
    value = number(text)
    if isinstance(value, (int, float)):
        return value
    raise UnknownRangeError(text)


def is_open_interval(alternatives: Alternatives) -> bool:
    """Return True for (-inf, inf), which allows every number."""
    return any(a[1:] == [None, None] for a in alternatives if isinstance(a, list))


def node_names(text: str) -> list[str] | None:
    """Return the node types of "{Physics, PROTO}"; None if the text is not such a set."""
    if not (text.startswith("{") and text.endswith("PROTO}")):
        return None
    names = [name.removesuffix(" (or derived)") for name in _members(text[1:-1])[:-1]]
    return ["Geometry" if name == "Geometry Primitive" else name for name in names if name != "node"]


def parse(text: str, default: Any = None) -> Alternatives | None:
    """Return the structured form of a range text; None if it allows every value of the type.

    `default` (the field's) decides whether "any positive vector" includes zero.

    Raises:
        UnknownRangeError: no rule matches the text.
    """
    if text in SAYS_NOTHING or text.startswith(tuple(SAYS_NOTHING_PREFIXES)) or node_names(text) is not None:
        return None
    if text == "any positive vector":
        return NOT_NEGATIVE if 0 in (default or []) else POSITIVE
    found = _FIXED.get(text)
    if found is None:
        inner = text[1:-1] if text.startswith("{") and text.endswith("}") else text
        parts = _members(inner) if inner != text else re.split(r"\s+or\s+", text)
        found = [_alternative(part) for part in parts]
    return None if is_open_interval(found) else found
