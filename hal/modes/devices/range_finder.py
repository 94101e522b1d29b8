"""A range-finder, which captures depth images."""

from __future__ import annotations

from typing import ClassVar

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.device import NAN
from wbridge.hal.modes.devices.image_device import ImageDevice
from wbridge.hal.modes.image_files import write_float_file
from wbridge.hal.reports import messages, report

__all__ = ["RangeFinder"]


class RangeFinder(ImageDevice):
    """A range-finder, which captures depth images."""

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
        """Store the image size and the optics."""
        self.width, self.height = width, height
        self.take_optics(fov, near, planar, max_range)

    def take_optics(self, fov: float, near: float, planar: int, max_range: float) -> None:
        """Store the optics; the simulator sends them again after each change."""
        self.fov, self.near, self.planar, self.max_range = fov, near, planar, max_range

    def get_range_image(self) -> memoryview[float] | None:
        """The latest distances in m, row by row from the top, or infinity; None before the first image.

        The next sample overwrites them; copy those that you keep.
        """
        self.check_enabled("get_range_image")
        return self.floats(self.width * self.height)

    @staticmethod
    def image_get_depth(image: memoryview[float] | list[float] | None, width: int, x: int, y: int) -> float:
        """The distance at a pixel of a range image, in m.

        Args:
            image: from `get_range_image`.
            width: width of the image.
            x: pixels from the left.
            y: pixels from the top.
        """
        if image is None:
            report.error("wb_range_finder_image_get_depth", messages.invalid_argument("image", "None"))
            return NAN
        return image[y * width + x]

    @needs("filename", otherwise=-1)
    def save_image(self, filename: str, quality: int) -> int:
        """Save the latest range image to a file: (distance - minimum range) / maximum range, from 0 to 1.

        Args:
            filename: path that ends with .png, with .hdr for floating-point numbers, or with .jpg if the
                package pillow is installed.
            quality: JPEG quality, 1 to 100; without effect on PNG files.

        Returns:
            0, or -1 on failure.
        """
        image = self.get_range_image()
        shares = [] if image is None else [self._share(one) for one in image]
        if filename.lower().endswith(".hdr"):

            def write() -> None:
                write_float_file(filename, self.width, self.height, shares)

            return self.try_to_save("save_image", filename, quality, image is not None, write)
        gray = None if image is None else bytes(int(one * 255) for one in shares)
        return self.save("save_image", filename, quality, gray, 1)

    def _share(self, distance: float) -> float:
        """A distance as a share of the maximum range, from the minimum range on; 0 for NaN."""
        share = (distance - self.near) / self.max_range
        return max(0.0, min(share, 1.0)) if share == share else 0.0

    def get_near(self) -> float:
        """The minimum range, in m: the name in Webots 8."""
        return self.near

    def get_min_range(self) -> float:
        """The minimum range, in m."""
        return self.near

    def get_max_range(self) -> float:
        """The maximum range, in m."""
        return self.max_range
