"""The accelerometer of an MPU-6050."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.couplings import BoardNumbers, SensorCoupling
from wbridge.wbverify.coupling.mpu6050 import Mpu6050

REGISTER, TWO_G = 0x3B, 19.6133


def make(wiring: Wiring, numbers: BoardNumbers) -> SensorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return Mpu6050(wiring, numbers, REGISTER, TWO_G)
