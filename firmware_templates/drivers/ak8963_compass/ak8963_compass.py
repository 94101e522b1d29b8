"""The AK8963 magnetometer of an MPU-9250 as a compass: the direction of the magnetic field, whatever its
strength. The MPU-9250 connects it to the bus."""

from wb import board, field

HOST_POWER, HOST_AWAKE = 0x6B, 0x01
HOST_PINS, HOST_BYPASS = 0x37, 0x02
IDENTIFICATION, NAME = 0x00, 0x48
DATA, SECOND_STATUS, CONTROL = 0x02, 0x09, 0x0A
CONTINUOUS = 0x16  # 100 Hz, 16 bits
OVERFLOW = 0x08


class Driver(field.Compass):
    """The compass."""

    def _set_up(self):
        host = self._settings["host"]
        return (
            self._bus.write(host, bytes([HOST_POWER, HOST_AWAKE]))
            and self._bus.write(host, bytes([HOST_PINS, HOST_BYPASS]))
            and self._holds(IDENTIFICATION, NAME)
            and self._write(CONTROL, CONTINUOUS)
        )

    def _measurement(self):
        data = self._read(DATA, CONTROL - DATA + 1)
        if data is None or data[CONTROL - DATA] != CONTINUOUS:
            return None
        return () if data[SECOND_STATUS - DATA] & OVERFLOW else [board.low_word(data, k) for k in (1, 3, 5)]
