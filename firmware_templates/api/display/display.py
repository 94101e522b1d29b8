"""Display: the picture is in the board's memory, and the driver sends what has changed."""

from wb import figures, font, messages, table
from wb.canvas import bar
from wb.device import Device
from wb.fonts import FONTS

THRESHOLD = 500 * 255 * 255  # half of the luminance of white, in thousandths, with an alpha of 255


def _if_wired(draw):
    """Let a method do nothing on a display without a driver."""

    def call(self, *given, **named):
        if self._tag in table.DRIVERS:
            draw(self, *given, **named)

    return call


class Display(Device):
    """A display of a robot on a board."""

    luminance, alpha, font = 255 * 1000, 255, 0

    def _is_lit(self):
        return self.luminance * self.alpha >= THRESHOLD

    def get_width(self):
        """Return the width in pixels."""
        return self._row["width"]

    def get_height(self):
        """Return the height in pixels."""
        return self._row["height"]

    def set_color(self, color):
        """Set the color: lit or dark, by its luminance."""
        self.luminance = 299 * (color >> 16 & 0xFF) + 587 * (color >> 8 & 0xFF) + 114 * (color & 0xFF)

    def set_alpha(self, alpha):
        """Set the alpha value, 0 to 1."""
        if 0 <= alpha <= 1:
            self.alpha = int(alpha * 255)

    @_if_wired
    def set_font(self, font, size, anti_aliasing):
        """Set the font: one of those that the controller names."""
        wanted = (font, size, bool(anti_aliasing))
        for number, one in enumerate(FONTS):
            if one[:3] == wanted:
                self.font = number
                return
        print(messages.UNKNOWN_FONT)

    @_if_wired
    def draw_pixel(self, x, y):
        """Draw a pixel."""
        bar(int(x), int(y), int(x), int(y), self._is_lit())

    @_if_wired
    def draw_line(self, x1, y1, x2, y2):
        """Draw a line."""
        x1, y1, x2, y2 = (figures.near(one) for one in (x1, y1, x2, y2))
        figures.line(x1, y1, x2, y2, self._is_lit())

    @_if_wired
    def draw_rectangle(self, x, y, width, height):
        """Draw the outline of a rectangle."""
        if width < 1 or height < 1:
            return
        x, y, width, height = (int(one) for one in (x, y, width, height))
        right, bottom = x + width - 1, y + height - 1
        lit = self._is_lit()
        for row in (y, bottom):
            bar(x, row, right, row, lit)
        for column in (x, right):
            bar(column, y, column, bottom, lit)

    @_if_wired
    def fill_rectangle(self, x, y, width, height):
        """Fill a rectangle."""
        if width >= 1 and height >= 1:
            x, y, width, height = (int(one) for one in (x, y, width, height))
            bar(x, y, x + width - 1, y + height - 1, self._is_lit())

    @_if_wired
    def _oval(self, x, y, a, b, fill):
        if a >= 1 and b >= 1:
            x, y, a, b = (figures.near(one) for one in (x, y, a, b))
            figures.oval(x, y, a, b, fill, self._is_lit())

    def draw_oval(self, cx, cy, a, b):
        """Draw the outline of an oval with these semi-axes."""
        self._oval(cx, cy, a, b, False)

    def fill_oval(self, cx, cy, a, b):
        """Fill an oval."""
        self._oval(cx, cy, a, b, True)

    @_if_wired
    def draw_polygon(self, x, y):
        """Draw the outline of a polygon."""
        figures.polygon(x, y, False, self._is_lit())

    @_if_wired
    def fill_polygon(self, x, y):
        """Fill a polygon."""
        figures.polygon(x, y, True, self._is_lit())

    @_if_wired
    def draw_text(self, text, x, y):
        """Draw a text with its upper left corner at a point."""
        if text is None:
            raise TypeError("draw_text() called with None")
        if not font.draw(self.font, text, int(x), int(y), self._is_lit()):
            print(messages.UNKNOWN_CHARACTERS)
