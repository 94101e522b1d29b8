"""Limits how often somebody may guess a token."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["GUESSES_PER_SECOND", "GuessLimit"]

GUESSES_PER_SECOND = 10
"""Wrong tokens that an address may send per second; further ones are refused without a look at the token."""
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
        self._wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()
        """By address: start of the current second, and wrong tokens in it."""

    def allows(self, address: str) -> bool:
        """True if an address may try a token now."""
        start, wrong = self._wrong.get(_group(address), (0.0, 0))
        return wrong < GUESSES_PER_SECOND or self._clock() - start >= 1.0

    def note_wrong(self, address: str) -> None:
        """Count a wrong token."""
        now, address = self._clock(), _group(address)
        start, wrong = self._wrong.pop(address, (now, 0))
        self._wrong[address] = (now, 1) if now - start >= 1.0 else (start, wrong + 1)
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
