"""A camera, which captures color images and can recognize objects."""

from __future__ import annotations

from math import pi
from typing import Any

from wbridge.hal.modes.arguments import needs
from wbridge.hal.modes.devices.image_device import ImageDevice, SharedImage
from wbridge.hal.modes.image_files import swapped
from wbridge.hal.readings import RecognizedObject
from wbridge.hal.reports import messages

__all__ = ["Camera"]

FOV, FOCAL_DISTANCE, EXPOSURE, RECOGNITION, SEGMENTATION = 4, 5, 6, 10, 11
SEGMENTATION_IMAGE = 9


class Camera(ImageDevice):
    """A camera, which captures color images and can recognize objects."""

    state = (1, FOV, FOCAL_DISTANCE, EXPOSURE, RECOGNITION, SEGMENTATION)
    min_fov = max_fov = focal_length = focal_distance = min_focal_distance = max_focal_distance = 0.0
    exposure = 1.0
    recognition = segmentation = segmentation_enabled = False
    recognition_period = 0
    objects: list[RecognizedObject] = []

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.segments = SharedImage()

    def take_constants(self, id_: int, width: int, height: int, *optics: Any) -> None:
        """Store the image size and the optics."""
        self.width, self.height = width, height
        self.take_optics(*optics)

    def streams(self) -> tuple[SharedImage, ...]:
        """The pictures and their segmentation."""
        return (self.shared, self.segments)

    def take_optics(self, *values: Any) -> None:
        """Store the optics; the simulator sends them again after each change."""
        self.fov, self.near, self.planar, self.min_fov, self.max_fov, *rest = values
        self.recognition, self.segmentation, self.exposure, self.focal_length, *focus = rest
        self.focal_distance, self.min_focal_distance, self.max_focal_distance = focus

    def take_objects(self, objects: list[tuple[Any, ...]]) -> None:
        """Store the recognized objects of a new sample."""
        self.objects = []
        for id_, position, orientation, size, place, extent, colors, model in objects:
            flat = [part for color in colors for part in color]
            self.objects.append(
                RecognizedObject(id_, position, orientation, size, place, extent, flat, model)
            )

    def take_segmentation_file(self, size: int, path: str) -> None:
        """Map the shared file with the segmentation images."""
        self.map(self.segments, size, path)

    def take_segmentation(self, available: bool) -> None:
        """Store whether segmentation is available."""
        self.segmentation = available

    def take_image(self, code: int, pixels: bytes) -> None:
        """Store an image that arrived as a chunk."""
        (self.segments if code == SEGMENTATION_IMAGE else self.shared).put(pixels)

    def get_image(self) -> bytes | None:
        """The latest image: rows from the top, 4 bytes per pixel (B, G, R, A); None before the first."""
        self.check_enabled("get_image")
        return self.shared.get(4 * self.width * self.height)

    @needs("filename", otherwise=-1)
    def save_image(self, filename: str, quality: int) -> int:
        """Save the latest image to a file.

        Args:
            filename: path that ends with .png, or with .jpg if the package pillow is installed.
            quality: JPEG quality, 1 to 100; without effect on PNG files.

        Returns:
            0, or -1 on failure.
        """
        return self._save("save_image", filename, quality, self.get_image())

    def _save(self, method: str, filename: str, quality: int, image: bytes | None) -> int:
        return self.save(method, filename, quality, None if image is None else bytes(swapped(image)), 4)

    def get_min_fov(self) -> float:
        """The minimum field of view of the zoom, in rad."""
        return self.min_fov

    def get_max_fov(self) -> float:
        """The maximum field of view of the zoom, in rad."""
        return self.max_fov

    def set_fov(self, fov: float) -> None:
        """Set the horizontal field of view, in rad, within the limits of the zoom."""
        fov = _snapped(fov, self.min_fov, self.max_fov)
        if self._within("set_fov", "fov", fov, self.min_fov, self.max_fov):
            self.fov = float(fov)
            self.command(FOV, self.fov)

    def _within(self, method: str, name: str, value: float, low: float, high: float) -> bool:
        if low <= value <= high:
            return True
        self.error(method, messages.camera_limits(name, value, low, high))
        return False

    def get_near(self) -> float:
        """The distance of the near clipping plane, in m."""
        return self.near

    def get_exposure(self) -> float:
        """The exposure, in J/m^2."""
        return self.exposure

    def set_exposure(self, exposure: float) -> None:
        """Set the exposure, in J/m^2; at least 0."""
        if self._within("set_exposure", "exposure", exposure, 0.0, float("inf")):
            self.exposure = float(exposure)
            self.command(EXPOSURE, self.exposure)

    def get_focal_length(self) -> float:
        """The focal length, in m; 0 if the field `focus` is empty."""
        return self.focal_length

    def get_focal_distance(self) -> float:
        """The focal distance, in m."""
        return self.focal_distance

    def get_min_focal_distance(self) -> float:
        """The minimum focal distance, in m."""
        return self.min_focal_distance

    def get_max_focal_distance(self) -> float:
        """The maximum focal distance, in m."""
        return self.max_focal_distance

    def set_focal_distance(self, focal_distance: float) -> None:
        """Set the focal distance, in m, within its limits."""
        low, high = self.min_focal_distance, self.max_focal_distance
        if self._within("set_focal_distance", "focal_distance", focal_distance, low, high):
            self.focal_distance = float(focal_distance)
            self.command(FOCAL_DISTANCE, self.focal_distance)

    def has_recognition(self) -> bool:
        """True if the camera has a Recognition node."""
        return self.recognition

    def _needs_recognition(self, method: str) -> bool:
        if not self.recognition:
            self.error(method, messages.no_recognition(self.name))
        return self.recognition

    def recognition_enable(self, sampling_period: int) -> None:
        """Enable the recognition of objects.

        Args:
            sampling_period: in ms; 0 disables the recognition.
        """
        period = int(sampling_period)
        bad = self.is_bad_period("recognition_enable", period)
        if not bad and self._needs_recognition("recognition_enable"):
            self.recognition_period = period
            self.command(RECOGNITION, period)

    def recognition_disable(self) -> None:
        """Disable the recognition of objects."""
        self.recognition_enable(0)

    def recognition_get_sampling_period(self) -> int:
        """The sampling period of the recognition in ms, or 0 if it is disabled."""
        return self.recognition_period

    def recognition_get_number_of_objects(self) -> int:
        """The number of objects in the latest sample."""
        return len(self.objects)

    def recognition_get_objects(self) -> list[RecognizedObject]:
        """The objects in the latest sample."""
        return list(self.objects)

    def recognition_get_object(self, index: int) -> RecognizedObject | None:
        """The object at an index (from 0), or None."""
        return self.objects[index] if 0 <= index < len(self.objects) else None

    def recognition_has_segmentation(self) -> bool:
        """True if the camera supports segmentation."""
        return self.segmentation

    def recognition_enable_segmentation(self) -> None:
        """Enable segmentation images, with the sampling period of the recognition."""
        self._segment("recognition_enable_segmentation", True)

    def recognition_disable_segmentation(self) -> None:
        """Disable segmentation images."""
        self._segment("recognition_disable_segmentation", False)

    def _segment(self, method: str, on: bool) -> None:
        if self._needs_recognition(method):
            self.segmentation_enabled = on
            self.command(SEGMENTATION, on)

    def recognition_is_segmentation_enabled(self) -> bool:
        """True if segmentation images are enabled."""
        return self.segmentation_enabled

    def recognition_get_segmentation_image(self) -> bytes | None:
        """The latest segmentation image, each object in its first color; None before the first image."""
        if not self.segmentation_enabled:
            return None
        return self.segments.get(4 * self.width * self.height)

    @needs("filename", otherwise=-1)
    def recognition_save_segmentation_image(self, filename: str, quality: int) -> int:
        """Save the latest segmentation image to a file (see `save_image`)."""
        image = self.recognition_get_segmentation_image()
        return self._save("recognition_save_segmentation_image", filename, quality, image)


def _snapped(angle: float, low: float, high: float) -> float:
    """Return an end of a range for an angle beyond it by less than 1e-4 rad, else the angle.

    Only for ends at multiples of pi/2, which have no exact decimal form.
    """
    for end in (low, high):
        quarters = round(end / (pi / 2))
        if quarters and abs(end - quarters * pi / 2) < 1e-9 and abs(angle - end) < 1e-4:
            return angle if low <= angle <= high else end
    return angle
