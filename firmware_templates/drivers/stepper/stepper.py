"""A stepper motor with four inputs, in half steps: one coil and two coils take turns."""

from wb import board, steps

SEQUENCE = (1, 3, 2, 6, 4, 12, 8, 9)  # bit 0 is the first coil


class Driver:
    """A motor, at position 0 at first. A stop switches the coils off."""

    def __init__(self, settings, drivers):
        self._inverted = settings["inverted"]
        self._motion = steps.Steps(settings)
        self._coils = [board.output(settings["in" + one]) for one in "1234"]
        self._energize(0)

    def _energize(self, coils):
        for k, coil in enumerate(self._coils):
            coil.value(coils >> k & 1)

    def position(self, position):
        """Set the target position."""
        self._motion.position, self._motion.active = position, True

    def velocity(self, velocity):
        """Set the velocity."""
        self._motion.velocity, self._motion.active = velocity, True

    def stop(self):
        """Switch the coils off until the next command."""
        self._motion.active = False
        self._energize(0)

    def update(self, elapsed):
        """Make the next step when it is due."""
        if self._motion.next(elapsed):
            count = self._motion.count
            self._energize(SEQUENCE[(-count if self._inverted else count) & 7])
