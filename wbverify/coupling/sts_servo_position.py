"""The position that a Feetech servo reports."""

from __future__ import annotations

from wbridge.wbverify.coupling.bus_servo import ServoPosition

make = ServoPosition
