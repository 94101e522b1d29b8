"""Motion files in the object API."""

from __future__ import annotations

from hal.api.by_hand.motion import wbu_motion_new
from hal.modes.motion import Motion as Work

__all__ = ["MotionBase"]


class MotionBase:
    """How a motion file is opened."""

    _ref: Work

    def __init__(self, filename: str) -> None:
        """Read a file, relative to the folder of the controller; `isValid` tells whether that worked."""
        found = wbu_motion_new(filename)
        self._valid = found is not None
        if found is not None:
            self._ref = found

    def isValid(self) -> bool:
        """True when the file can be played."""
        return self._valid

    def __del__(self) -> None:
        if getattr(self, "_valid", False):
            self._ref.delete()
