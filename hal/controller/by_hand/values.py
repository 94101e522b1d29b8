"""Plain data of the object API: what sensors report in parts, and colors of texts in a terminal."""

from __future__ import annotations

from hal.modes.devices.camera import RecognizedObject
from hal.modes.devices.lidar import LidarPoint
from hal.modes.devices.radar import RadarTarget
from hal.modes.inputs import MouseState

__all__ = ["AnsiCodes", "CameraRecognitionObject", "LidarPoint", "MouseState", "RadarTarget"]

ESCAPE = "\x1b["


class CameraRecognitionObject(RecognizedObject):
    """One object that a camera recognizes."""

    def getId(self) -> int:
        """The number of its node."""
        return self.id

    def getPosition(self) -> list[float]:
        """Its place in the frame of the camera: x, y, z in m."""
        return list(self.position)

    def getOrientation(self) -> list[float]:
        """Its orientation in the frame of the camera: axis and angle in rad."""
        return list(self.orientation)

    def getSize(self) -> list[float]:
        """Width and height, in m."""
        return list(self.size)

    def getPositionOnImage(self) -> list[int]:
        """Its middle, in pixels from the left and the top."""
        return list(self.position_on_image)

    def getSizeOnImage(self) -> list[int]:
        """Width and height, in pixels."""
        return list(self.size_on_image)

    def getNumberOfColors(self) -> int:
        """Number of colors."""
        return self.number_of_colors

    def getColors(self) -> list[float]:
        """Red, green and blue of each color, 0 to 1."""
        return list(self.colors)

    def getModel(self) -> str:
        """The field `model` of the object."""
        return self.model


def _code(number: int) -> str:
    return f"{ESCAPE}{number}m"


class AnsiCodes:
    """Control sequences that color the texts that follow in a terminal."""

    RESET, BOLD, UNDERLINE = _code(0), _code(1), _code(4)
    CLEAR_SCREEN = f"{ESCAPE}2J"


for _number, _color in enumerate("BLACK RED GREEN YELLOW BLUE MAGENTA CYAN WHITE".split()):
    setattr(AnsiCodes, f"{_color}_FOREGROUND", _code(30 + _number))
    setattr(AnsiCodes, f"{_color}_BACKGROUND", _code(40 + _number))
