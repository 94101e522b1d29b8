"""The Display: accepts drawing commands but draws nothing yet."""

from __future__ import annotations

from typing import Any, ClassVar

from wbcore.devices.device import Device

BGRA = 6
BYTES = 4
MOST_PIXELS = 2**24
MOST_IMAGES = 4096
SCREEN = 0
"""The image number that means the display itself in save requests."""


class Display(Device):
    """Stores the sizes of its images; saved images are empty."""

    KEPT: ClassVar[tuple[str, ...]] = ("images",)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.images: dict[int, tuple[int, int]] = {}
        """Width and height of each image, by number."""

    def take(self, block: bytes) -> None:
        """Execute the commands of a block."""
        self.robot.warn(f'display "{self.name}": drawing is not implemented; it stays empty')
        super().take(block)

    def on_image_copy(self, number: int, x: int, y: int, width: int, height: int) -> None:
        """Store a region of the display as an image."""
        self._keep(number, width, height)

    def on_image_new(self, number: int, width: int, height: int, format_: int, pixels: bytes) -> None:
        """Store an image."""
        self._keep(number, width, height)

    def _keep(self, number: int, width: int, height: int) -> None:
        if number <= SCREEN or width < 1 or height < 1:
            raise ValueError(f"image {number} has an invalid size: {width} x {height} pixels")
        if number not in self.images and len(self.images) >= MOST_IMAGES:
            raise ValueError(f"more than {MOST_IMAGES} images")
        self.images[number] = (width, height)

    def on_image_delete(self, number: int) -> None:
        """Delete an image."""
        self.images.pop(number, None)

    def on_image_save(self, number: int) -> None:
        """Send an image."""
        width, height = self.size if number == SCREEN else self.images.get(number, (0, 0))
        if width * height > MOST_PIXELS:
            raise ValueError(f"an image of {width} x {height} pixels is too large to send")
        self.send("image", number, width, height, BGRA, bytes(width * height * BYTES))

    def on_get_state(self) -> None:
        """Send the initial state of remote mode: an empty display, white ink."""
        width, height = self.size
        if width * height > MOST_PIXELS:
            width = height = 0
        screen = (SCREEN, width, height, BGRA, bytes(width * height * BYTES))
        self.send("state", [screen], 0xFFFFFF, 255, 255)

    @property
    def size(self) -> tuple[int, int]:
        """Return width and height in pixels."""
        return int(self.node.get("width")), int(self.node.get("height"))

    def connect(self) -> None:
        """Delete the former controller's images."""
        super().connect()
        self.images.clear()

    def reset(self) -> None:
        """Clear the display."""
        self.images.clear()
