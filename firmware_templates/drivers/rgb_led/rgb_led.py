"""An RGB LED on three PWM pins."""

from wb import board, colors


class Driver:
    """An LED; off at first."""

    def __init__(self, settings, drivers):
        self._settings = settings
        hertz = settings["frequency"]
        self._lights = [board.Duty(settings[one], hertz) for one in ("red", "green", "blue")]
        self.value(0)

    def value(self, value):
        """Set the light."""
        for light, level in zip(self._lights, colors.of(self._settings, int(value))):
            light.set(board.DUTY_FULL - level if self._settings["inverted"] else level)
