"""The temperature or the supply voltage that a Dynamixel servo reports."""

from __future__ import annotations

from wbridge.wbverify.coupling.bus_servo import ServoHealth

make = ServoHealth
