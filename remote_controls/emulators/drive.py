"""Two driven wheels on a plane: compute angles and pose from their speeds."""

from __future__ import annotations

import math


class Drive:
    """A differential drive without slip or inertia."""

    def __init__(self, radius: float, track: float) -> None:
        """
        Args:
            radius: radius of the wheels, in m.
            track: distance between the wheels, in m.
        """
        self._radius, self._track = radius, track
        self.speeds = [0.0, 0.0]
        """Speeds of the left and the right wheel, in rad/s."""
        self.angles = [0.0, 0.0]
        """Angles of the wheels, in rad."""
        self.x = self.y = self.heading = 0.0
        """Pose in m and rad; initially the robot looks along x."""

    def stop(self) -> None:
        """Stand still."""
        self.speeds = [0.0, 0.0]

    def pass_time(self, seconds: float) -> None:
        """Move along the arc of two constant speeds."""
        left, right = (speed * seconds for speed in self.speeds)
        self.angles[0] += left
        self.angles[1] += right
        way = self._radius * (left + right) / 2
        turn = self._radius * (right - left) / self._track
        # The chord of an arc: 2 r sin(turn / 2), with r = arc length / turn.
        chord = way * (math.sin(turn / 2) / (turn / 2) if turn else 1.0)
        self.x += chord * math.cos(self.heading + turn / 2)
        self.y += chord * math.sin(self.heading + turn / 2)
        self.heading += turn

    def state(self) -> dict[str, float]:
        """Speeds and place."""
        left, right = self.speeds
        return {"left": left, "right": right, "x": self.x, "y": self.y, "heading": self.heading}
