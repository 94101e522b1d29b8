"""Hints for a controller that found no robot: the addresses of the robots that wait."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from wbridge.hal.connection import address as addresses
from wbridge.hal.connection.address import Address, encoded_name
from wbridge.hal.protocol.names import SAFE
from wbridge.hal.reports import messages
from wbridge.hal.reports.report import closest

MOST = 8
"""Maximum number of robots that a message lists."""
LONGEST = 200
"""Maximum length of a listed name, in characters."""
LOCAL = ("localhost", "127.0.0.1")
_NAME = SAFE | {ord("%")}


def hint_from_here(address: Address, environment: Mapping[str, str] = os.environ) -> str:
    """A message suffix with the robots that wait on this machine; "" for a simulator on another machine."""
    if address.scheme == "intern" or (address.scheme == "tcp" and address.host not in LOCAL):
        return ""
    found = {
        (folder.name[len(prefix) :], socket.parent.name)
        for root, prefix in addresses.instance_roots(environment)
        for folder in root.glob(prefix + "*")
        for socket in folder.glob("ipc/*/extern")
    }
    return _hint(address, found)


def hint_from_reply(address: Address, reply: bytes) -> str:
    """A message suffix with the robots that a simulator listed, one encoded name per line after the first."""
    names = [line for line in reply.split(b"\n")[1:] if line and _NAME.issuperset(line)]
    return _hint(address, {(str(address.port), line.decode("ascii")) for line in names})


def _hint(address: Address, places: Iterable[tuple[str, str]]) -> str:
    known = [(number, name) for number, name in places if number.isdigit() and len(name) <= LONGEST]
    if not known:
        return messages.no_robot_waits()
    host = f"tcp://{address.host}:" if address.scheme == "tcp" else "ipc://"
    urls = sorted(f"{host}{number}/{name}" for number, name in known)
    wanted, names = encoded_name(address.robot), sorted({name for _, name in known})
    nearest = "" if wanted in names else closest(wanted, names)
    return f" (waiting: {', '.join(urls[:MOST])}{', ...' if len(urls) > MOST else ''}{nearest})"
