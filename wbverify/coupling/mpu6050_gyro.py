"""The gyro of an MPU-6050."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbverify.coupling.mpu6050 import Mpu6050

if TYPE_CHECKING:
    from wbfirmware.map.hardware import Wiring
    from wbverify.coupling.couplings import BoardNumbers, SensorCoupling

__all__ = ["make"]

REGISTER, DEGREES_250 = 0x43, 4.363323129985824


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbverify.coupling`."""
    return Mpu6050(wiring, numbers, REGISTER, DEGREES_250)
