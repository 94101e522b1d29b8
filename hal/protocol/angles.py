"""Roll, pitch and yaw of an orientation, as InertialUnits measure them."""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, atan2


def roll_pitch_yaw(quaternion: Sequence[float], coordinate_system: str) -> list[float]:
    """Return the angles of a unit quaternion x, y, z, w, in rad; NaN for NaN.

    The angles are rotations about the world's axes: first roll about the forward axis, then pitch about the
    lateral axis, then yaw about the vertical axis. In ENU worlds (z up) these axes are x, y, z, in NUE worlds
    (y up) x, z, y. Roll and yaw range from -pi to pi, pitch from -pi/2 to pi/2.
    """
    x, y, z, w = quaternion
    # Solve the entries of the rotation matrix R = Yaw Pitch Roll for the three angles.
    if coordinate_system == "NUE":
        roll = atan2(2 * (x * w - y * z), 1 - 2 * (x * x + z * z))
        sine = 2 * (x * y + z * w)
        yaw = atan2(2 * (y * w - x * z), 1 - 2 * (y * y + z * z))
    else:
        roll = atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        sine = 2 * (w * y - z * x)
        yaw = atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
    # Rounding errors can raise the sine slightly above 1; NaN passes through.
    return [roll, asin(1.0 if sine > 1 else -1.0 if sine < -1 else sine), yaw]
