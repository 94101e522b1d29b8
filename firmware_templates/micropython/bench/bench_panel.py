"""An emulated display with an SSD1306 on the I2C bus: see boards/shared/registers/ssd1306_panel.c."""

COLUMNS, ROWS, PAGES = 128, 64, 8
HORIZONTAL, VERTICAL, BY_PAGE = 0, 1, 2
ARGUMENTS = {0x21: 2, 0x22: 2, 0xA3: 2, 0x29: 5, 0x2A: 5, 0x26: 6, 0x27: 6}
for _one in (0x20, 0x81, 0x8D, 0xA8, 0xD3, 0xD5, 0xD9, 0xDA, 0xDB):
    ARGUMENTS[_one] = 1
FLAGS = {0x2E: "scrolls", 0xA0: "columns", 0xA4: "all", 0xA6: "inverted", 0xAE: "on"}
"""Pairs of commands that clear and set something; the second one is the next number."""
PAGE, COLUMN = 0, 1


class Panel:
    """The chip, and the glass with 32 or 64 rows."""

    def __init__(self, glass_rows):
        self._glass_rows, self._memory, random = glass_rows, bytearray(PAGES * COLUMNS), 1
        for k in range(PAGES * COLUMNS):
            random = (random * 1664525 + 1013904223) & 0xFFFFFFFF
            self._memory[k] = random >> 24
        self._place, self._spans = [0, 0], [(0, PAGES - 1), (0, COLUMNS - 1)]  # of page and column
        self._addressing, self._multiplex, self._offset, self._start, self._pins = BY_PAGE, ROWS, 0, 0, 0x12
        self._set = set()
        """Flags that are set, rows (reversed) and pump among them."""
        self._command = []

    def write(self, message):
        """Take the bytes between a start and a stop condition."""
        control, is_control = 0, True
        for byte in message:
            if is_control:
                control, is_control = byte, False
                continue
            if control & 0x40:
                self._take_data(byte)
            else:
                self._take_command(byte)
            is_control = bool(control & 0x80)

    def _advance(self, axis):
        first, last = self._spans[axis]
        ends = self._place[axis] == last
        self._place[axis] = first if ends else self._place[axis] + 1
        return ends

    def _take_data(self, byte):
        page, column = self._place[PAGE] % PAGES, self._place[COLUMN] % COLUMNS
        self._memory[page * COLUMNS + (COLUMNS - 1 - column if "columns" in self._set else column)] = byte
        if self._addressing == BY_PAGE:
            self._place[COLUMN] = (column + 1) % COLUMNS
        else:
            fast, slow = (COLUMN, PAGE) if self._addressing == HORIZONTAL else (PAGE, COLUMN)
            if self._advance(fast):
                self._advance(slow)

    def _take_command(self, byte):
        self._command.append(byte)
        if len(self._command) > ARGUMENTS.get(self._command[0], 0):
            command, self._command = self._command, []
            self._obey(*(command + [0, 0])[:3])

    def _mark(self, flag, is_set):
        (self._set.add if is_set else self._set.discard)(flag)

    def _select(self, axis, count, first, last):
        self._spans[axis] = (first % count, last % count)
        self._place[axis] = first % count

    def _obey(self, command, one, other):
        place = self._place
        if command <= 0x0F:
            place[COLUMN] = place[COLUMN] & 0x70 | command
        elif command <= 0x1F:
            place[COLUMN] = place[COLUMN] & 0x0F | (command & 7) << 4
        elif command == 0x20:
            self._addressing = min(one % 4, BY_PAGE)
        elif command == 0x21:
            self._select(COLUMN, COLUMNS, one, other)
        elif command == 0x22:
            self._select(PAGE, PAGES, one, other)
        elif 0x40 <= command <= 0x7F:
            self._start = command & 0x3F
        elif 0xB0 <= command <= 0xB7:
            place[PAGE] = command & 7
        elif command == 0x8D:
            self._mark("pump", one & 4)
        elif command == 0xA8 and one % 64 >= 15:
            self._multiplex = one % 64 + 1
        elif command in (0xC0, 0xC8):
            self._mark("rows", command & 8)
        elif command == 0xD3:
            self._offset = one % ROWS
        elif command == 0xDA:
            self._pins = one
        elif command & 0xFE in FLAGS:
            self._mark(FLAGS[command & 0xFE], command & 1)

    def _memory_row(self, row):
        driver = self._glass_rows - 1 - row
        scanned = self._multiplex - 1 - driver if "rows" in self._set else driver
        line = (scanned + ROWS + self._offset) % ROWS
        return (self._start + line) % ROWS if line < self._multiplex else -1

    def _is_lit(self, x, row):
        if row < 0 or "all" in self._set:
            return row >= 0
        bit = self._memory[(row >> 3) * COLUMNS + COLUMNS - 1 - x] >> (row & 7) & 1
        return bool(bit) != ("inverted" in self._set)

    def show(self):
        """Return the pixels of the glass in hexadecimal."""
        picture = bytearray(self._glass_rows // 8 * COLUMNS)
        fits = (self._pins & 0x10) == (0x10 if self._glass_rows == ROWS else 0)
        if fits and "on" in self._set and "pump" in self._set:
            for y in range(self._glass_rows):
                row = self._memory_row(y)
                for x in range(COLUMNS):
                    picture[(y >> 3) * COLUMNS + x] |= self._is_lit(x, row) << (y & 7)
        return "picture " + "".join(f"{one:02x}" for one in picture)


panels = {}
"""By address."""


def _parts(name):
    """Return address and rows of SSD1306:ADDRESS:ROWS; None for other names."""
    kind, *words = name.split(":")
    try:
        address, rows = (int(one, 0) for one in words)
    except ValueError:
        return None
    return (address, rows) if kind == "SSD1306" and 0 <= address < 128 and rows in (32, 64) else None


def drive(name, value):
    """Connect (1) or disconnect (0) a display: SSD1306:ADDRESS:ROWS. Returns False for other names."""
    parts = _parts(name)
    if parts is None:
        return False
    address, rows = parts
    if value:
        panels[address] = Panel(rows)
    else:
        panels.pop(address, None)
    return True


def show(name):
    """Return the picture of a display; None for other names."""
    parts = _parts(name)
    if parts is None:
        return None
    address, rows = parts
    return (panels.get(address) or Panel(rows)).show()
