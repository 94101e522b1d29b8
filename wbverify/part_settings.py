"""Settings of parts on the I2C bus."""

from __future__ import annotations

from typing import NamedTuple


class PartSetting(NamedTuple):
    """Bits in a register of a part on the bus."""

    quantity: str
    register: str
    """By its name on the bench."""
    mask: int
    wanted: int
    source: str
    """Data sheet and section."""
