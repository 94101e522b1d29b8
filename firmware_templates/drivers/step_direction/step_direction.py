"""A stepper motor on a driver with step and direction inputs."""

from time import sleep_us

from wb import board, steps

PULSE = 2  # us: an A4988 needs 1 us


class Driver:
    """A motor, at position 0 at first. A stop holds it; its driver keeps the coils on."""

    def __init__(self, settings, drivers):
        self._inverted = settings["inverted"]
        self._motion = steps.Steps(settings)
        self._step, self._direction = (board.output(settings[one]) for one in ("step", "direction"))

    def position(self, position):
        """Set the target position."""
        self._motion.position, self._motion.active = position, True

    def velocity(self, velocity):
        """Set the velocity."""
        self._motion.velocity, self._motion.active = velocity, True

    def stop(self):
        """Hold the position until the next command."""
        self._motion.active = False

    def update(self, elapsed):
        """Make the next step when it is due."""
        self._step.value(0)  # it was high for 1 ms
        way = self._motion.next(elapsed)
        if way:
            self._direction.value((way > 0) != self._inverted)
            sleep_us(PULSE)  # the inputs settle
            self._step.value(1)
