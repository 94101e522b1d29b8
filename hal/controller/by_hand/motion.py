"""Motion files in the object API."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from wbridge.hal.api.by_hand.motion import wbu_motion_new
from wbridge.hal.reports import messages, report

if TYPE_CHECKING:
    from wbridge.hal.client._native import Motion as Work

NEUTRAL = {"is_over": False, "get_duration": 0, "get_time": 0}


class _MissingMotion:
    """Replaces a motion that could not be opened: each method only reports an error."""

    def __getattr__(self, name: str) -> Callable[..., object]:
        def tell(*_: object) -> object:
            report.error(f"wbu_motion_{name}", messages.lost_motion())
            return NEUTRAL.get(name)

        return tell


class MotionBase:
    """Hand-written methods of Motion."""

    _ref: Work

    def __init__(self, filename: str) -> None:
        """Open a motion file, relative to the controller's folder; check success with `isValid`."""
        found = wbu_motion_new(filename)
        self._valid = found is not None
        self._ref = found if found is not None else cast("Work", _MissingMotion())

    def isValid(self) -> bool:
        """True if the motion can be played."""
        return self._valid

    def __del__(self) -> None:
        if getattr(self, "_valid", False):
            self._ref.delete()
