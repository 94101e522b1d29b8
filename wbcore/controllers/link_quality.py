"""How good the emulated link between controllers and robots is, as given beside the fields of a world.

| place | value |
|---|---|
| `link.latency` | time of a message on its way, in either direction |
| `link.jitter` | greatest additional time; uniformly distributed |
| `link.loss` | fraction of messages that are lost, 0 to 0.99; `link.lose` is its former name |

Times are in s, or have a unit: `20ms`, `0.02s`.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from wbridge.wbcore.scene.diagnostics import did_you_mean
from wbridge.wbcore.scene.overrides import OverrideError

_LOG = logging.getLogger(__name__)

PREFIX = "link."
NAMES = {"latency": "latency_s", "jitter": "jitter_s", "loss": "loss"}
FORMER = {"lose": "loss"}
"""Names that changed; they still work, with a warning."""
UNITS = {"ms": 1e-3, "s": 1.0}
"""Seconds of each unit; a longer name comes before its end."""
LONGEST_S, MOST_LOST = 60.0, 0.99


class LinkQuality(NamedTuple):
    """Delays and losses of the messages between a controller and its robot."""

    latency_s: float = 0.0
    """Time of a message on its way, in either direction; 0 to 60 s."""
    jitter_s: float = 0.0
    """Greatest additional time; uniformly distributed, 0 to 60 s."""
    loss: float = 0.0
    """Fraction of messages that are lost, 0 to 0.99."""


IDEAL = LinkQuality()
"""Nothing is late or lost."""


def is_link_place(place: str) -> bool:
    """True if a place is one of the link, and not a field.

    Raises:
        OverrideError: it looks like one of the link, but there is none of this name.
    """
    if not place.startswith(PREFIX):
        return False
    name = _current(place)
    if name in NAMES:
        return True
    if "." in name or "[" in name:
        return False  # of a node with the name "link"
    allowed = ", ".join(f"{PREFIX}{name}" for name in NAMES)
    raise OverrideError(f"{place}: allowed for the link: {allowed}{did_you_mean(name, list(NAMES))}")


def _current(place: str) -> str:
    """Return what a place of the link is named now, without the prefix."""
    name = place.removeprefix(PREFIX)
    if name not in FORMER:
        return name
    _warn_of_former(name)
    return FORMER[name]


@cache  # one warning for each name
def _warn_of_former(name: str) -> None:
    _LOG.warning("warning: %s%s is now named %s%s", PREFIX, name, PREFIX, FORMER[name])


def link_number(place: str, text: str) -> float:
    """Parse a value of a place of the link; times become seconds.

    Raises:
        OverrideError: it is no number, has a wrong unit, or is out of range.
    """
    is_time = _current(place) != "loss"
    number, factor = text.strip(), 1.0
    for unit, seconds in UNITS.items() if is_time else ():
        if number.endswith(unit):
            number, factor = number.removesuffix(unit).strip(), seconds
            break
    most = LONGEST_S if is_time else MOST_LOST
    try:
        value = float(number) * factor
    except ValueError:
        value = math.nan
    if 0 <= value <= most:
        return value
    example = "a time from 0 to 60 s, such as 20ms or 0.02" if is_time else "a fraction from 0 to 0.99"
    raise OverrideError(f'{place}={text}: "{text.strip()}" is not {example}')


def split_link(values: Mapping[str, str]) -> tuple[dict[str, str], LinkQuality]:
    """Return the values of fields, and the quality of the link that the others give.

    Args:
        values: by place.

    Raises:
        OverrideError: places or values of the link are invalid; all are named.
    """
    fields: dict[str, str] = {}
    link: dict[str, float] = {}
    problems = []
    for place, text in values.items():
        try:
            if is_link_place(place):
                link[NAMES[_current(place)]] = link_number(place, text)
            else:
                fields[place] = text
        except OverrideError as problem:
            problems.append(str(problem))
    if problems:
        raise OverrideError("\n".join(problems))
    return fields, LinkQuality(**link)
