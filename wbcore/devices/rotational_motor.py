"""The RotationalMotor: drives a hinge or a propeller."""

from wbridge.wbcore.devices.motor import Motor


class RotationalMotor(Motor):
    """A motor whose positions are angles (rad) and whose forces are torques (N m)."""
