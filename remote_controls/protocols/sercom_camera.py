"""The camera of e-puck and e-puck2 in SerCom: its set-up, and its pictures.

The ASCII command J sets mode, width, height, zoom and the first pixel of the sensor; I answers what is set.
The binary command I answers with a byte each for mode, width and height, then the pixels from the top: 16
bits each, high byte first, with 5 bits of red, 6 of green and 5 of blue. If the pixels need more bytes than
the robot's buffer has, it takes 40 x 40 instead.
Source: the published firmware of e-puck (GCtronic) and e-puck2, and the messages of Webots' own plugin.
"""

from __future__ import annotations

from typing import NamedTuple

COLOR = 1
"""The mode with 16 bits per pixel."""
HEADER = 3
"""Bytes before the pixels."""
SENSOR_WIDTH, SENSOR_HEIGHT = 640, 480
"""Pixels of the sensor."""
MOST_ACROSS, MOST_DOWN = 480, 640
"""Limits of zoomed width and height in Webots' plugin: the camera of the first robots lies on its side."""
ROOMS = (52 * 39 * 2, 48 * 36 * 2 - 83)
"""Bytes for pixels in the buffers of the firmware: that of e-puck2 and Webots, and that of GCtronic for the
e-puck, less the other readings of a packet."""
BYTES_PER_PIXEL = 2
LARGEST_SIDE = 127
"""Width and height are bytes."""
ROUNDING = 1e-9
LEAST = (40, 40)
"""The size that each robot takes."""


class CameraSetup(NamedTuple):
    """What the camera sends."""

    width: int
    height: int
    zoom: int
    """Pixels of the sensor from one pixel of the picture to the next."""

    @property
    def command(self) -> bytes:
        """The command that sets it, with the picture in the middle of the sensor."""
        return f"J,{COLOR},{self.width},{self.height},{self.zoom},-1,-1\r".encode()

    @property
    def state(self) -> bytes:
        """The beginning of the robot's answer to the ASCII command I."""
        return f"{COLOR},{self.width},{self.height},".encode()

    @property
    def size(self) -> int:
        """Bytes of an answer."""
        return HEADER + BYTES_PER_PIXEL * self.width * self.height

    @property
    def header(self) -> bytes:
        """The first bytes of an answer."""
        return bytes([COLOR, self.width, self.height])


def setups(width: int, height: int) -> list[CameraSetup]:
    """Return set-ups for a controller's camera of this size, the best first; the robot may refuse some.

    A size that fits into no buffer is reduced in its shape.
    """
    sizes = dict.fromkeys([*(_reduced(width, height, room) for room in ROOMS), LEAST])
    return [CameraSetup(*size, _zoom(*size)) for size in sizes]


def _reduced(width: int, height: int, room: int) -> tuple[int, int]:
    """Return the largest size of the same shape that fits into `room` bytes."""
    share = min(1.0, LARGEST_SIDE / width, LARGEST_SIDE / height)
    share = min(share, (room / BYTES_PER_PIXEL / (width * height)) ** 0.5)
    return max(1, int(width * share + ROUNDING)), max(1, int(height * share + ROUNDING))


def _zoom(width: int, height: int) -> int:
    """Return the zoom that shows most of the sensor: a power of two."""
    most = max(1, min(MOST_ACROSS // width, MOST_DOWN // height))
    return 1 << most.bit_length() - 1


def bgra(setup: CameraSetup, answer: bytes, width: int, height: int) -> bytes:
    """Return the picture of an answer in the size of a controller's camera.

    Args:
        setup: what the camera sends.
        answer: its answer, header included.
        width: width of the result in pixels.
        height: height of the result in pixels.

    Returns:
        Rows from the top, 4 bytes per pixel (B, G, R, A).
    """
    from PIL import Image  # start-up: only with a camera

    data = bytearray(answer[HEADER:])
    data[0::2], data[1::2] = data[1::2], data[0::2]
    picture = Image.frombytes("RGB", (setup.width, setup.height), bytes(data), "raw", "BGR;16")
    if picture.size != (width, height):
        picture = picture.resize((width, height), Image.Resampling.BILINEAR)
    return picture.convert("RGBA").tobytes("raw", "BGRA")
