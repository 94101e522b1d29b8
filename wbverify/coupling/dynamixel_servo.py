"""A motor that is a Dynamixel servo with protocol 2."""

from __future__ import annotations

from wbridge.wbfirmware.map.hardware import Wiring
from wbridge.wbverify.coupling.bus_servo import Registers, ServoMotor
from wbridge.wbverify.coupling.couplings import ActuatorCoupling, BoardNumbers
from wbridge.wbverify.serial_parts.bus_servo import Servo
from wbridge.wbverify.serial_parts.dynamixel import REGISTER_BYTES, DynamixelLine

TORQUE, WHEEL_SPEED, SPEED, GOAL, PRESENT = 64, 104, 112, 116, 132
UNIT = 0.229 * 4096 / 60
"""Counts per second of a unit of velocity: 0.229 turns per minute."""


def _signed(servo: Servo, address: int) -> int:
    number = servo.get(address, 4)
    return number - (1 << 32) if number >> 31 else number


REGISTERS = Registers(
    DynamixelLine,
    REGISTER_BYTES,
    TORQUE,
    goal=lambda servo: _signed(servo, GOAL),
    speed=lambda servo: UNIT * _signed(servo, SPEED),
    wheel_speed=lambda servo: UNIT * _signed(servo, WHEEL_SPEED),
    speed_step=UNIT,
    show=lambda servo, counts: servo.set(PRESENT, 4, counts),
    volts=(144, 2),
    celsius=(146, 1),
)


def make(wiring: Wiring, numbers: BoardNumbers) -> ActuatorCoupling:
    """See `wbridge.wbverify.coupling`."""
    return ServoMotor(wiring, numbers, REGISTERS)
