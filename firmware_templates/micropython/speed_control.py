"""A PID controller of a motor's speed, as speed_control.c computes it, and the duty for a speed."""

from wb import board

CONTROL_PERIOD = 10  # ms


def duty(settings, velocity):
    """Return the duty, 0 to board.DUTY_FULL, for a velocity of either sign (open loop)."""
    least = settings["least_duty"]
    share = abs(velocity) / settings["full_speed"]
    if share > 0:
        share = least + share * (1 - least)
    return int(min(share, 1.0) * board.DUTY_FULL + 0.5)


class SpeedControl:
    """Adds a correction to target velocities; forgets it while the target is 0."""

    def __init__(self, settings, drivers):
        self._p, self._i, self._d = (settings["speed_" + one] for one in "pid")
        self._full = settings["full_speed"]
        self._drivers, self._tag = drivers, settings["encoder"]  # the encoder may start later
        self.reset()

    def reset(self):
        """Forget everything: the motor has stopped."""
        self._integral = self._correction = 0.0
        self._speed = self._count = None
        self.running = False
        self._phase = self._passed = 0

    def velocity(self, target):
        """Return the velocity to set for a target velocity."""
        if not (self._p or self._i or self._d):
            return target
        if target == 0:
            self.reset()
            return 0.0
        self.running = True
        return target + self._correction

    def update(self, target, elapsed):
        """Let ms pass while it is running; return True if the velocity to set has changed."""
        self._phase += elapsed
        encoder = self._drivers[self._tag]
        if self._count is None:
            self._count = encoder.count
            return False
        self._passed += elapsed
        if self._phase < CONTROL_PERIOD:
            return False
        self._phase %= CONTROL_PERIOD
        interval, self._passed = self._passed / 1000, 0
        count = encoder.count
        speed = encoder.distance(count - self._count) / interval
        error = target - speed
        change = 0.0 if self._speed is None else (speed - self._speed) / interval
        integral = self._integral + self._i * error * interval
        self._integral = min(max(integral, -self._full - target), self._full - target)
        self._correction = self._p * error + self._integral - self._d * change
        self._count, self._speed = count, speed
        return True
