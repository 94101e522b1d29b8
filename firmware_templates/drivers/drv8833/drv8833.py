"""A DC motor on a motor driver with two PWM inputs, as drv8833.c drives it: one has the duty, the other is
low."""

from wb import board, ramp, speed_control

INFINITY = float("inf")


class Driver:
    """A motor. It runs at the target velocity, and holds it by its encoder if there are gains; it cannot move
    to positions."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self._ramp = ramp.Ramp(settings["acceleration"]) if settings["acceleration"] else None
        self.rests = settings["encoder"] is None and self._ramp is None  # nothing to control
        self._control = speed_control.SpeedControl(settings, drivers)
        self._forward, self._backward = (
            board.Duty(settings[one], settings["frequency"]) for one in ("forward", "backward")
        )
        self._position, self._velocity = 0.0, settings["max_velocity"]
        self.heading = 1  # the last direction, also while it stands

    def stop(self):
        """Stop until the next command."""
        self._position, self._velocity = 0.0, self._settings["max_velocity"]
        self._control.reset()
        if self._ramp is not None:
            self._ramp.velocity = 0.0
        self._drive(0.0)

    def _drive(self, velocity):
        """Set the duties for a velocity (open loop); the input that falls comes first, so that both are never
        high."""
        active, other = self._forward, self._backward
        if velocity <= 0:
            active, other = other, active
        if velocity:
            self.heading = 1 if velocity > 0 else -1
        other.set(0)
        active.set(speed_control.duty(self._settings, velocity))

    def _target(self):
        """Return the target velocity."""
        return self._commanded() if self._ramp is None else self._ramp.velocity

    def _commanded(self):
        """Return the commanded velocity; 0 for a position, which the motor cannot move to."""
        if abs(self._position) != INFINITY:
            return 0.0
        return self._velocity if self._position > 0 else -self._velocity

    def _output(self):
        self._drive(self._control.velocity(self._target()))

    def position(self, position):
        """Set the target position."""
        self._position = position
        self._output()

    def velocity(self, velocity):
        """Set the target velocity."""
        self._velocity = velocity
        self._output()

    def update(self, elapsed):
        """Let ramp and speed controller work."""
        if self._ramp is not None and self._ramp.move(self._commanded(), elapsed):
            self._output()
        if self._control.running and self._control.update(self._target(), elapsed):
            self._output()
