"""Windows of OpenCV in a session without a display.

There, `cv2.imshow` aborts the process, and `cv2.waitKey(0)` would wait for ever. Instead, the windows of the
run show the pictures; without such windows, the first picture says how to see it.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # start-up: typing takes 4 ms
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from wbridge.hal.protocol.shown_pictures import ShownPicture

WINDOWS = "WBRIDGE_WINDOWS"
"""The variable in the environment of controllers whose run has windows."""
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


def without_display(send: Callable[[bytes], object]) -> None:
    """Replace the functions for windows of an imported OpenCV if there is no display.

    Args:
        send: takes messages to the robot window.
    """
    cv2 = sys.modules.get("cv2")
    if cv2 is None or sys.platform != "linux" or any(os.environ.get(one) for one in DISPLAYS):
        return
    for name, result in SILENT.items():
        setattr(cv2, name, _silent(result))
    cv2.imshow = _sender(send) if os.environ.get(WINDOWS) else _Imshow()  # type: ignore[attr-defined]


def _silent(result: object) -> Any:
    def function(*arguments: object, **options: object) -> Any:
        return result

    return function


def _sender(send: Callable[[bytes], object]) -> Callable[[str, Any], None]:
    from wbridge.hal.protocol.shown_pictures import pack  # start-up: only for programs with OpenCV

    def imshow(name: str, picture: object) -> None:
        shown = _shown(name, picture)
        if shown is not None:
            send(pack(shown))

    return imshow


def _shown(name: str, picture: object) -> ShownPicture | None:
    """Return an array as OpenCV shows it, with fewer pixels if it is large; None if it is no picture.

    One channel is gray, more are blue, green, red. Integers of 8 bits are shown as they are, those of 16 bits
    divided by 256, floating-point numbers from 0 (black) to 1 (Source: OpenCV's documentation of imshow).
    """
    import numpy as np  # start-up: OpenCV has imported it

    from wbridge.hal.protocol.shown_pictures import (  # start-up: only for programs with OpenCV
        LARGEST,
        ShownPicture,
    )

    array = np.asarray(picture)
    if array.ndim not in (2, 3) or 0 in array.shape:
        return None
    step = -(-max(array.shape[:2]) // LARGEST)
    array = np.atleast_3d(array[::step, ::step])
    if array.dtype.kind == "f":
        array = np.clip(np.nan_to_num(array), 0, 1) * 255
    elif array.dtype.itemsize == 2:
        array = array // 256
    height, width = array.shape[:2]
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[..., :3] = array[..., :3] if array.shape[2] >= 3 else array[..., :1]
    return ShownPicture(str(name), width, height, pixels.tobytes())


class _Imshow:
    """Says once that pictures are not shown."""

    def __init__(self) -> None:
        self._has_said = False

    def __call__(self, name: str, picture: object) -> None:
        if not self._has_said:
            self._has_said = True
            sys.stderr.write(
                f'Warning: cv2.imshow("{name}") shows nothing, because this session has no display (DISPLAY '
                "is not set). Run with `--windows` to see the pictures in the browser, or save them with "
                "cv2.imwrite. This message is not repeated.\n"
            )
