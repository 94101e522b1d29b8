"""A DC motor on an H bridge, as hbridge.c drives it."""

from time import sleep_us

from wb import board, ramp, speed_control

DEAD_TIME = 10  # us without a direction, longer than transistors of bridges take to switch off
CONTROL_PERIOD = 10  # ms between updates of the position controller
INFINITY = float("inf")


class Driver:
    """A motor. If the target position is infinite, it runs at the target velocity, and holds it by its
    encoder if there are gains."""

    def __init__(self, settings, drivers):
        self._settings, self._drivers = settings, drivers
        self._ramp = ramp.Ramp(settings["acceleration"]) if settings["acceleration"] else None
        self.rests = settings["encoder"] is None and self._ramp is None  # nothing to control
        self._control = speed_control.SpeedControl(settings, drivers)
        self._pwm = board.Duty(settings["pwm"], settings["frequency"])
        self._forward, self._backward = (board.output(settings[one]) for one in ("forward", "backward"))
        self._position, self._velocity = 0.0, settings["max_velocity"]
        self._active, self._since, self._way = False, 0, 0
        self.heading = 1  # the last direction, also while it stands

    def stop(self):
        """Stop until the next command."""
        self._position, self._velocity = 0.0, self._settings["max_velocity"]
        self._active = False
        self._control.reset()
        if self._ramp is not None:
            self._ramp.velocity = 0.0
        self._drive(0.0)

    def _drive(self, velocity):
        """Set the direction and the duty for a velocity (open loop)."""
        self._turn((velocity > 0) - (velocity < 0))
        self._pwm.set(speed_control.duty(self._settings, velocity))

    def _turn(self, way):
        """Set a direction: 1, -1, or 0 for none. The other one ends first, and its transistors have time to
        switch off."""
        if way <= 0:
            self._forward.value(0)
        if way >= 0:
            self._backward.value(0)
        if way and way != self._way:
            sleep_us(DEAD_TIME)
        self._way = way
        if way:
            self.heading = way
            (self._forward if way > 0 else self._backward).value(1)

    def _approach(self):
        """Return the velocity toward the target position; 0 without an encoder."""
        encoder = self._drivers.get(self._settings["encoder"])
        if encoder is None:
            return 0.0
        limit = abs(self._velocity)
        wanted = (self._position - encoder.position()) * self._settings["gain"]
        return min(max(wanted, -limit), limit)

    def _target(self):
        """Return the target velocity without position control."""
        return self._commanded() if self._ramp is None else self._ramp.velocity

    def _commanded(self):
        return self._velocity if self._position > 0 else -self._velocity

    def _output(self):
        if abs(self._position) == INFINITY:
            self._drive(self._control.velocity(self._target()))
        else:
            self._control.reset()
            self._drive(self._approach())

    def position(self, position):
        """Set the target position."""
        self._position, self._active = position, True
        self._output()

    def velocity(self, velocity):
        """Set the target velocity."""
        encoder = self._drivers.get(self._settings["encoder"])
        if not self._active and encoder is not None:
            self._position = encoder.position()  # without a target, it stays where it is
        self._velocity, self._active = velocity, True
        self._output()

    def update(self, elapsed):
        """Let the position and speed controllers work."""
        if self._ramp is not None:
            self._move_ramp(elapsed)
        if self._control.running and self._control.update(self._target(), elapsed):
            self._output()
        self._since += elapsed
        if self._since >= CONTROL_PERIOD and self._active and abs(self._position) != INFINITY:
            self._since = 0
            self._output()

    def _move_ramp(self, elapsed):
        if not self._active or abs(self._position) != INFINITY:
            self._ramp.velocity = 0.0
        elif self._ramp.move(self._commanded(), elapsed):
            self._output()
