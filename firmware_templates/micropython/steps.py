"""The motion of a stepper motor, as steps.c computes it: when it makes its next step, and in which
direction."""

from time import ticks_add, ticks_diff, ticks_ms

from wb import board

INFINITY = float("inf")
FULL_TURN = 6.283185307179586
MOST_DUE = 2.0  # steps that a busy board makes up for; more would come too fast for the motor


class Steps:
    """Counts the steps of a motor; it starts at position 0, with its maximum velocity."""

    def __init__(self, settings):
        self._per_unit = settings["steps"] if settings["linear"] else settings["steps"] / FULL_TURN
        self._most = settings["max_velocity"]
        self.count = 0
        self.stop()

    def stop(self):
        """Forget all commands."""
        self.position, self.velocity = 0.0, self._most
        self.active = False
        self._due = 0.0

    def hold(self):
        """Stay here, unless there is a target position."""
        if not self.active:
            self.position, self.active = self.count / self._per_unit, True

    def _direction(self):
        """Return the direction of the command: 1, -1, or 0 if the motor is at its position or stands."""
        if abs(self.position) == INFINITY:
            forward = (self.position > 0) == (self.velocity > 0)
            return 0 if self.velocity == 0 else 1 if forward else -1
        target = self.position * self._per_unit
        steps = int(target - 0.5 if target < 0 else target + 0.5)
        return (self.count < steps) - (self.count > steps)

    def next(self, elapsed):
        """Return the next step after some ms: 1 forward, -1 backward, 0 none yet; at most one per call."""
        way = self._direction() if self.active else 0
        if way == 0:
            self._due = 0.0
            return 0
        self._due = min(self._due + abs(self.velocity) * self._per_unit * elapsed / 1000, MOST_DUE)
        if self._due < 1:
            return 0
        self._due -= 1
        self.count += way
        return way


class Motor:
    """A stepper motor, at position 0 at first. Its drivers make the steps in `tick`, which a timer calls, so
    that they come in time also while the controller computes."""

    motors = []
    ticked = 0

    def __init__(self, settings):
        self._inverted = settings["inverted"]
        self._motion = Steps(settings)
        if not Motor.motors:
            Motor.ticked = ticks_ms()
            board.every(1, _tick)
        Motor.motors.append(self)

    def position(self, position):
        """Set the target position."""
        self._motion.position, self._motion.active = position, True

    def velocity(self, velocity):
        """Set the velocity."""
        self._motion.hold()
        self._motion.velocity = velocity

    def stop(self):
        """Make no step until the next command."""
        self._motion.stop()


def _tick(_timer):
    """Let all motors make their steps; late calls make up for lost time."""
    elapsed = ticks_diff(ticks_ms(), Motor.ticked)
    Motor.ticked = ticks_add(Motor.ticked, elapsed)
    for motor in Motor.motors:
        motor.tick(elapsed)
