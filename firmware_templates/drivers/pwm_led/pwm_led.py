"""A gradual LED of one color on a PWM pin."""

from wb import board


class Driver:
    """An LED; off at first."""

    def __init__(self, settings, drivers):
        self._inverted = settings["inverted"]
        self._pwm = board.Duty(settings["pin"], settings["frequency"])
        self.value(0)

    def value(self, value):
        """Set the brightness, 0 to 255."""
        duty = min(max(int(value), 0), board.DUTY_FULL)
        self._pwm.set(board.DUTY_FULL - duty if self._inverted else duty)
