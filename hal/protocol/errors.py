"""What is wrong with bytes that should have been a part of the controller protocol."""

from __future__ import annotations

__all__ = ["ProtocolError"]


class ProtocolError(ValueError):
    """Bytes that break the protocol, or values that have no bytes in it.

    The stream they came from is out of step for good, because its messages carry no lengths: close it.
    """
