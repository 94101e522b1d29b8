"""The temperature or the supply voltage that a Feetech servo reports."""

from wb import bus_servo


class Driver(bus_servo.Health):
    """The sensor."""
