"""The position that a Feetech servo reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.bus_servo import ServoPosition

if TYPE_CHECKING:
    from wbfirmware.map.hardware import Wiring
    from wbverify.coupling.couplings import BoardNumbers, SensorCoupling

__all__ = ["make"]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbverify.coupling`."""
    return ServoPosition(wiring, numbers)
