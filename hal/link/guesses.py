"""Limits how often somebody may guess a token."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

__all__ = ["GUESSES_PER_SECOND", "GuessLimit"]

GUESSES_PER_SECOND = 10
"""Wrong tokens that an address may send in any second; further ones are refused unread."""
MOST_ADDRESSES = 1000
"""Maximum number of addresses that are remembered."""


NETWORK_BITS = 64
"""Of an IPv6 address: a single computer may have all addresses of such a network."""


class GuessLimit:
    """Counts the wrong tokens of each address."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """
        Args:
            clock: in s.
        """
        self._clock = clock
        self._wrong: OrderedDict[str, deque[float]] = OrderedDict()
        """By address: when its last wrong tokens came."""

    def allows(self, address: str) -> bool:
        """True if an address may try a token now."""
        times = self._wrong.get(_group(address))
        return times is None or len(times) < GUESSES_PER_SECOND or self._clock() - times[0] >= 1.0

    def note_wrong(self, address: str) -> None:
        """Count a wrong token."""
        address = _group(address)
        times = self._wrong.pop(address, None) or deque(maxlen=GUESSES_PER_SECOND)
        times.append(self._clock())
        self._wrong[address] = times
        if len(self._wrong) > MOST_ADDRESSES:
            self._wrong.popitem(last=False)


def _group(address: str) -> str:
    """The addresses that count as a single one: an IPv4 address in both spellings, or an IPv6 network."""
    if ":" not in address:
        return address
    import ipaddress  # start-up: 3 ms, only for IPv6

    try:
        number = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    return str(number.ipv4_mapped or ipaddress.IPv6Network((number, NETWORK_BITS), strict=False))
