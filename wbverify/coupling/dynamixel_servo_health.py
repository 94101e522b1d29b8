"""The temperature or the supply voltage that a Dynamixel servo reports."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_servo import ServoHealth
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling

__all__ = ["make"]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return ServoHealth(wiring, numbers)
