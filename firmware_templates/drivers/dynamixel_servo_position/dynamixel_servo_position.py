"""The position that a Dynamixel servo reports."""

from wb import bus_servo


class Driver(bus_servo.Position):
    """The sensor."""
