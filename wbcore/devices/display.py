"""The Display: drawing commands are understood, but nothing is drawn yet."""

from __future__ import annotations

from typing import Any, ClassVar

from wbcore.devices.device import Device

BGRA = 6
BYTES = 4
MOST_PIXELS = 2**24
MOST_IMAGES = 4096
SCREEN = 0
"""The number that stands for the display itself where a picture is saved."""


class Display(Device):
    """Knows the sizes of its pictures; those that are saved are empty."""

    KEPT: ClassVar[tuple[str, ...]] = ("images",)

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.images: dict[int, tuple[int, int]] = {}
        """Width and height by number."""

    def take(self, block: bytes) -> None:
        """Carry out the commands of a block."""
        self.robot.warn(f'display "{self.name}" shows nothing yet')
        super().take(block)

    def on_image_copy(self, number: int, x: int, y: int, width: int, height: int) -> None:
        """Keep a part of the display as a picture."""
        self._keep(number, width, height)

    def on_image_new(self, number: int, width: int, height: int, format_: int, pixels: bytes) -> None:
        """Keep a picture."""
        self._keep(number, width, height)

    def _keep(self, number: int, width: int, height: int) -> None:
        if number <= SCREEN or width < 1 or height < 1:
            raise ValueError(f"picture {number} of {width} x {height} pixels")
        if number not in self.images and len(self.images) >= MOST_IMAGES:
            raise ValueError(f"there are {MOST_IMAGES} pictures already")
        self.images[number] = (width, height)

    def on_image_delete(self, number: int) -> None:
        """Forget a picture."""
        self.images.pop(number, None)

    def on_image_save(self, number: int) -> None:
        """Send a picture."""
        width, height = self.size if number == SCREEN else self.images.get(number, (0, 0))
        if width * height > MOST_PIXELS:
            raise ValueError(f"a picture of {width} x {height} pixels is too large to be sent")
        self.send("image", number, width, height, BGRA, bytes(width * height * BYTES))

    def on_get_state(self) -> None:
        """Send the display as remote mode begins: empty, in white ink."""
        width, height = self.size
        if width * height > MOST_PIXELS:
            width = height = 0
        screen = (SCREEN, width, height, BGRA, bytes(width * height * BYTES))
        self.send("state", [screen], 0xFFFFFF, 255, 255)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return int(self.node.get("width")), int(self.node.get("height"))

    def connect(self) -> None:
        """A former controller's pictures are gone."""
        super().connect()
        self.images.clear()

    def reset(self) -> None:
        """Nothing is drawn."""
        self.images.clear()
