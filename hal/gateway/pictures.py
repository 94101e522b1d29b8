"""Pictures on their way to the controller: in packets over TCP, in mapped files locally."""

from __future__ import annotations

import mmap
from pathlib import Path

from wbridge.hal.gateway.device import GatewayDevice
from wbridge.hal.gateway.host import PICTURE, SEGMENTS
from wbridge.hal.protocol.packet import Image

FILES = {PICTURE: "image_file", SEGMENTS: "segmentation_file"}
"""Messages that name a file with pictures."""


class Pictures:
    """The newest pictures of a robot's devices."""

    def __init__(self, folder: Path | None) -> None:
        """
        Args:
            folder: for files; None: pictures are sent to the controller in packets.
        """
        self.waiting: list[Image] = []
        """Pictures for the next packet."""
        self._folder = folder
        self._newest: dict[tuple[int, int], bytes] = {}
        self._files: dict[tuple[int, int], mmap.mmap] = {}

    def newest(self, device: GatewayDevice) -> bytes | None:
        """The newest picture of a device; b"" if only the controller has it, None before the first one."""
        size, _ = device.newest.get(FILES[PICTURE], (0, ""))
        return self._newest.get((device.tag, PICTURE), b"" if size else None)

    def put(self, device: GatewayDevice, code: int, pixels: bytes, out: bytearray) -> None:
        """Pass a picture on.

        Args:
            device: whose picture it is.
            code: `PICTURE` or `SEGMENTS`.
            pixels: its bytes.
            out: the next answer, to which a message is appended if the picture is in another file.
        """
        key = device.tag, code
        self._newest[key] = pixels
        if self._folder is None:
            self.waiting.append(Image(device.tag, code, pixels))
            return
        file = self._files.get(key)
        if file is not None and len(file) == len(pixels):
            file[:] = pixels
            return
        path = self._folder / f"{device.tag}-{code}-{len(pixels)}"
        path.write_bytes(pixels)
        with path.open("r+b") as opened:
            self._files[key] = mmap.mmap(opened.fileno(), len(pixels))
        message = device.codec.message_codes[FILES[code]]
        device.codec.write_message(out, device.tag, message, (len(pixels), str(path)))
