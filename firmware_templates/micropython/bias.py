"""The bias of a gyro, as bias.c computes it: what it reads at rest."""

from time import ticks_diff, ticks_ms

MOST = 0.35  # rad/s: 20 degrees per second, the zero-rate output of an MPU-6050
SPREAD = 0.05  # rad/s: a robot whose readings differ by more does not stand still


class Bias:
    """The mean of all readings in some seconds in which the robot stood still."""

    def __init__(self, seconds):
        self._seconds, self._readings, self._begun, self._mean = seconds, [], 0, None

    def remove(self, values):
        """Return three values (rad/s) without the bias, once it is known."""
        if self._mean is None and self._seconds:
            self._take(values)
        if self._mean is None:
            return values
        return [one - bias for one, bias in zip(values, self._mean)]

    def _take(self, values):
        """Take a reading; one that moves begins again."""
        low, high, total, count = self._readings or (values, values, (0.0, 0.0, 0.0), 0)
        low, high = [min(*pair) for pair in zip(low, values)], [max(*pair) for pair in zip(high, values)]
        if any(abs(one) > MOST for one in values) or any(b - a > SPREAD for a, b in zip(low, high)):
            self._readings = []
            return
        if not count:
            self._begun = ticks_ms()
        total = [one + value for one, value in zip(total, values)]
        self._readings = (low, high, total, count + 1)
        if ticks_diff(ticks_ms(), self._begun) >= 1000 * self._seconds:
            self._mean = [one / (count + 1) for one in total]
