"""The altitude by the air pressure that a BMP280 or BME280 measures, as bmp280_altimeter.c computes it."""

from wb import board

CALIBRATION, IDENTIFICATION, KNOWN = 0x88, 0xD0, (0x58, 0x60)
MEASURE, ALWAYS, FILTER, SMOOTH, PRESSURE, NO_VALUE = 0xF4, 0x57, 0xF5, 0x10, 0xF7, 0x80000
SCALE, POWER = 44330.76923, 0.1902632  # the international standard atmosphere


class Driver:
    """The part on the bus."""

    def __init__(self, settings, drivers):
        self._address, self._sea_level = settings["address"], settings["sea_level"]
        self._bus = board.bus(settings["sda"], settings["scl"])
        self._numbers = None  # of the chip, for the formulas of the data sheet

    def _set_up(self):
        name = self._bus.read(self._address, IDENTIFICATION, 1)
        data = self._bus.read(self._address, CALIBRATION, 24)
        if name is None or data is None or name[0] not in KNOWN:
            return None
        is_set = self._bus.write(self._address, bytes([FILTER, SMOOTH]))
        if not is_set or not self._bus.write(self._address, bytes([MEASURE, ALWAYS])):
            return None
        numbers = [board.low_word(data, place) for place in range(0, 24, 2)]
        for k in (0, 3):  # without sign
            numbers[k] &= 0xFFFF
        return numbers if numbers[3] else None

    def altitude(self):
        """Return the altitude in m; None if the part does not answer or has not measured yet."""
        if self._numbers is None:
            self._numbers = self._set_up()
        mode = self._bus.read(self._address, MEASURE, 1) if self._numbers else None
        data = self._bus.read(self._address, PRESSURE, 6) if mode is not None and mode[0] == ALWAYS else None
        if data is None:  # after a loss of power it sleeps
            self._numbers = None
            return None
        pressure, temperature = (data[k] << 12 | data[k + 1] << 4 | data[k + 2] >> 4 for k in (0, 3))
        if NO_VALUE in (pressure, temperature):
            return None
        pascal = _pressure(self._numbers, float(pressure), _temperature(self._numbers, float(temperature)))
        return SCALE * (1 - (pascal * 0.01 / self._sea_level) ** POWER)


def _temperature(numbers, raw):
    """Return the temperature in 1/5120 degrees Celsius."""
    t1, t2, t3 = numbers[:3]
    offset = raw / 131072.0 - t1 / 8192.0
    return (raw / 16384 - t1 / 1024.0) * t2 + offset * offset * t3


def _pressure(numbers, raw, temperature):
    """Return the pressure in Pa."""
    p1, p2, p3, p4, p5, p6, p7, p8, p9 = numbers[3:]
    half = temperature / 2 - 64000.0
    offset = (half * half * p6 / 32768.0 + half * p5 * 2) / 4 + p4 * 65536.0
    slope = (p3 * half * half / 524288.0 + p2 * half) / 524288.0
    first = (1048576.0 - raw - offset / 4096) * 6250 / ((1 + slope / 32768.0) * p1)
    return first + (p9 * first * first / 2147483648.0 + first * p8 / 32768.0 + p7) / 16
