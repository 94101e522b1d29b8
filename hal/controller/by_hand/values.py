"""Data classes of the object API: parts of sensor values, and terminal colors."""

from __future__ import annotations

from wbridge.hal.readings import LidarPoint, MouseState, RadarTarget, RecognizedObject

__all__ = ["AnsiCodes", "CameraRecognitionObject", "LidarPoint", "MouseState", "RadarTarget"]

ESCAPE = "\x1b["


class CameraRecognitionObject(RecognizedObject):
    """An object recognized by a camera."""

    def getId(self) -> int:
        """The identifier of its node."""
        return self.id

    def getPosition(self) -> list[float]:
        """The position relative to the camera: x, y, z in m."""
        return list(self.position)

    def getOrientation(self) -> list[float]:
        """The orientation relative to the camera: axis, and angle in rad."""
        return list(self.orientation)

    def getSize(self) -> list[float]:
        """The sizes along the camera's x and y axes, in m: depth and width since R2022a, width and height
        before."""
        return list(self.size)

    def getPositionOnImage(self) -> list[int]:
        """The center in the image, in pixels from the left and the top."""
        return list(self.position_on_image)

    def getSizeOnImage(self) -> list[int]:
        """The width and height in the image, in pixels."""
        return list(self.size_on_image)

    def getNumberOfColors(self) -> int:
        """The number of colors."""
        return self.number_of_colors

    def getColors(self) -> list[float]:
        """Red, green and blue of each color, each from 0 to 1."""
        return list(self.colors)

    def getModel(self) -> str:
        """The field `model` of the object."""
        return self.model

    # The names until R2022b.
    get_id, get_model = getId, getModel
    get_position, get_orientation, get_size = getPosition, getOrientation, getSize
    get_position_on_image, get_size_on_image = getPositionOnImage, getSizeOnImage
    get_number_of_colors, get_colors = getNumberOfColors, getColors


def _code(number: int) -> str:
    return f"{ESCAPE}{number}m"


class AnsiCodes:
    """Escape sequences that set the color of subsequent text in a terminal."""

    RESET, BOLD, UNDERLINE = _code(0), _code(1), _code(4)
    CLEAR_SCREEN = f"{ESCAPE}2J"


for _number, _color in enumerate("BLACK RED GREEN YELLOW BLUE MAGENTA CYAN WHITE".split()):
    setattr(AnsiCodes, f"{_color}_FOREGROUND", _code(30 + _number))
    setattr(AnsiCodes, f"{_color}_BACKGROUND", _code(40 + _number))
