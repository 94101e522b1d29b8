"""What a controller hears that found no robot: which robots wait, by the addresses that lead to them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from hal.modes import address as places_of
from hal.modes.address import Address, encoded_name
from hal.modes.report import closest
from hal.protocol.names import SAFE

__all__ = ["hint_from_here", "hint_from_reply"]

MOST = 8
"""Robots that are named."""
LONGEST = 200
"""Characters of a name that is named."""
LOCAL = ("localhost", "127.0.0.1")
_NAME = SAFE | {ord("%")}


def hint_from_here(address: Address, environment: Mapping[str, str] = os.environ) -> str:
    """Robots that wait on this machine, as the end of a message; "" for a simulator on another one."""
    if address.scheme == "intern" or (address.scheme == "tcp" and address.host not in LOCAL):
        return ""
    found = {
        (folder.name[len(prefix) :], door.parent.name)
        for root, prefix in places_of.instance_roots(environment)
        for folder in root.glob(prefix + "*")
        for door in folder.glob("ipc/*/extern")
    }
    return _hint(address, found)


def hint_from_reply(address: Address, reply: bytes) -> str:
    """Robots that a simulator has named: their encoded names, one per line behind the first line."""
    names = [line for line in reply.split(b"\n")[1:] if line and _NAME.issuperset(line)]
    return _hint(address, {(str(address.port), line.decode("ascii")) for line in names})


def _hint(address: Address, places: Iterable[tuple[str, str]]) -> str:
    known = [(number, name) for number, name in places if number.isdigit() and len(name) <= LONGEST]
    if not known:
        return ' (no robot waits; one does when its controller is "<extern>")'
    host = f"tcp://{address.host}:" if address.scheme == "tcp" else "ipc://"
    urls = sorted(f"{host}{number}/{name}" for number, name in known)
    wanted, names = encoded_name(address.robot), sorted({name for _, name in known})
    nearest = "" if wanted in names else closest(wanted, names)
    return f" (waiting: {', '.join(urls[:MOST])}{', ...' if len(urls) > MOST else ''}{nearest})"
