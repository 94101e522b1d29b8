"""LEDs of a matrix: the rows are high by turns, while the columns of lit LEDs are low."""

from wb import board

ROW_MS = 2  # five rows are lit 100 times a second


class Driver:
    """An LED; off at first."""

    rows = []
    shown = 0

    def __init__(self, settings, drivers):
        self._is_lit = False
        self._column = board.output(settings["column"])
        self._column.value(1)
        if not Driver.rows:
            board.every(ROW_MS, _show_next)
        row = next((one for one in Driver.rows if one.name == settings["row"]), None)
        if row is None:
            row = Row(settings["row"])
            Driver.rows.append(row)
        row.leds.append(self)

    def value(self, value):
        """Switch it on or off, when its row is next on."""
        self._is_lit = value != 0

    def show(self, may_be_lit):
        """Set its column."""
        self._column.value(not (may_be_lit and self._is_lit))


class Row:
    """A row of LEDs; off at first."""

    def __init__(self, name):
        self.name, self.leds = name, []
        self._pin = board.output(name)
        self._pin.value(0)

    def switch(self, is_on):
        """Switch it on or off; it is off while its columns change, so that no LED glimmers."""
        self._pin.value(0)
        for led in self.leds:
            led.show(is_on)
        self._pin.value(is_on)


def _show_next(_timer):
    Driver.rows[Driver.shown].switch(False)
    Driver.shown = (Driver.shown + 1) % len(Driver.rows)
    Driver.rows[Driver.shown].switch(True)
