"""The AK8963 magnetometer of an MPU-9250 as a compass: the direction of the magnetic field, whatever its
strength. The MPU-9250 connects it to the bus."""

from wb import board, field

HOST_POWER, HOST_AWAKE = 0x6B, 0x01
HOST_PINS, HOST_BYPASS = 0x37, 0x02
IDENTIFICATION, NAME = 0x00, b"\x48"
DATA, SECOND_STATUS, CONTROL = 0x02, 0x09, 0x0A
CONTINUOUS = 0x16  # 100 Hz, 16 bits
OVERFLOW = 0x08


class Driver:
    """The compass."""

    def __init__(self, settings, drivers):
        self._settings, self._ready = settings, False
        self._bus = board.bus(settings["sda"], settings["scl"])

    def _set_up(self):
        address, host = self._settings["address"], self._settings["host"]
        return (
            self._bus.write(host, bytes([HOST_POWER, HOST_AWAKE]))
            and self._bus.write(host, bytes([HOST_PINS, HOST_BYPASS]))
            and self._bus.read(address, IDENTIFICATION, 1) == NAME
            and self._bus.write(address, bytes([CONTROL, CONTINUOUS]))
        )

    def _measured(self):
        """Return the registers from DATA to CONTROL; None if the part does not answer, or has lost its
        settings."""
        data = self._bus.read(self._settings["address"], DATA, CONTROL - DATA + 1)
        return None if data is None or data[CONTROL - DATA] != CONTINUOUS else data

    def north(self):
        """Return the direction; None if it is unknown."""
        self._ready = self._ready or self._set_up()
        data = self._measured() if self._ready else None
        self._ready = data is not None
        if data is None or data[SECOND_STATUS - DATA] & OVERFLOW:
            return None
        return field.direction([board.low_word(data, k) for k in (1, 3, 5)], self._settings)
