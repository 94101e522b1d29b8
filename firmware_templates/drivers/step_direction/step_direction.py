"""A stepper motor on a driver with step and direction inputs."""

from time import sleep_us

from wb import board, steps

PULSE = 2  # us: an A4988 needs 1 us


class Driver(steps.Motor):
    """A motor. A stop holds it; its driver keeps the coils on."""

    def __init__(self, settings, drivers):
        self._step, self._direction = (board.output(settings[one]) for one in ("step", "direction"))
        super().__init__(settings)  # ticks begin

    def tick(self, elapsed):
        """Make the next step when it is due."""
        self._step.value(0)  # it was high for 1 ms
        way = self._motion.next(elapsed)
        if way:
            self._direction.value((way > 0) != self._inverted)
            sleep_us(PULSE)  # the inputs settle
            self._step.value(1)
