"""Windows of OpenCV in a session without a display.

There, `cv2.imshow` aborts the process, and `cv2.waitKey(0)` would wait for ever. Instead, no window opens,
and the first picture says so.
"""

from __future__ import annotations

import os
import sys
from typing import Any

__all__ = ["without_display"]

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY")
NO_KEY = -1
SILENT = {
    "namedWindow": None,
    "resizeWindow": None,
    "moveWindow": None,
    "setWindowTitle": None,
    "setWindowProperty": None,
    "setMouseCallback": None,
    "createTrackbar": None,
    "setTrackbarPos": None,
    "getTrackbarPos": 0,
    "destroyWindow": None,
    "destroyAllWindows": None,
    "startWindowThread": 0,
    "waitKey": NO_KEY,
    "waitKeyEx": NO_KEY,
    "pollKey": NO_KEY,
}
"""Functions that do nothing, with what they return."""


def without_display() -> None:
    """Replace the functions for windows of an imported OpenCV if there is no display."""
    cv2 = sys.modules.get("cv2")
    if cv2 is None or sys.platform != "linux" or any(os.environ.get(one) for one in DISPLAYS):
        return
    for name, result in SILENT.items():
        setattr(cv2, name, _silent(result))
    cv2.imshow = _Imshow()  # type: ignore[attr-defined]


def _silent(result: Any) -> Any:
    def function(*arguments: Any, **options: Any) -> Any:
        return result

    return function


class _Imshow:
    """Says once that pictures are not shown."""

    def __init__(self) -> None:
        self._has_said = False

    def __call__(self, name: str, picture: Any) -> None:
        if not self._has_said:
            self._has_said = True
            sys.stderr.write(
                f'Warning: cv2.imshow("{name}") shows nothing, because this session has no display (DISPLAY '
                "is not set). Draw on a Display device, which the windows of wbridge show, or save pictures "
                "with cv2.imwrite. This message is not repeated.\n"
            )
