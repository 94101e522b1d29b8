"""A motor that is a Feetech STS servo."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_servo import Registers, ServoMotor
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers
from wbridge.wbverify.serial_parts.bus_servo import Servo
from wbridge.wbverify.serial_parts.sts import REGISTER_BYTES, StsLine

TORQUE, GOAL, SPEED, PRESENT = 40, 42, 46, 56
SIGN = 0x8000


def _signed(servo: Servo, address: int) -> int:
    number = servo.get(address, 2)
    return -(number & ~SIGN) if number & SIGN else number


def _show(servo: Servo, counts: int) -> None:
    servo.set(PRESENT, 2, abs(counts) | (SIGN if counts < 0 else 0))


REGISTERS = Registers(
    StsLine,
    REGISTER_BYTES,
    TORQUE,
    goal=lambda servo: _signed(servo, GOAL),
    speed=lambda servo: _signed(servo, SPEED),
    wheel_speed=lambda servo: _signed(servo, SPEED),
    speed_step=1.0,
    show=_show,
    volts=(62, 1),
    celsius=(63, 1),
)


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return ServoMotor(wiring, numbers, REGISTERS)
