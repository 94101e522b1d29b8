"""The position that a Dynamixel servo reports."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_servo import ServoPosition
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling

__all__ = ["make"]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return ServoPosition(wiring, numbers)
