"""Errors of the controller protocol."""

from __future__ import annotations


class ProtocolError(ValueError):
    """Bytes violate the protocol, or values cannot be encoded in it.

    Messages contain no lengths, so the stream cannot be resynchronized: close the connection.
    """
