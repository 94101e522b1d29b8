"""A quadrature encoder: the sequence 00, 10, 11, 01 of its tracks (A, B) is forward."""

from wb import board

FULL_TURN = 6.283185307179586


class Driver:
    """An encoder; counts from 0 when the board starts."""

    def __init__(self, settings, drivers):
        self._settings = settings
        self.count = 0
        self._a, self._b = (board.input(settings[one], True) for one in ("a", "b"))
        self._phase = self._measured()
        board.watch(self._a, self._changed)
        board.watch(self._b, self._changed)

    def _measured(self):
        a, b = self._a.value(), self._b.value()
        return (2 if a else 3) if b else a

    def _changed(self, _pin):
        """Count an edge. Runs in an interrupt, where nothing can be allocated."""
        phase = self._measured()
        forward = (phase - self._phase) & 3
        self._phase = phase
        if forward == 1:
            self.count += 1
        elif forward == 3:  # 2: both tracks changed at once, because of noise or a too high speed
            self.count -= 1

    def distance(self, count):
        """Return the distance (rad or m) of some counts."""
        turns = count / self._settings["counts"]
        return turns if self._settings["linear"] else turns * FULL_TURN

    def position(self):
        """Return the position in rad or m."""
        return self.distance(self.count)
