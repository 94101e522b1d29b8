"""The LinearMotor: drives a slider or a track."""

from wbridge.wbcore.devices.motor import Motor


class LinearMotor(Motor):
    """A motor whose positions are lengths (m) and whose forces are in N."""
