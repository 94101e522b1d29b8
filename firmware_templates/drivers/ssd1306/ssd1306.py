"""A monochrome display with an SSD1306, as ssd1306.c drives it: an update sends at most canvas.PART bytes."""

from wb import board, canvas

RETRY = 100  # ms until a display that did not answer is set up again, and between checks that it does
COMMANDS, COMMAND, DATA = 0x00, 0x80, 0x40  # all that follow, the next one; all that follow
DISPLAY_OFF, DISPLAY_ON, NOTHING = 0xAE, 0xAF, 0xE3
PAGE, LOW_COLUMN, HIGH_COLUMN = 0xB0, 0x00, 0x10
UPRIGHT, TURNED = (0xA1, 0xC8), (0xA0, 0xC0)  # directions of columns and rows
PINS_ALTERNATE, PINS_IN_SEQUENCE = 0x12, 0x02


class Driver:
    """The display; it is dark until it has the first whole picture."""

    def __init__(self, settings, drivers):
        self._address = settings["address"]
        self._bus = board.bus(settings["sda"], settings["scl"])
        columns, rows = TURNED if settings["upside_down"] else UPRIGHT
        pins = PINS_ALTERNATE if canvas.HEIGHT > 32 else PINS_IN_SEQUENCE
        self._set_up = bytes(
            (COMMANDS, DISPLAY_OFF, 0xA8, canvas.HEIGHT - 1, 0xD3, 0, 0x40, columns, rows, 0xDA, pins)
            + (0x81, 0x7F, 0xA4, 0xA6, 0xD5, 0x80)  # contrast, memory shown, not inverted, clock
            + (0x20, 0x02, 0x2E, 0x8D, 0x14)  # addressing by page, no scrolling, charge pump
        )
        self._is_set_up = self._is_on = False
        self._waiting = self._unchecked = 0

    def _send(self, *data):
        return self._bus.write(self._address, bytes(data))

    def _send_part(self, page, column, count):
        place, low, high = page * canvas.WIDTH + column, LOW_COLUMN | column & 15, HIGH_COLUMN | column >> 4
        head = bytes((COMMAND, PAGE | page, COMMAND, low, COMMAND, high, DATA))
        if not self._bus.write(self._address, head + canvas.data[place : place + count]):
            return False
        canvas.sent(page, count)
        return True

    def _send_next(self):
        """Send what is due next. Returns False if the display does not answer."""
        if not self._is_set_up:
            canvas.touch()
            self._is_on = False
            self._is_set_up = self._bus.write(self._address, self._set_up)
            return self._is_set_up
        part = canvas.changed()
        if part is not None:
            return self._send_part(*part)
        if not self._is_on:
            self._is_on = self._send(COMMANDS, DISPLAY_ON)
            return self._is_on
        if self._unchecked < RETRY:
            return True
        self._unchecked = 0
        return self._send(COMMANDS, NOTHING)

    def update(self, elapsed):
        """Send some bytes."""
        self._unchecked += elapsed
        self._waiting = max(self._waiting - elapsed, 0)
        if self._waiting:
            return
        if not self._send_next():
            self._is_set_up, self._waiting = False, RETRY
        canvas.shown = self._is_set_up and self._is_on and canvas.changed() is None
