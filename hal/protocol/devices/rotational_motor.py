"""The messages of a RotationalMotor: the codec that both types of motors share."""

from __future__ import annotations

from wbridge.hal.protocol.devices.motor import CODEC

__all__ = ["CODEC"]
