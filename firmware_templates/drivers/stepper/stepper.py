"""A stepper motor with four inputs, in half steps: one coil and two coils take turns."""

from wb import board, steps

SEQUENCE = (1, 3, 2, 6, 4, 12, 8, 9)  # bit 0 is the first coil


class Driver(steps.Motor):
    """A motor. A stop switches the coils off."""

    def __init__(self, settings, drivers):
        self._coils = [board.output(settings["in" + one]) for one in "1234"]
        self._energize(0)
        super().__init__(settings)  # ticks begin

    def _energize(self, coils):
        for k, coil in enumerate(self._coils):
            coil.value(coils >> k & 1)

    def stop(self):
        """Switch the coils off until the next command."""
        super().stop()
        self._energize(0)

    def tick(self, elapsed):
        """Make the next step when it is due."""
        if self._motion.next(elapsed):
            count = self._motion.count
            self._energize(SEQUENCE[(-count if self._inverted else count) & 7])
