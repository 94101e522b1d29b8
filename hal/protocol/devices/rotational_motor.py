"""The bytes of a RotationalMotor on the controller link; both kinds of motors share them."""

from __future__ import annotations

from hal.protocol.devices.motor import CODEC

__all__ = ["CODEC"]
