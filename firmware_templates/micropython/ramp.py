"""Velocities that change no faster than an acceleration allows, as ramp.c changes them."""


class Ramp:
    """A velocity; an acceleration of 0 is none."""

    def __init__(self, acceleration):
        self._acceleration, self.velocity = acceleration, 0.0

    def move(self, target, elapsed):
        """Move toward a target for some ms; return True if the velocity has changed."""
        change = target - self.velocity
        if change == 0:
            return False
        most = self._acceleration * elapsed / 1000
        if self._acceleration:
            change = min(max(change, -most), most)
        self.velocity += change
        return change != 0
