"""Takes pictures of distances."""

from __future__ import annotations

from typing import ClassVar

from hal.modes.devices.image_device import ImageDevice

__all__ = ["RangeFinder"]


def _gray(distance: float, scale: float) -> int:
    """From 0 to 255; 0 for no number."""
    return int(max(0.0, min(distance * scale, 255.0))) if distance == distance else 0


class RangeFinder(ImageDevice):
    """Takes pictures of distances."""

    former_functions: ClassVar[frozenset[str]] = frozenset(
        f"wb_camera_{name}"
        for name in (
            *("enable", "disable", "get_sampling_period", "get_width", "get_height", "get_fov", "get_near"),
            "save_image",
        )
    )
    max_range = 1.0

    def take_constants(
        self, id_: int, width: int, height: int, fov: float, near: float, planar: int, max_range: float
    ) -> None:
        """Size and optics."""
        self.width, self.height = width, height
        self.take_optics(fov, near, planar, max_range)

    def take_optics(self, fov: float, near: float, planar: int, max_range: float) -> None:
        """Optics; they come again when somebody changes them."""
        self.fov, self.near, self.planar, self.max_range = fov, near, planar, max_range

    def get_range_image(self) -> memoryview[float] | None:
        """The newest distances in m, row after row from the top; infinite: nothing; None: not yet."""
        self.check_enabled("get_range_image")
        return self.floats(self.width * self.height)

    @staticmethod
    def image_get_depth(image: memoryview[float] | list[float], width: int, x: int, y: int) -> float:
        """The distance at a pixel of a range image, in m.

        Args:
            image: of `get_range_image`.
            width: of the picture.
            x: pixels from the left.
            y: pixels from the top.
        """
        return image[y * width + x]

    def save_image(self, filename: str, quality: int) -> int:
        """Write the newest distances to a file as gray levels: white is the maximum range.

        Args:
            filename: ends with .png; .jpg needs the package pillow.
            quality: of a JPEG, 1 to 100.

        Returns:
            0, or -1 when it failed.
        """
        image = self.get_range_image()
        scale = 255 / self.max_range
        gray = None if image is None else bytes(_gray(one, scale) for one in image)
        return self.save("save_image", filename, quality, gray, 1)

    def get_near(self) -> float:
        """The shortest distance that is seen, in m: its name in Webots 8."""
        return self.near

    def get_min_range(self) -> float:
        """The shortest distance that is seen, in m."""
        return self.near

    def get_max_range(self) -> float:
        """The longest distance that is seen, in m."""
        return self.max_range
