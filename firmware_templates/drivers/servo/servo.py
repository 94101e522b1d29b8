"""An RC servo, as servo.c moves it: to the target position at the target velocity."""

from wb import board


class Driver:
    """A servo. A stop holds the current position."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._pulse = board.Pulse(settings["pin"])
        self._velocity = settings["max_velocity"]
        self._position = self._target = self._limited(0.0)
        self._active = False

    def _limited(self, position):
        return min(max(position, self._settings["low"]), self._settings["high"])

    def _send(self):
        own = self._settings
        share = (self._position - own["low"]) / (own["high"] - own["low"])
        self._pulse.set(int(own["low_pulse"] + share * (own["high_pulse"] - own["low_pulse"]) + 0.5))

    def stop(self):
        """Hold the current position."""
        self._target, self._velocity = self._position, self._settings["max_velocity"]

    def position(self, position):
        """Set the target position."""
        self._target = self._limited(position)
        if not self._active:  # the position is unknown; assume 0
            self._active = True
            self._send()

    def velocity(self, velocity):
        """Set the velocity."""
        self._velocity = abs(velocity)

    def update(self, elapsed):
        """Move on."""
        distance = self._target - self._position
        if self._active and distance != 0:
            most = self._velocity * elapsed / 1000
            self._position += min(max(distance, -most), most)
            self._send()
