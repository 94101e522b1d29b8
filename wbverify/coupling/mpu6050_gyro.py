"""The gyro of an MPU-6050."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling
from wbridge.wbverify.coupling.mpu6050 import Mpu6050

REGISTER, DEGREES_250 = 0x43, 4.363323129985824


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return Mpu6050(wiring, numbers, REGISTER, DEGREES_250)
