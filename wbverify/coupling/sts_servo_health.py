"""The temperature or the supply voltage that a Feetech servo reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.bus_servo import ServoHealth

if TYPE_CHECKING:
    from wbfirmware.map.hardware import Wiring
    from wbverify.coupling.couplings import BoardNumbers, SensorCoupling

__all__ = ["make"]


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbverify.coupling`."""
    return ServoHealth(wiring, numbers)
