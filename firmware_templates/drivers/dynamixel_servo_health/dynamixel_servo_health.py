"""The temperature or the supply voltage that a Dynamixel servo reports."""

from wb import bus_servo, dynamixel_servo

dynamixel_servo.Protocol.size = dynamixel_servo.HEALTH_BYTES  # answers have it, too


class Driver(bus_servo.Health):
    """The sensor."""
