"""The RotationalMotor."""

from wbcore.devices.motor import Motor as RotationalMotor

__all__ = ["RotationalMotor"]
