"""WS2812 LEDs in chains: each LED takes the first 24 bits, and passes on the others."""

from wb import board, colors

chains = {}
"""By pin."""


class Chain:
    """The LEDs at a pin; those without a device are dark."""

    def __init__(self, name):
        self._pin = board.output(name)
        self._bytes = bytearray()
        self._changed = True

    def set(self, place, light):
        """Set the color of an LED."""
        first = 3 * place
        if first >= len(self._bytes):
            self._bytes += bytearray(first + 3 - len(self._bytes))
        self._bytes[first], self._bytes[first + 1], self._bytes[first + 2] = light[1], light[0], light[2]
        self._changed = True

    def send(self):
        """Send the colors after a change."""
        if self._changed:
            self._changed = False
            board.pixels(self._pin, self._bytes)


class Driver:
    """An LED of a chain; off at first."""

    def __init__(self, settings, drivers):
        self._settings, name = settings, settings["pin"]
        if name not in chains:
            chains[name] = Chain(name)
        self._chain = chains[name]
        self.value(0)

    def value(self, value):
        """Set the light."""
        self._chain.set(self._settings["place"], colors.of(self._settings, int(value)))

    def update(self, elapsed):
        """Send the chain's colors; the LEDs show them after a pause, 0.3 ms at most."""
        self._chain.send()
