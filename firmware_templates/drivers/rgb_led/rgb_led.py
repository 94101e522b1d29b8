"""An RGB LED, as rgb_led.c lights it: the number of a color from 1, or for a gradual LED the brightness of
its color, or 0xRRGGBB if it has none."""

from wb import board

FULL = 255


class Driver:
    """An LED; off at first."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._lights = [board.Duty(settings[one]) for one in ("red", "green", "blue")]
        self.value(0)

    def _color(self, value):
        colors = self._settings["colors"]
        if not self._settings["gradual"]:
            return colors[value - 1] if 1 <= value <= len(colors) else (0, 0, 0)
        if not colors:
            return [value >> shift & FULL for shift in (16, 8, 0)]
        return [one * min(max(value, 0), FULL) // FULL for one in colors[0]]

    def value(self, value):
        """Set the light."""
        for light, level in zip(self._lights, self._color(int(value))):
            light.set(board.DUTY_FULL - level if self._settings["inverted"] else level)
