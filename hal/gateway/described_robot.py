"""A robot that is known by the packets of its simulator."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wbridge.hal.gateway.device import GatewayDevices
from wbridge.hal.gateway.messages import Listeners, MessageReader
from wbridge.hal.gateway.pictures import Pictures
from wbridge.hal.protocol.configure import RobotInfo
from wbridge.hal.protocol.packet import Image


class DescribedRobot:
    """What the answers of the simulator say of the robot, its devices and their pictures."""

    def __init__(self, folder: Path | None, listeners: Listeners) -> None:
        """
        Args:
            folder: for pictures; None: they are sent to the controller in packets.
            listeners: called with the values of messages of the robot, by name in the codec.
        """
        self.pictures = Pictures(folder)
        self._devices = GatewayDevices()
        self._reader = MessageReader(self._devices, listeners)

    @property
    def devices(self) -> GatewayDevices:
        """The devices."""
        return self._devices

    @property
    def info(self) -> RobotInfo:
        """How the robot was configured."""
        return self._reader.info

    def pass_images(self, images: Sequence[Image], out: bytearray) -> None:
        """Pass on images that arrived in an answer; messages about them are appended to the next one."""
        for image in images:
            device = self._devices.device(image.tag)
            if device is not None:
                self.pictures.put(device, image.code, image.pixels, out)
