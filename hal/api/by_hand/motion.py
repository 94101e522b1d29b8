"""Opening motion files."""

from __future__ import annotations

from hal.modes import report
from hal.modes.motion import Motion, MotionError
from hal.modes.session import current

__all__ = ["wbu_motion_new"]


def wbu_motion_new(filename: str) -> Motion | None:
    """Read a motion file; None, with a message, when it cannot be played.

    Args:
        filename: relative to the folder of the controller.
    """
    try:
        return Motion(current(), filename)
    except (OSError, MotionError) as problem:
        report.error("wbu_motion_new", f"could not read the motion: {problem}")
        return None
