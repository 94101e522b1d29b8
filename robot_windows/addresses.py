"""Addresses of a server."""

from __future__ import annotations

import ipaddress
import socket

WILDCARDS = ("0.0.0.0", "::", "")
"""A server that listens there accepts connections at every address of the machine."""
SOMEWHERE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses reserved for documentation (RFC 5737, RFC 3849); nothing is sent there."""


def is_loopback(host: str) -> bool:
    """Return True for an address that only this machine can reach."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def reachable(host: str) -> str:
    """Return the address for others: `host`, or for a wildcard the address of this machine in the network."""
    if host not in WILDCARDS:
        return host
    kind = socket.AF_INET6 if host == "::" else socket.AF_INET
    with socket.socket(kind, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((SOMEWHERE[kind], 9))
        except OSError:  # no network
            return "::1" if host == "::" else "127.0.0.1"
        return str(probe.getsockname()[0])


def place(host: str, port: int) -> str:
    """Return host and port as in URLs."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
