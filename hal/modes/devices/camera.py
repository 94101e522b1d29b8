"""Takes pictures in color, and recognizes objects."""

from __future__ import annotations

from typing import Any, NamedTuple

from hal.modes.devices.image_device import ImageDevice, SharedImage
from hal.modes.picture import swapped

__all__ = ["Camera", "RecognizedObject"]

FOV, FOCAL_DISTANCE, EXPOSURE, RECOGNITION, SEGMENTATION = 4, 5, 6, 10, 11
SEGMENTATION_IMAGE = 9


class RecognizedObject(NamedTuple):
    """One object that a camera recognizes."""

    id: int
    """Of its node."""
    position: tuple[float, float, float]
    """In the frame of the camera, in m."""
    orientation: tuple[float, float, float, float]
    """Axis and angle in rad, in the frame of the camera."""
    size: tuple[float, float]
    """Width and height, in m."""
    position_on_image: tuple[int, int]
    """Its middle, in pixels from the left and the top."""
    size_on_image: tuple[int, int]
    """In pixels."""
    colors: list[float]
    """Red, green and blue of each color, 0 to 1."""
    model: str

    @property
    def number_of_colors(self) -> int:
        """Number of colors."""
        return len(self.colors) // 3


class Camera(ImageDevice):
    """Takes pictures in color, and recognizes objects."""

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
        """Size and optics."""
        self.width, self.height = width, height
        self.take_optics(*optics)

    def take_optics(self, *values: Any) -> None:
        """Optics; they come again when somebody changes them."""
        self.fov, self.near, self.planar, self.min_fov, self.max_fov, *rest = values
        self.recognition, self.segmentation, self.exposure, self.focal_length, *focus = rest
        self.focal_distance, self.min_focal_distance, self.max_focal_distance = focus

    def take_objects(self, objects: list[tuple[Any, ...]]) -> None:
        """A new sample of the recognition."""
        self.objects = []
        for id_, position, orientation, size, place, extent, colors, model in objects:
            flat = [part for color in colors for part in color]
            self.objects.append(
                RecognizedObject(id_, position, orientation, size, place, extent, flat, model)
            )

    def take_segmentation_file(self, size: int, path: str) -> None:
        """The file with the segmentation pictures."""
        self.map(self.segments, size, path)

    def take_segmentation(self, available: bool) -> None:
        """Whether there is segmentation."""
        self.segmentation = available

    def take_image(self, code: int, pixels: bytes) -> None:
        """A picture that came in a chunk."""
        (self.segments if code == SEGMENTATION_IMAGE else self.shared).put(pixels)

    def get_image(self) -> bytes | None:
        """The newest picture: rows from the top, B, G, R and A of each pixel; None before the first one."""
        self.check_enabled("get_image")
        return self.shared.get(4 * self.width * self.height)

    def save_image(self, filename: str, quality: int) -> int:
        """Write the newest picture to a file.

        Args:
            filename: ends with .png; .jpg needs the package pillow.
            quality: of a JPEG, 1 to 100.

        Returns:
            0, or -1 when it failed.
        """
        return self._save("save_image", filename, quality, self.get_image())

    def _save(self, method: str, filename: str, quality: int, image: bytes | None) -> int:
        return self.save(method, filename, quality, None if image is None else bytes(swapped(image)), 4)

    def get_min_fov(self) -> float:
        """The smallest field of view that the zoom can reach, in rad."""
        return self.min_fov

    def get_max_fov(self) -> float:
        """The largest field of view that the zoom can reach, in rad."""
        return self.max_fov

    def set_fov(self, fov: float) -> None:
        """Zoom to a horizontal field of view, in rad, within its limits."""
        if self._within("set_fov", "fov", fov, self.min_fov, self.max_fov):
            self.fov = float(fov)
            self.command(FOV, self.fov)

    def _within(self, method: str, name: str, value: float, low: float, high: float) -> bool:
        if low <= value <= high:
            return True
        self.error(method, f"called with '{name}' argument {value}; allowed: {low} to {high}.")
        return False

    def get_near(self) -> float:
        """The distance of the nearest things in the picture, in m."""
        return self.near

    def get_exposure(self) -> float:
        """The exposure, in J/m^2."""
        return self.exposure

    def set_exposure(self, exposure: float) -> None:
        """Set the exposure, in J/m^2; 0 or more."""
        if self._within("set_exposure", "exposure", exposure, 0.0, float("inf")):
            self.exposure = float(exposure)
            self.command(EXPOSURE, self.exposure)

    def get_focal_length(self) -> float:
        """The focal length, in m; 0 without the field `focus`."""
        return self.focal_length

    def get_focal_distance(self) -> float:
        """The distance in focus, in m."""
        return self.focal_distance

    def get_min_focal_distance(self) -> float:
        """The shortest distance that can be in focus, in m."""
        return self.min_focal_distance

    def get_max_focal_distance(self) -> float:
        """The longest distance that can be in focus, in m."""
        return self.max_focal_distance

    def set_focal_distance(self, focal_distance: float) -> None:
        """Focus a distance, in m, within its limits."""
        low, high = self.min_focal_distance, self.max_focal_distance
        if self._within("set_focal_distance", "focal_distance", focal_distance, low, high):
            self.focal_distance = float(focal_distance)
            self.command(FOCAL_DISTANCE, self.focal_distance)

    def has_recognition(self) -> bool:
        """True when the camera can recognize objects (it has a Recognition node)."""
        return self.recognition

    def _needs_recognition(self, method: str) -> bool:
        if not self.recognition:
            self.error(method, f'called on the camera "{self.name}", which has no Recognition node.')
        return self.recognition

    def recognition_enable(self, sampling_period: int) -> None:
        """Start recognizing objects.

        Args:
            sampling_period: between two samples, in ms; 0 stops it.
        """
        period = int(sampling_period)
        bad = self.is_bad_period("recognition_enable", period)
        if not bad and self._needs_recognition("recognition_enable"):
            self.recognition_period = period
            self.command(RECOGNITION, period)

    def recognition_disable(self) -> None:
        """Stop recognizing objects."""
        self.recognition_enable(0)

    def recognition_get_sampling_period(self) -> int:
        """The sampling period of the recognition in ms; 0 when it is off."""
        return self.recognition_period

    def recognition_get_number_of_objects(self) -> int:
        """Number of objects in the newest sample."""
        return len(self.objects)

    def recognition_get_objects(self) -> list[RecognizedObject]:
        """The objects in the newest sample."""
        return list(self.objects)

    def recognition_get_object(self, index: int) -> RecognizedObject | None:
        """The object at an index, from 0 on; None when there is none."""
        return self.objects[index] if 0 <= index < len(self.objects) else None

    def recognition_has_segmentation(self) -> bool:
        """True when the camera can make segmentation pictures."""
        return self.segmentation

    def recognition_enable_segmentation(self) -> None:
        """Start making segmentation pictures, with the sampling period of the recognition."""
        self._segment("recognition_enable_segmentation", True)

    def recognition_disable_segmentation(self) -> None:
        """Stop making segmentation pictures."""
        self._segment("recognition_disable_segmentation", False)

    def _segment(self, method: str, on: bool) -> None:
        if self._needs_recognition(method):
            self.segmentation_enabled = on
            self.command(SEGMENTATION, on)

    def recognition_is_segmentation_enabled(self) -> bool:
        """True when segmentation pictures are made."""
        return self.segmentation_enabled

    def recognition_get_segmentation_image(self) -> bytes | None:
        """The newest picture in which each object has the first of its colors; None before the first one."""
        if not self.segmentation_enabled:
            return None
        return self.segments.get(4 * self.width * self.height)

    def recognition_save_segmentation_image(self, filename: str, quality: int) -> int:
        """Write the newest segmentation picture to a file (see `save_image`)."""
        image = self.recognition_get_segmentation_image()
        return self._save("recognition_save_segmentation_image", filename, quality, image)
