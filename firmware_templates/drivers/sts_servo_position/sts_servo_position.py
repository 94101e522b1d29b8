"""The position that a Feetech servo reports."""

from wb import bus_servo


class Driver(bus_servo.Position):
    """The sensor."""
