"""The position that a Dynamixel servo reports."""

from __future__ import annotations

from wbridge.wbverify.coupling.bus_servo import ServoPosition

make = ServoPosition
