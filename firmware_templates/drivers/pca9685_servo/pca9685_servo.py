"""RC servos at a PCA9685, as pca9685_servo.c moves them: pulses go to the target positions at the target
velocities. A chip that sleeps after a loss of power is set up again."""

from wb import board

MODE1, ASLEEP, AWAKE, SLEEPS = 0x00, 0x31, 0x21, 0x10
PRESCALER, PRESCALE = 0xFE, 121  # 25 MHz / 4096 / 50 Hz - 1
COUNTS_PER_US = 0.20491803278688525  # 25 MHz / (PRESCALE + 1)
FIRST_OUTPUT, OUTPUT_BYTES = 0x06, 4
FRAME_MS, LOOK_MS = 20, 100
SETTINGS = ((MODE1, ASLEEP), (PRESCALER, PRESCALE), (MODE1, AWAKE))
chips = {}
"""By address."""


class Chip:
    """A PCA9685."""

    def __init__(self, bus, address):
        self._bus, self._address = bus, address
        self._ready, self._since, self.servos = False, 0, []

    def look(self, elapsed):
        """See now and then whether it is awake."""
        self._since += elapsed
        if self._since >= LOOK_MS:
            self._since = 0
            mode = self._bus.read(self._address, MODE1, 1) if self._ready else None
            if mode is None or mode[0] & SLEEPS:
                self._lose()

    def _lose(self):
        """Note that it has lost its settings: it is set up with the next transfer, which follows soon."""
        self._ready = False
        for one in self.servos:
            one.is_sent = False

    def send(self, channel, counts):
        """Set the pulse of an output; return False if the chip does not answer."""
        if not self._ready:
            self._ready = all(self._bus.write(self._address, bytes(one)) for one in SETTINGS)
        first = FIRST_OUTPUT + OUTPUT_BYTES * channel
        data = bytes([first, 0, 0, counts & 255, counts >> 8])
        if self._ready and not self._bus.write(self._address, data):
            self._lose()
        return self._ready


class Driver:
    """A servo. A stop holds the current position."""

    def __init__(self, settings, drivers):
        self._settings, address = settings, settings["address"]
        if address not in chips:
            chips[address] = Chip(board.bus(settings["sda"], settings["scl"]), address)
        self._chip = chips[address]
        self._is_first = not self._chip.servos
        self._chip.servos.append(self)
        self._velocity = settings["max_velocity"]
        self._position = self._target = self._limited(0.0)
        self._active, self.is_sent, self._since = False, True, 0

    def _limited(self, position):
        return min(max(position, self._settings["low"]), self._settings["high"])

    def _counts(self):
        own = self._settings
        share = (self._position - own["low"]) / (own["high"] - own["low"])
        pulse = own["low_pulse"] + share * (own["high_pulse"] - own["low_pulse"])
        return int(pulse * COUNTS_PER_US + 0.5)

    def stop(self):
        """Hold the current position."""
        self._target = self._position

    def position(self, position):
        """Set the target position."""
        self._target = self._limited(position)
        if not self._active:  # the position is unknown; assume 0
            self._active, self.is_sent, self._since = True, False, FRAME_MS

    def velocity(self, velocity):
        """Set the velocity."""
        self._velocity = abs(velocity)

    def update(self, elapsed):
        """Move on; send a pulse at most once in a frame."""
        if self._is_first:
            self._chip.look(elapsed)
        distance = self._target - self._position
        if self._active and distance != 0:
            most = self._velocity * elapsed / 1000
            self._position += min(max(distance, -most), most)
            self.is_sent = False
        self._since = min(self._since + elapsed, FRAME_MS)
        if self._active and not self.is_sent and self._since >= FRAME_MS:
            self._since = 0
            self.is_sent = self._chip.send(self._settings["channel"], self._counts())
