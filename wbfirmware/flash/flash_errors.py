"""The error of flashing."""

from __future__ import annotations


class FlashError(RuntimeError):
    """Raised when a firmware cannot be flashed; the message says what to do."""
