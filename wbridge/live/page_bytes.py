"""Bytes of JavaScript, as Python in a page gets them."""

from __future__ import annotations

from typing import Protocol

__all__ = ["PageBytes"]


class PageBytes(Protocol):
    """JavaScript's bytes."""

    def to_bytes(self) -> bytes:
        """Return a copy."""
