"""Opening of motion files."""

from __future__ import annotations

from hal.modes import report
from hal.modes.arguments import needs
from hal.modes.motion import Motion, MotionError
from hal.modes.session import current

__all__ = ["wbu_motion_new"]


@needs("filename", prefix="")
def wbu_motion_new(filename: str) -> Motion | None:
    """Open a motion file; None, with an error message, if that fails.

    Args:
        filename: path, relative to the controller's folder.
    """
    try:
        return Motion(current(), filename)
    except (OSError, MotionError) as problem:
        report.error("wbu_motion_new", f"could not read the motion: {problem}")
        return None
